"""The feedback page in a real browser: it runs nothing, asks nobody, and reads well wide, narrow and in the dark."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from playwright.sync_api import Browser, Page
from visits import DESKTOP, PHONE, ROOT, violations

from autograder.authoring.assignment import is_check, load
from autograder.finding import Finding
from autograder.gradebook.feedback import to_page
from autograder.gradebook.learner_report import CheckReport, Report

SCREENS = [(dark, phone) for dark in (False, True) for phone in (False, True)]
NAMES = [f"{'dark' if dark else 'light'}-{'phone' if phone else 'desktop'}" for dark, phone in SCREENS]
FINDING = Finding(
    case="a batch of one sentence",
    mistake="squeezed",
    what="weights",
    got="shape (3,)",
    expected="(batch=1, keys=3)",
    why="`.squeeze()`",
)
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
HOSTILE = (
    """\
<script>document.title = "changed"</script> <img src="https://example.org/x.png"> <img src=x onerror="alert(1)">
# A heading of the learner's own, $\\alpha_j = \\frac{1}{2}$, and averylongwordwithoutanybreak"""
    + "x" * 200
)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with everything on it: each kind of status, comments, a penalty, outputs, and hostile text."""
    notebook = load(ROOT, "00_attention").notebook
    checks, statuses = [], ("passed", "partial", "failed", "not run", "by hand", "to be graded")
    for number, cell in enumerate(cell for cell in notebook.cells if is_check(cell)):
        status = statuses[number % len(statuses)]
        finding = FINDING if status in ("partial", "failed") else Finding()
        checks.append(CheckReport(cell.id, 0.5, 1.0, status, "Other sizes.", finding))
    trace = new_output("error", ename="E", evalue="x", traceback=["\x1b[31mE\x1b[0m: " + "long " * 80])
    picture = new_output("display_data", data={"image/png": PIXEL})
    notebook.cells += [
        new_markdown_cell(HOSTILE),
        new_code_cell("%matplotlib inline\nx = 1 / 0", outputs=[trace, picture]),
    ]
    comments = {"weighted_sum": "Read <b>chapter 4</b> again."}
    report = Report(
        "ada", "05_scorers", "failed", 10.0, 20.0, 1.5, 90_000.0, checks, comments, ["The cell `x` was missing."]
    )
    path = tmp_path_factory.mktemp("feedback") / "05_scorers.html"
    path.write_text(to_page(notebook, report), encoding="utf-8")
    return path.as_uri()


@pytest.fixture(params=SCREENS, ids=NAMES)
def page(request: pytest.FixtureRequest, browser: Browser, address: str) -> Iterator[Page]:
    dark, phone = request.param
    context = browser.new_context(viewport=PHONE if phone else DESKTOP, color_scheme="dark" if dark else "light")
    page = context.new_page()
    page.asked, page.said = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("console", lambda message: page.said.append(message.text))
    page.goto(address)
    yield page
    context.close()


def test_it_asks_nobody_and_nothing_complains(page: Page, address: str) -> None:
    assert [url for url in page.asked if url != address and not url.startswith("data:image/")] == []
    assert page.said == []


def test_nothing_of_the_learner_runs(page: Page) -> None:
    assert page.title().startswith("05_scorers: 8.5 of 20 points")


def test_a_script_that_got_in_would_not_run(browser: Browser, address: str, tmp_path: Path) -> None:
    text = (Path(address.removeprefix("file://"))).read_text(encoding="utf-8")
    evil = '<script>document.title = "changed"</script><body onload="document.title = 1">'
    (tmp_path / "evil.html").write_text(text.replace("<body>", evil), encoding="utf-8")
    page = browser.new_page()
    page.goto((tmp_path / "evil.html").as_uri())
    assert page.title().startswith("05_scorers")
    page.close()


def test_it_does_not_scroll_sideways(page: Page) -> None:
    assert page.evaluate("() => document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_axe_finds_nothing(browser: Browser, address: str) -> None:
    for dark, phone in SCREENS:
        context = browser.new_context(
            viewport=PHONE if phone else DESKTOP, color_scheme="dark" if dark else "light", bypass_csp=True
        )
        page = context.new_page()
        page.goto(address)
        assert violations(page, ("minor", "moderate", "serious", "critical")) == []
        context.close()


def test_formulas_are_drawn(page: Page) -> None:
    heights = page.evaluate(
        "() => [...document.querySelectorAll('math')].map(one => one.getBoundingClientRect().height)"
    )
    assert len(heights) > 10
    assert min(heights) > 5


def test_links_of_the_table_lead_to_their_checks(page: Page) -> None:
    targets = page.evaluate("() => [...document.querySelectorAll('.checks a')].map(one => one.hash.slice(1))")
    assert len(targets) == 20
    assert page.evaluate("ids => ids.filter(id => !document.getElementById(id))", targets) == []


def test_every_text_has_a_colour_of_the_scheme(page: Page) -> None:
    background = page.evaluate("() => getComputedStyle(document.body).backgroundColor")
    dark = page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches")
    brightness = sum(map(int, re.findall(r"\d+", background)[:3])) / 3
    assert (brightness < 60) == dark

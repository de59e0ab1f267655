"""The class report in a real browser: whole, readable on a phone and in the dark, asking nobody for anything."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from visits import DESKTOP, PHONE, Visit, violations

from autograder.finding import Finding
from autograder.judging.store import Provenance
from autograder.records.verdict import CheckVerdict, Verdict
from autograder.report.class_page import page
from autograder.report.classwork import Classwork, Score, Work
from autograder.report.findings import findings

CHECKS = ("weighted_sum_visible", "weighted_sum_hidden", "a_check_with_quite_a_long_name_visible", "against_the_others")
WHY = Finding(
    "t",
    "",
    "axis",
    "scores",
    "3 at [1]",
    "4",
    "`<script>alert(1)</script>` runs over the axis `batch`, not the keys",
    "values",
)


def work(number: int) -> Work:
    """One of a class whose last check is passed by those who fail the others."""
    good = number % 3 > 0
    points = [1.0, float(good), 0.5 if number % 5 == 0 else 1.0, float(not good)]
    checks = [
        CheckVerdict(name, got, 1.0, "passed" if got == 1 else "failed", Finding() if got == 1 else WHY)
        for name, got in zip(CHECKS, points, strict=True)
    ]
    status = "tampered" if number == 7 else "failed"
    verdict = Verdict(status, 1, checks, [], ["The file began with a byte order mark; it was left out."])
    name = f"student-with-a-very-long-name-that-goes-on-{number}@university.example.org"
    return Work(name, verdict, Provenance(seconds=0.1 * number + 0.1), Score(sum(points), 4, sum(points), 0, False))


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("report")
    found = findings(Classwork("05_scorers", tuple(work(number) for number in range(24)), ("max",)))
    (folder / "report.html").write_text(page(found, folder), encoding="utf-8")
    return folder / "report.html"


@pytest.fixture(scope="module")
def open_report(browser: Browser, report: Path) -> Iterator[Callable[..., Visit]]:
    contexts = []

    def open_report(dark: bool = False, phone: bool = False) -> Visit:
        scheme = "dark" if dark else "light"
        contexts.append(browser.new_context(viewport=PHONE if phone else DESKTOP, color_scheme=scheme, bypass_csp=True))
        visit = Visit(contexts[-1].new_page())
        visit.load(report.as_uri())
        visit.page.evaluate("() => document.querySelectorAll('details').forEach(one => one.open = true)")
        return visit

    yield open_report
    for context in contexts:
        context.close()


def test_its_own_rules_forbid_nothing_that_it_needs(browser, report):
    """The other tests switch the page's security policy off, so that they may look into it."""
    context = browser.new_context()
    visit = Visit(context.new_page())
    visit.page.on("console", visit.hear)
    visit.page.on("request", lambda request: visit.addresses.append(request.url))
    visit.page.goto(report.as_uri())
    seen = visit.complaints, [address for address in visit.addresses if not address.startswith(("file:", "data:"))]
    context.close()
    assert seen == ([], [])


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_axe_finds_nothing_serious(open_report, dark, phone):
    page = open_report(dark, phone).page
    assert violations(page) == []


def test_a_phone_does_not_scroll_sideways(open_report):
    assert open_report(phone=True).page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"]


def test_figures_change_with_light_and_dark(open_report):
    colour = "() => getComputedStyle(document.querySelector('figure svg text')).fill"
    assert open_report().page.evaluate(colour) != open_report(dark=True).page.evaluate(colour)


def test_type_in_figures_can_be_read_on_a_phone(open_report):
    sizes = open_report(phone=True).page.evaluate(
        "() => [...document.querySelectorAll('figure svg text')].map(text => text.getBoundingClientRect().height)"
    )
    assert min(sizes) >= 9

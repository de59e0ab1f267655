"""nbgrader's formgrader on this course: its autograde button goes our way, and its pages agree with our verdicts."""

import json
import os
import shutil
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import nbformat
import pytest
import small_course
from jupyter_servers import TOKEN, running
from nbformat.v4 import new_code_cell, new_markdown_cell
from playwright.sync_api import Page
from visits import PATIENCE, ROOT, NewPage

from autograder.report.classwork import classwork

pytestmark = pytest.mark.sandbox

NAME, STUDENT = small_course.NAME, "eve"
HONEST, ALL = 2, 4.5  # what the work gets, with and without the attack before it, and what is to be had

ATTACK = """
import os, pathlib
for place in ("/", os.getcwd(), os.path.expanduser("~"), "/tmp", {course!r}):
    try:
        pathlib.Path(place, "pwned.txt").write_text("by a learner")
    except OSError:
        pass
print("the attack ran")
"""

# Run in the instructor's browser, any of these could open a terminal on the instructor's machine.
SCRIPTS = """
<script>window.reached = "script"</script>
<img src="nothing" onerror="window.reached = 'onerror'">
<svg onload="window.reached = 'svg'"></svg>
<a id="trap" href="javascript:window.reached = 'link'">read me</a>
<iframe srcdoc="<script>parent.reached = 'iframe'</script>"></iframe>
<style>body { display: none }</style>

The formula $a_{t} = 1$ and *my* answer.
"""


def make_course(root: Path, course: Path, notebook: str) -> None:
    shutil.copytree(course, root, symlinks=True)
    shutil.copy(ROOT / "nbgrader_config.py", root)
    (root / "submitted" / STUDENT / NAME).mkdir(parents=True)
    (root / "submitted" / STUDENT / NAME / f"{NAME}.ipynb").write_text(notebook, encoding="utf-8")


def serve(course: Path, home: Path) -> Iterator[str]:
    home.mkdir()
    with running("jupyter_server", course, home, JUPYTER_PREFER_ENV_PATH="1", PATH=os.defpath) as address:
        yield f"{address}/formgrader"  # whose environment is not activated


def test_what_the_button_asks_for_is_graded_our_way(course: Path, solved: str, tmp_path: Path):
    root = tmp_path / "course"
    make_course(root, course, solved)
    for address in serve(root, tmp_path / "home"):
        button = f"{address}/api/submission/{NAME}/{STUDENT}/autograde"
        request = urllib.request.Request(button, method="POST", headers={"Authorization": f"token {TOKEN}"})
        answer = json.load(urllib.request.urlopen(request))
    assert answer["success"], answer
    assert scores(root) == (ALL, ALL, ALL)


@pytest.fixture
def attacked(course: Path, solved: str, tmp_path: Path) -> Path:
    """Its one submission attacks before it answers, in part wrongly, and its text is hostile."""
    root = tmp_path / "course"
    notebook = nbformat.reads(solved.replace("self.project(x) / 2", "self.project(x) / 3"), as_version=4)
    notebook.cells[1:1] = [new_code_cell(ATTACK.format(course=str(root))), new_markdown_cell(SCRIPTS)]
    make_course(root, course, nbformat.writes(notebook))
    return root


@pytest.mark.long("JupyterLab")
def test_an_attack_gets_what_the_work_gets_nothing_of_a_learner_runs_and_a_score_given_by_hand_stays(
    new_page: NewPage, attacked: Path, tmp_path: Path
):
    page = new_page(extra_http_headers={"Authorization": f"token {TOKEN}"})
    page.set_default_timeout(PATIENCE)
    for address in serve(attacked, tmp_path / "home"):
        prefix = address.removesuffix("formgrader")
        page.route(lambda asked, prefix=prefix: not asked.startswith(prefix), lambda route: route.abort())
        assert f"Successfully autograded '{NAME}' for student '{STUDENT}'" in press(page, address, "autograde")
        assert_the_attack_ran_wrote_nothing_and_got_nothing(attacked)
        page.goto(f"{address}/gradebook/{NAME}/{NAME}")
        page.click("table tbody tr a")
        page.wait_for_selector("input.score[placeholder]", state="attached")  # scores are set once it listens
        assert_the_page_shows_points_messages_and_formulas_and_runs_nothing_of_a_learner(page)
        box = page.wait_for_selector("input.score[id='halver_right'][placeholder='0']")
        box.fill("0.5")
        with page.expect_response(lambda answer: "/api/grade/" in answer.url and answer.request.method == "PUT"):
            box.press("Tab")
        page.goto(f"{address}/manage_submissions/{NAME}")
        page.wait_for_selector(f"tr:has-text('{STUDENT}')")
        assert f"{HONEST + 0.5} / {ALL}" in page.inner_text(f"tr:has-text('{STUDENT}')")
        assert scores(attacked) == (HONEST + 0.5, HONEST, ALL)
        assert "Success" in press(page, address, "generate-feedback")
        feedback = (attacked / "grades" / "feedback" / STUDENT / NAME / f"{NAME}.html").read_text(encoding="utf-8")
        assert f"{HONEST + 0.5}" in feedback
        assert "BEGIN HIDDEN" not in feedback
        assert "Success" in press(page, address, "autograde")
        assert scores(attacked) == (HONEST + 0.5, HONEST, ALL), "a second press grades otherwise"


def press(page: Page, address: str, button: str) -> str:
    """Presses a button in the student's line of "Manage Submissions"; returns what the dialog then says."""
    page.goto(f"{address}/manage_submissions/{NAME}")
    page.click(f"tr:has-text('{STUDENT}') .{button} a")
    page.wait_for_selector(".modal-dialog:visible")
    words = page.inner_text(".modal-dialog:visible")
    page.click(".modal-dialog:visible button:has-text('OK')")
    page.wait_for_selector(".modal-dialog", state="hidden")
    return " ".join(words.split())


def scores(course: Path) -> tuple[float, float, float]:
    """Of the one submission: with what was given by hand, without, and the most that can be had."""
    (work,) = classwork(course / "grades", NAME).works
    return work.score.score, work.score.automatic, work.score.max_score


def assert_the_attack_ran_wrote_nothing_and_got_nothing(course: Path) -> None:
    assert scores(course) == (HONEST, HONEST, ALL)
    notebook = nbformat.read(course / "grades" / "autograded" / STUDENT / NAME / f"{NAME}.ipynb", as_version=4)
    outputs = [output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])]
    assert "the attack ran" in [line.strip() for text in outputs for line in text.splitlines()]
    assert list(course.parent.rglob("pwned.txt")) == []
    assert not any(Path(place, "pwned.txt").exists() for place in ("/", "/tmp"))
    assert [path.name for path in (course / "submitted").rglob("*") if path.is_file()] == [f"{NAME}.ipynb"]
    assert (course / "seq2seq" / "small.py").read_text(encoding="utf-8") == small_course.LIBRARY


def assert_the_page_shows_points_messages_and_formulas_and_runs_nothing_of_a_learner(page: Page) -> None:
    text = page.inner_text("body")
    assert f"{HONEST} of {ALL} points." in text
    assert "Halver: not half." in text
    assert len(page.query_selector_all("input.score")) == 3
    assert page.locator("math msub").count() > 0, "formulas need another host"
    page.evaluate("() => [...document.links].find(link => link.text === 'read me')?.click()")
    page.evaluate("() => new Promise(done => setTimeout(done))")  # what was clicked has run
    assert page.evaluate("() => window.reached") is None
    assert page.is_visible("text=answer.")

"""nbgrader's formgrader on this course: its autograde button goes our way, and its pages agree with our verdicts."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from autograder.report.classwork import classwork

pytestmark = pytest.mark.sandbox

ROOT = Path(__file__).resolve().parents[2]
NAME, STUDENT, TOKEN = "00_attention", "eve", "of-this-test"
HONEST = 16  # what Fatima's work gets, with and without the attack before it

ATTACK = """
import os, pathlib, torch
for place in ("/", os.getcwd(), os.path.expanduser("~"), "/tmp", {course!r}):
    try:
        pathlib.Path(place, "pwned.txt").write_text("by a learner")
    except OSError:
        pass
torch.allclose = torch.equal = lambda *arguments, **options: True
torch.testing.assert_close = lambda *arguments, **options: None
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


def make_course(root: Path) -> Path:
    """A course of its own with one submission, which attacks before it answers."""
    skip = shutil.ignore_patterns("__pycache__", "experiments")
    for folder in ("autograder", "seq2seq"):
        shutil.copytree(ROOT / folder, root / folder, ignore=skip)
    (root / "solutions").mkdir()
    shutil.copy(ROOT / "sample_class" / "solutions" / f"{NAME}.py", root / "solutions")
    shutil.copy(ROOT / "nbgrader_config.py", root)
    build = [sys.executable, "-m", "autograder", "build", "--root", str(root)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    text = (ROOT / "sample_class" / "submitted" / "fatima" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    notebook = json.loads(text)
    attack = {"cell_type": "code", "id": "attack", "metadata": {}, "outputs": [], "execution_count": None}
    notebook["cells"].insert(2, {**attack, "source": ATTACK.format(course=str(root))})
    notebook["cells"].insert(3, {"cell_type": "markdown", "id": "scripts", "metadata": {}, "source": SCRIPTS})
    path = root / "submitted" / STUDENT / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_course(tmp_path_factory.mktemp("formgrader") / "course")


@pytest.fixture(scope="module")
def formgrader(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a Jupyter server in the course's folder."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    home = tmp_path_factory.mktemp("home")
    options = [f"--ServerApp.port={port}", "--ServerApp.port_retries=0", "--ServerApp.ip=127.0.0.1", "--allow-root"]
    log = home / "log"
    with log.open("w") as file:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyter", "server", *options, f"--IdentityProvider.token={TOKEN}"],
            cwd=course,
            stdout=file,
            stderr=file,
            env={**os.environ, "HOME": str(home), "JUPYTER_PREFER_ENV_PATH": "1", "PATH": os.defpath},  # not activated
        )
        try:
            end = time.monotonic() + 90
            while "is running at" not in log.read_text():
                assert server.poll() is None, log.read_text()
                assert time.monotonic() < end, log.read_text()
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}/formgrader"
        finally:
            server.terminate()
            server.wait(timeout=20)


@pytest.fixture(scope="module")
def page(browser: Browser, formgrader: str) -> Iterator[Page]:
    context = browser.new_context(extra_http_headers={"Authorization": f"token {TOKEN}"})
    page = context.new_page()
    page.set_default_timeout(120_000)
    page.route(lambda address: not address.startswith(formgrader.removesuffix("formgrader")), lambda r: r.abort())
    yield page
    context.close()


@pytest.fixture(scope="module")
def press(page: Page, formgrader: str) -> Callable[[str], str]:
    """Presses a button in the student's line of "Manage Submissions"; returns what the dialog then says."""

    def press(button: str) -> str:
        page.goto(f"{formgrader}/manage_submissions/{NAME}")
        page.click(f"tr:has-text('{STUDENT}') .{button} a")
        page.wait_for_selector(".modal-dialog:visible")
        said = page.inner_text(".modal-dialog:visible")
        page.click(".modal-dialog:visible button:has-text('OK')")
        page.wait_for_selector(".modal-dialog", state="hidden")
        return said

    return press


def files(course: Path) -> set[str]:
    """All that lies in the course, but for what grading writes into its own folder, and compiled modules."""
    found = (path.relative_to(course) for path in course.rglob("*") if path.is_file())
    return {str(path) for path in found if path.parts[0] != "grades" and "__pycache__" not in path.parts}


@pytest.fixture(scope="module")
def graded(course: Path, press: Callable[[str], str]) -> str:
    """What the dialog said after the autograde button was pressed."""
    return press("autograde")


@pytest.fixture(scope="module")
def changed(graded: str, page: Page, formgrader: str) -> str:
    """A check that had no points is given half a point by hand; returns its name."""
    check = "scaled_dot_scorer_visible"
    page.goto(f"{formgrader}/gradebook/{NAME}/{NAME}")
    page.click("table tbody tr a")
    box = page.wait_for_selector(f"input.score[id='{check}'][placeholder='0']")  # set once the page listens
    box.fill("0.5")
    with page.expect_response(lambda response: "/api/grade/" in response.url and response.request.method == "PUT"):
        box.press("Tab")
    return check


def test_the_button_says_that_it_graded(graded):
    assert f"Successfully autograded '{NAME}' for student '{STUDENT}'" in " ".join(graded.split())


def test_the_attack_gets_what_the_work_gets_without_it(graded, course):
    (work,) = classwork(course / "grades", NAME).works
    assert (work.score.automatic, work.score.max_score) == (HONEST, 20)


def test_the_attack_ran_and_wrote_nothing(graded, course):
    notebook = (course / "grades" / "autograded" / STUDENT / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert "the attack ran" in [line.strip() for cell in json.loads(notebook)["cells"] for line in said(cell)]
    assert list(course.parent.rglob("pwned.txt")) == []
    assert not Path("/pwned.txt").exists()
    assert not Path("/tmp/pwned.txt").exists()


def said(cell):
    outputs = [output.get("text", "") for output in cell.get("outputs", [])]
    return "".join("".join(text) if isinstance(text, list) else text for text in outputs).splitlines()


def test_the_submission_and_the_course_are_left_alone(graded, course):
    assert {name for name in files(course) if name.startswith("submitted/")} == {
        f"submitted/{STUDENT}/{NAME}/{NAME}.ipynb"
    }
    for path in (course / "seq2seq").rglob("*.py"):
        assert path.read_bytes() == (ROOT / path.relative_to(course)).read_bytes()


def test_the_page_shows_points_and_messages(graded, page, formgrader):
    page.goto(f"{formgrader}/gradebook/{NAME}/{NAME}")
    page.click("table tbody tr a")
    page.wait_for_selector("input.score")
    text = page.inner_text("body")
    assert f"{HONEST} of 20 points." in text
    assert "these are divided by the size itself, perhaps by the root twice" in text
    assert len(page.query_selector_all("input.score")) == 20


def test_what_a_learner_wrote_runs_nothing_in_the_instructors_browser(graded, page, formgrader):
    page.goto(f"{formgrader}/gradebook/{NAME}/{NAME}")
    page.click("table tbody tr a")
    page.wait_for_selector("input.score[placeholder]", state="attached")
    page.evaluate("() => [...document.links].find(link => link.text === 'read me')?.click()")
    page.wait_for_timeout(300)
    assert page.evaluate("() => window.reached") is None
    assert page.is_visible("text=answer.")


def test_formulas_need_no_other_host(graded, page, formgrader):
    page.goto(f"{formgrader}/gradebook/{NAME}/{NAME}")
    page.click("table tbody tr a")
    page.wait_for_selector("input.score", state="attached")
    assert page.locator("math msub").count() > 0


def test_a_score_given_by_hand_is_on_every_page(changed, course, page, formgrader):
    page.goto(f"{formgrader}/manage_submissions/{NAME}")
    page.wait_for_selector(f"tr:has-text('{STUDENT}')")
    assert f"{HONEST + 0.5} / 20" in page.inner_text(f"tr:has-text('{STUDENT}')")
    (work,) = classwork(course / "grades", NAME).works
    assert (work.score.score, work.score.automatic) == (HONEST + 0.5, HONEST)


def test_feedback_has_the_score_given_by_hand(changed, press, course):
    assert "Success" in press("generate-feedback")
    text = (course / "grades" / "feedback" / STUDENT / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert f"{HONEST + 0.5}" in text
    assert "BEGIN HIDDEN" not in text


def test_a_second_press_grades_alike_and_keeps_the_hand_given_score(changed, press, course):
    assert "Success" in press("autograde")
    (work,) = classwork(course / "grades", NAME).works
    assert (work.score.score, work.score.automatic) == (HONEST + 0.5, HONEST)

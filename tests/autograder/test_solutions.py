"""Every assignment through the real judge: what the instructor wrote earns all points, what learners receive none."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.authoring.assignment import is_check, is_solution, is_written_answer, load, minutes
from autograder.judging.judge import RetryingJudge
from autograder.submissions.submission import Submission

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.catalogue.lesson import lesson, names  # noqa: E402

SEED = 20260731
SECONDS = 30  # of one core, for a notebook from top to bottom
GAVE_UP = re.compile(
    r"\(\w*(?:Error|Exception|Warning)\)"
)  # what a cell that shows one's own result says when it fails

# The cells under IPython, as "Run all" does; the last line of what it prints is the time that this took.
PLAY = """
import json, sys, time
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
start = time.process_time()
for source in json.load(sys.stdin):
    shell.run_cell(source).raise_error()
print()
print(time.process_time() - start)
"""


@pytest.fixture(scope="module", params=names())
def name(request):
    return request.param


@pytest.fixture(scope="module")
def assignment(name):
    return load(ROOT, name)


@pytest.fixture(scope="module")
def release(name):
    return (ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def grade(assignment):
    """Judges a notebook's text in one judge for all of them."""
    with RetryingJudge(assignment, ROOT) as judge:
        yield lambda text: judge.verdict(Submission.read(text.encode(), assignment), SEED)


@pytest.mark.sandbox
def test_the_instructors_notebook_earns_every_point(grade, assignment):
    verdict = grade(assignment.text)
    assert {check.cell: check.message for check in verdict.checks if check.status != "passed"} == {}
    assert [cell.cell for cell in verdict.cells if cell.status != "ok"] == []
    assert (verdict.status, verdict.points) == ("ok", sum(assignment.checks.values()))
    shown = json.dumps([cell.outputs for cell in verdict.cells])
    assert not GAVE_UP.search(shown), shown


@pytest.mark.sandbox
def test_the_exercise_as_released_earns_nothing_and_says_what_to_write(grade, assignment, release):
    verdict = grade(release)
    assert verdict.points == 0
    assert {check.cell for check in verdict.checks} == set(assignment.checks)
    for check in verdict.checks:
        assert "not written yet" in check.message, check
    others = [cell for cell in verdict.cells if cell.cell not in assignment.checks]
    assert [(cell.cell, cell.outputs) for cell in others if cell.status != "ok"] == []


@pytest.mark.sandbox
def test_a_task_left_out_costs_no_other_task(grade, name, assignment):
    own = lesson(name)
    answers = {task: own.called(task, "visible")[2] for task in own.tasks}
    for task in own.tasks:
        notebook = json.loads(assignment.text)
        (cell,) = [cell for cell in notebook["cells"] if cell["id"] == task]
        cell["source"] = own.blank(task)
        lost = {check.cell for check in grade(json.dumps(notebook)).checks if check.status != "passed"}
        name = answers[task][0]
        takes_it = {other for other in own.tasks if re.search(rf"\b{name}\b", assignment.cells[other].source)}
        assert {f"{task}_visible", f"{task}_hidden"} <= lost
        assert lost <= {f"{other}_{which}" for other in takes_it for which in ("visible", "hidden")}, task


def test_the_instructors_notebook_runs_from_top_to_bottom(assignment):
    cells = [cell.source for cell in assignment.notebook.cells if cell.cell_type == "code"]
    run = subprocess.run(
        [sys.executable, "-c", PLAY], input=json.dumps(cells), capture_output=True, text=True, cwd=ROOT
    )
    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    *printed, seconds = run.stdout.splitlines()
    assert not GAVE_UP.search("\n".join(printed)), printed
    assert float(seconds) < SECONDS


def test_an_assignment_has_ten_to_thirty_five_points(assignment):
    points = [cell.metadata.nbgrader["points"] for cell in assignment.cells.values() if cell.metadata.nbgrader["grade"]]
    assert 10 <= sum(points) <= 35


def test_every_answer_has_a_visible_and_a_hidden_check(assignment):
    answers = [name for name, cell in assignment.cells.items() if is_solution(cell) and not is_written_answer(cell)]
    checks = [name for name, cell in assignment.cells.items() if is_check(cell)]
    assert sorted(checks) == sorted(f"{name}_{which}" for name in answers for which in ("visible", "hidden"))


def test_of_a_hidden_check_learners_see_only_what_it_tries(assignment, release):
    cells = {cell["id"]: "".join(cell["source"]) for cell in json.loads(release)["cells"]}
    for name, cell in assignment.cells.items():
        hidden = is_check(cell) and "BEGIN HIDDEN TESTS" in cell.source
        assert hidden == (is_check(cell) and name.endswith("_hidden"))
        if hidden:
            assert cells[name].strip(), f"{name} does not say what is tried"
            assert all(line.startswith("#") for line in cells[name].splitlines())
            assert f"check_{name}" not in release


def test_the_time_stated_is_the_time_of_its_length(assignment):
    stated = re.search(r"\*\*Time:\*\* (\d+) minutes", "\n".join(cell.source for cell in assignment.notebook.cells))
    assert stated is not None
    assert int(stated[1]) == minutes(assignment)

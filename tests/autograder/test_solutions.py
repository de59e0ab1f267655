"""Every exercise: what the instructor wrote earns all points, what learners receive none, and no answer is in it."""

import ast
import json
import re
import subprocess
import sys

import nbformat
import pytest

from autograder.authoring import build, script
from autograder.authoring.assignment import is_check, is_solution, is_written_answer, load, minutes, released
from autograder.judging.judge import Judge
from autograder.settings import TEXT_STUB
from autograder.submissions.submission import Submission
from tests.catalogue.lesson import ROOT, lesson

NAMES = [path.stem for path in script.scripts(ROOT)]
SEED = 20260731
SECONDS = 30  # of one core, for a notebook from top to bottom
GAVE_UP = re.compile(r"\(\w*(?:Error|Exception|Warning)\)")  # of a cell that shows one's own result, when it fails

# The cells of each notebook under IPython, as "Run all" does, in a process forked from one that has imported much; the
# last line of what a notebook prints is its name, whether it got to its end, and the time that this took.
PLAY = """
import json, os, sys, time
import torch, autograder.checking.checker
from IPython.core.interactiveshell import InteractiveShell
for name, cells in json.load(sys.stdin).items():
    sys.stdout.flush()
    if os.fork() == 0:
        shell = InteractiveShell.instance(colors="nocolor")
        done = all(shell.run_cell(source).success for source in cells)
        print(f"\\n{name} {done} {time.process_time()}", flush=True)
        os._exit(0)
    os.wait()
"""


@pytest.fixture(scope="module", params=NAMES)
def name(request):
    return request.param


@pytest.fixture(scope="module")
def assignment(name):
    return load(ROOT, name)


@pytest.fixture(scope="module")
def release(name):
    return (ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def judge():
    """One judge for all exercises."""
    with Judge(tuple(dict.fromkeys(path for name in NAMES for path in load(ROOT, name).given)), ROOT) as judge:
        yield judge


@pytest.fixture
def grade(judge, assignment):
    """Judges a notebook's text."""
    return lambda text: judge.run(Submission.read(text.encode(), assignment).job(SEED))


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


def lost_elsewhere(grade, assignment, task):
    """The checks of other tasks that are lost, though no answer takes the task's, where the task is left blank."""
    own = lesson(assignment.name)
    notebook = json.loads(assignment.text)
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == task]
    cell["source"] = own.blank(task)
    lost = {check.cell for check in grade(json.dumps(notebook)).checks if check.status != "passed"}
    answer = own.called(task, "visible")[2][0]
    takes_it = {other for other in own.tasks if re.search(rf"\b{answer}\b", assignment.cells[other].source)}
    assert {f"{task}_visible", f"{task}_hidden"} <= lost
    return lost - {f"{other}_{which}" for other in takes_it for which in ("visible", "hidden")}


@pytest.mark.sandbox
def test_the_first_task_left_out_costs_no_other_task(grade, assignment):
    assert lost_elsewhere(grade, assignment, lesson(assignment.name).tasks[0]) == set()


@pytest.mark.sandbox
@pytest.mark.long("every way to grade")
def test_a_task_left_out_costs_no_other_task(grade, assignment):
    assert {
        task: lost for task in lesson(assignment.name).tasks if (lost := lost_elsewhere(grade, assignment, task))
    } == {}


def test_the_instructors_notebooks_run_from_top_to_bottom():
    cells = {}
    for name in NAMES:
        cells[name] = [cell.source for cell in load(ROOT, name).notebook.cells if cell.cell_type == "code"]
    run = subprocess.run(
        [sys.executable, "-c", PLAY], input=json.dumps(cells), capture_output=True, text=True, cwd=ROOT
    )
    printed, missed = run.stdout, []
    for name in NAMES:
        shown, end, printed = printed.partition(f"\n{name} True ")
        seconds, _, printed = printed.partition("\n")
        if not end or GAVE_UP.search(shown) or float(seconds) > SECONDS:
            missed.append(f"{name}: {seconds} s, {shown[-2000:]}")
    assert missed == [], run.stderr[-2000:]


def test_an_assignment_has_its_points_its_checks_and_the_time_of_its_length(assignment):
    settings = {name: cell.metadata.nbgrader for name, cell in assignment.cells.items()}
    assert 10 <= sum(one["points"] for one in settings.values() if one["grade"]) <= 35
    cells = assignment.cells.items()
    answers = [name for name, cell in cells if is_solution(cell) and not is_written_answer(cell)]
    checks = [name for name, cell in cells if is_check(cell)]
    assert sorted(checks) == sorted(f"{name}_{which}" for name in answers for which in ("visible", "hidden"))
    stated = re.search(r"\*\*Time:\*\* (\d+) minutes", "\n".join(cell.source for cell in assignment.notebook.cells))
    assert stated is not None
    assert int(stated[1]) == minutes(assignment)


SECRETS = ["BEGIN SOLUTION", "HIDDEN TESTS", "**Model answer.**", "**Rubric.**", str(ROOT), "solutions/", "tests/"]
SECRETS += ['"given"', "checks_hidden"]


def test_the_exercise_has_our_blank_cells_and_no_answer_hidden_test_marker_or_path(assignment, release):
    assert [word for word in SECRETS if word in release] == []
    cells = nbformat.reads(release, as_version=4).cells
    assert [released(cell) for cell in assignment.notebook.cells] == [cell.source for cell in cells]
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "markdown":
            assert cell.source == TEXT_STUB
        elif cell.metadata.get("nbgrader", {}).get("solution"):
            ast.parse(cell.source)
            assert 'raise NotImplementedError("not written yet")' in cell.source
    sources, by_id = "\n".join(cell.source for cell in cells if cell.cell_type == "code"), {c.id: c for c in cells}
    for name, cell in assignment.cells.items():
        for body in re.findall(r"BEGIN SOLUTION\n(.*?)\n *### END SOLUTION", cell.source, flags=re.DOTALL):
            assert body.strip() not in sources
        for hidden in re.findall(r"BEGIN HIDDEN TESTS\n(.*?)\n### END HIDDEN", cell.source, flags=re.DOTALL):
            assert hidden.strip() not in sources
        hidden = is_check(cell) and "BEGIN HIDDEN TESTS" in cell.source
        assert hidden == (is_check(cell) and name.endswith("_hidden"))
        if hidden:  # learners see only what it tries
            assert by_id[name].source.strip(), f"{name} does not say what is tried"
            assert all(line.startswith("#") for line in by_id[name].source.splitlines())
            assert f"check_{name}" not in release


def test_the_exercises_are_what_the_scripts_make_of_them_now_and_nothing_else():
    assert build.stale(ROOT) == []
    files = [path for path in (ROOT / "exercises").glob("*/*") if path.is_file()]
    assert {path.stem for path in files} == set(NAMES)
    assert {path.suffix for path in files} == {".ipynb"}

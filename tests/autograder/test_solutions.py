"""Every exercise: what the instructor wrote earns all points, what learners receive none, and no answer is in it."""

import ast
import json
import re
import subprocess
import sys

import nbformat
import pytest

from autograder.assignments import build, script
from autograder.assignments.assignment import is_check, is_solution, is_written_answer, minutes, released
from autograder.judging.judge import Judge
from autograder.settings import TEXT_STUB
from autograder.submissions.submission import Submission
from book.prose import Reading
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


each_exercise = pytest.mark.parametrize("name", NAMES)
WHOLE = [pytest.param(name, None, marks=pytest.mark.long("every way to grade")) for name in NAMES]
SECRETS = ["BEGIN SOLUTION", "HIDDEN TESTS", "**Model answer.**", "**Rubric.**", str(ROOT), "solutions/", "tests/"]
SECRETS += ['"given"', "checks_hidden"]


def release(name):
    return (ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def grade():
    """Judges a notebook's text; one judge for all exercises."""
    given = dict.fromkeys(path for name in NAMES for path in lesson(name).assignment.given)
    with Judge(tuple(given), ROOT) as judge:
        yield lambda name, text: judge.run(Submission.read(text.encode(), lesson(name).assignment).job(SEED))


def imported(path):
    """The library's files that a module of it needs to be imported."""
    for node in ast.parse((ROOT / path).read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("seq2seq"):
            for name in [f"{node.module}.{alias.name}" for alias in node.names] + [node.module]:
                if (ROOT / (file := f"{name.replace('.', '/')}.py")).is_file():
                    yield file


@each_exercise
def test_what_an_exercise_is_given_needs_nothing_that_it_is_not_given(name):
    """Below all exercises are judged with what any of them is given."""
    given = set(lesson(name).assignment.given)
    assert {path: rest for path in given if path.endswith(".py") and (rest := {*imported(path)} - given)} == {}


@pytest.mark.sandbox
@each_exercise
def test_the_instructors_notebook_earns_every_point(grade, name):
    assignment = lesson(name).assignment
    verdict = grade(name, assignment.text)
    assert {check.cell: check.message for check in verdict.checks if check.status != "passed"} == {}
    assert [cell.cell for cell in verdict.cells if cell.status != "ok"] == []
    assert (verdict.status, verdict.points) == ("ok", sum(assignment.checks.values()))


@pytest.mark.sandbox
@each_exercise
def test_the_exercise_as_released_earns_nothing_and_says_what_to_write(grade, name):
    verdict, checks = grade(name, release(name)), lesson(name).assignment.checks
    assert verdict.points == 0
    assert {check.cell for check in verdict.checks} == set(checks)
    assert [check for check in verdict.checks if "not written yet" not in check.message] == []
    assert [cell for cell in verdict.cells if cell.cell not in checks and cell.status != "ok"] == []


def lost_elsewhere(grade, name, task):
    """The checks of other tasks that are lost, though no answer takes the task's, where the task is left blank."""
    exercise = lesson(name)
    notebook = json.loads(exercise.assignment.text)
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == task]
    cell["source"] = exercise.blank(task)
    lost = {check.cell for check in grade(name, json.dumps(notebook)).checks if check.status != "passed"}
    answer = re.search(r'\bcheck\(\s*"\w+",\s*(\w+)', exercise.assignment.cells[f"{task}_visible"].source)[1]
    takes_it = {
        other for other in exercise.tasks if re.search(rf"\b{answer}\b", exercise.assignment.cells[other].source)
    }
    assert {f"{task}_visible", f"{task}_hidden"} <= lost
    return lost - {f"{other}_{which}" for other in takes_it for which in ("visible", "hidden")}


@pytest.mark.sandbox
@pytest.mark.parametrize(("name", "count"), [*((name, 1) for name in NAMES[::5]), *WHOLE])
def test_a_task_left_out_costs_no_other_task(grade, name, count):
    lost = {task: lost_elsewhere(grade, name, task) for task in lesson(name).tasks[:count]}
    assert {task: checks for task, checks in lost.items() if checks} == {}


@pytest.mark.parametrize("names", [NAMES[1::5], pytest.param(NAMES, marks=pytest.mark.long("every way to grade"))])
def test_the_instructors_notebooks_run_from_top_to_bottom(names):
    notebooks = {name: lesson(name).assignment.notebook for name in names}
    cells = {name: [cell.source for cell in of.cells if cell.cell_type == "code"] for name, of in notebooks.items()}
    play = [sys.executable, "-c", PLAY]
    run = subprocess.run(play, input=json.dumps(cells), capture_output=True, text=True, cwd=ROOT)
    printed, missed = run.stdout, []
    for name in names:
        shown, end, printed = printed.partition(f"\n{name} True ")
        seconds, _, printed = printed.partition("\n")
        if not end or GAVE_UP.search(shown) or float(seconds) > SECONDS:
            missed.append(f"{name}: {seconds} s, {shown[-2000:]}")
    assert missed == [], run.stderr[-2000:]


@each_exercise
def test_an_assignment_has_its_points_its_checks_and_the_time_of_its_length(name):
    assignment = lesson(name).assignment
    settings = {name: cell.metadata.nbgrader for name, cell in assignment.cells.items()}
    assert 10 <= sum(cell["points"] for cell in settings.values() if cell["grade"]) <= 35
    cells = assignment.cells.items()
    answers = [name for name, cell in cells if is_solution(cell) and not is_written_answer(cell)]
    checks = [name for name, cell in cells if is_check(cell)]
    assert sorted(checks) == sorted(f"{name}_{which}" for name in answers for which in ("visible", "hidden"))
    stated = re.search(r"\*\*Time:\*\* (\d+) minutes", "\n".join(cell.source for cell in assignment.notebook.cells))
    assert stated is not None
    assert int(stated[1]) == minutes(assignment)
    tasks, short = Reading(next((ROOT / "book").glob(f"{name[:2]}_*.md"))).exercise
    assert not tasks or short == minutes(assignment, {int(number) for number in re.findall(r"\d+", tasks)})


@each_exercise
def test_the_exercise_has_our_blank_cells_and_no_answer_hidden_test_marker_or_path(name):
    assignment, text = lesson(name).assignment, release(name)
    assert [word for word in SECRETS if word in text] == []
    cells = nbformat.reads(text, as_version=4).cells
    assert [released(cell) for cell in assignment.notebook.cells] == [cell.source for cell in cells]
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("solution") and cell.cell_type == "markdown":
            assert cell.source == TEXT_STUB
        elif cell.metadata.get("nbgrader", {}).get("solution"):
            ast.parse(cell.source)
            assert 'raise NotImplementedError("not written yet")' in cell.source
    sources = "\n".join(cell.source for cell in cells if cell.cell_type == "code")
    by_id = {cell.id: cell.source for cell in cells}
    for name, cell in assignment.cells.items():
        for body in re.findall(r"BEGIN SOLUTION\n(.*?)\n *### END SOLUTION", cell.source, flags=re.DOTALL):
            assert body.strip() not in sources
        for hidden in re.findall(r"BEGIN HIDDEN TESTS\n(.*?)\n### END HIDDEN", cell.source, flags=re.DOTALL):
            assert hidden.strip() not in sources
        hidden = is_check(cell) and "BEGIN HIDDEN TESTS" in cell.source
        assert hidden == (is_check(cell) and name.endswith("_hidden"))
        if hidden:  # learners see only what it tries
            assert by_id[name].strip(), f"{name} does not say what is tried"
            assert all(line.startswith("#") for line in by_id[name].splitlines())
            assert f"check_{name}" not in text


def test_the_exercises_are_what_the_scripts_make_of_them_now_and_nothing_else():
    assert build.stale(ROOT) == []
    files = [path for path in (ROOT / "exercises").glob("*/*") if path.is_file()]
    assert {path.stem for path in files} == set(NAMES)
    assert {path.suffix for path in files} == {".ipynb"}

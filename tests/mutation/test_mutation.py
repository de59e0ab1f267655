"""No small mistake in an answer gets past the checks, but for those that are argued; and what the mutants are."""

from types import SimpleNamespace

import pytest

from tests.catalogue.lesson import lesson, names
from tests.mutation import trial
from tests.mutation.library import LibraryMutant
from tests.mutation.library_runner import first_failure
from tests.mutation.library_trial import try_all
from tests.mutation.mutants import Mutant, mutants, plain
from tests.mutation.report import FOLDER, Argument, arguments, report
from tests.mutation.trial import BROKE, SURVIVED, verdicts

CELL = '''\
def answer(x: Tensor, mask: Tensor, n: int = 1) -> Tensor:
    """Of 3 things."""
    ### BEGIN SOLUTION
    if n < 0:
        raise ValueError(f"n: got {n}, expected 0 or more")
    rows: list[int] = [x[:, j] for j in range(n)]  # a comment
    return torch.softmax(x.masked_fill(~mask, -2.5), dim=-1) @ rows[0].T
    ### END SOLUTION
'''
RETURN = "return torch.softmax(x.masked_fill(~mask, -2.5), dim=-1) @ rows[0].T"
CHANGES = ["pass", "if n <= 0:", "if n < 1:", "return rows[0].T"]
CHANGES += [f"rows: list[int] = [{item} for j in range(n)]" for item in ("x", "x[:, j + 1]", "x[j, :]")]
CHANGES += [f"rows: list[int] = [x[:, j] for j in range({end})]" for end in ("n - 1", "1, n")]
CHANGES += [
    RETURN.replace(old, new)
    for old, new in [
        *(("dim=-1", "dim=-2"), ("dim=-1", "dim=0"), (", dim=-1", ""), ("~mask", "mask"), ("-2.5", "2.5")),
        *(("-2.5", "-5.0"), ("~mask, -2.5", "-2.5, ~mask"), ("x.masked_fill(~mask, -2.5)", "x")),
        ("softmax", "log_softmax"),
        *(("torch.softmax(x.masked_fill(~mask, -2.5), dim=-1)", "x.masked_fill(~mask, -2.5)"), (".T", "")),
        ("rows[0]", "rows[1]"),
    ]
]
CHANGES += ["return rows[0].T @ torch.softmax(x.masked_fill(~mask, -2.5), dim=-1)"]


def test_the_mistakes_that_people_make_are_among_the_mutants_which_change_one_thing_of_the_body_alone():
    found = mutants(CELL)
    lines = {line[2:] for mutant in found for line in mutant.diff.splitlines() if line.startswith("+ ")}
    assert [change for change in CHANGES if change not in lines] == []
    assert found == mutants(CELL)
    assert len({mutant.source for mutant in found} - {plain(CELL)}) == len(found)
    for mutant in found:
        assert mutant.source.partition("things.")[0] == plain(CELL).partition("things.")[0]
        assert "list[int]" in mutant.source or "+ pass" in mutant.diff
        assert "expected 0 or more" in mutant.source or "+ pass" in mutant.diff


def test_a_change_of_a_guard_alone_knows_it_and_an_argument_about_the_guard_covers_it_alone():
    for line in ("if n < 0:", "if n > 0:"):
        guards = {mutant.guard for mutant in mutants(CELL.replace("if n < 0:", line)) if "+ if" in mutant.diff}
        assert guards == {line}
    argument = Argument("t", "good manners only", guard=line)
    assert [argument.covers(Mutant("", "", guard)) for guard in (line, "")] == [True, False]


def test_a_mutant_that_loops_crashes_or_breaks_the_check_is_told_and_the_next_is_judged(monkeypatch):
    monkeypatch.setattr(trial, "SECONDS", 0.3)
    lesson_of_one = SimpleNamespace(found=lambda task, which, space: [None][space["x"]], space=lambda task: {})
    loop = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    sources = ("x = 0", loop, "x = 0", "import os; os.abort()", "import os; os._exit(0)", "x = 0", "x = 1")
    told = verdicts(lesson_of_one, "", [Mutant(source, "") for source in sources])
    ended = ["the mutant loops", SURVIVED, "the mutant loops", "the mutant ended the process", SURVIVED]
    assert told[:-1] == [SURVIVED, *ended]
    assert told[-1].startswith(f"{BROKE}: the visible check raised IndexError")


def test_a_change_of_lines_or_of_a_file_that_are_gone_is_not_tried(tmp_path):
    (tmp_path / "stays.py").write_text("x = 1\n")
    gone = [LibraryMutant(path, 1, "x = 0\n", "pass\n", "a test") for path in ("stays.py", "gone.py")]
    try_all(tmp_path, gone, [], 1, tell=lambda mutant: None)
    assert [mutant.killed_by for mutant in gone] == [None, None]


def test_a_test_that_has_another_name_now_has_not_failed():
    assert first_failure(["tests/mutation/test_mutation.py::test_by_its_old_name"], 60.0)[0] == ""


def faults(name: str, task: str) -> list[str]:
    result = report(name, task)
    few = [f"{result.name}: few mutants"] if len(result.killed) + len(result.argued) < 5 else []
    return few + [f"{result.name}: {fault}" for fault in result.faults]


@pytest.mark.parametrize("name", names()[::4])
def test_every_mutant_of_the_shortest_answer_is_killed_or_argued_and_every_argument_is_about_a_survivor(name):
    cells = lesson(name).assignment.cells
    shortest = min(lesson(name).tasks, key=lambda task: len(cells[task].source))
    assert faults(name, shortest) == []


@pytest.mark.long("every mutant")
@pytest.mark.parametrize("name", names())
def test_every_mutant_is_killed_or_argued_and_every_argument_is_about_a_survivor(name):
    assert [fault for task in lesson(name).tasks for fault in faults(name, task)] == []


def test_arguments_are_about_tasks_that_there_are():
    assert {path.stem for path in FOLDER.iterdir()} <= set(names())
    for name in names():
        assert {argument.task for argument in arguments(name)} <= set(lesson(name).tasks)

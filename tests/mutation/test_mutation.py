"""No small mistake in an answer gets past the checks, but for those that are argued; and what the mutants are."""

from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import torch

from tests.catalogue.lesson import lesson, names
from tests.mutation import library_trial, trial
from tests.mutation.library import LibraryMutant
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
    all_mutants = mutants(CELL)
    lines = {line[2:] for mutant in all_mutants for line in mutant.diff.splitlines() if line.startswith("+ ")}
    assert [change for change in CHANGES if change not in lines] == []
    assert all_mutants == mutants(CELL)
    assert len({mutant.source for mutant in all_mutants} - {plain(CELL)}) == len(all_mutants)
    for mutant in all_mutants:
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
    lesson_of_one = SimpleNamespace(finding=lambda task, which, space: [None][space["x"]], space=lambda task: {})
    loop = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    sources = ("x = 0", loop, "x = 0", "import os; os.abort()", "import os; os._exit(0)", "x = 0", "x = 1")
    told = verdicts(lesson_of_one, "", [Mutant(source, "") for source in sources])
    ended = ["the mutant loops", SURVIVED, "the mutant loops", "the mutant ended the process", SURVIVED]
    assert told[:-1] == [SURVIVED, *ended]
    assert told[-1].startswith(f"{BROKE}: the visible check raised IndexError")


def test_a_change_is_tried_where_it_stands_by_tests_as_they_are_called_now(tmp_path, monkeypatch):
    path, old, before = "seq2seq/sums.py", "    return 1 + 1\n", "tests/seq2seq/test_sums.py::test_two"
    now = f"{before}_is_even"

    def first_failure(arguments, *_):  # like pytest's: an unknown name is an error, and --deselect takes a prefix
        if before in arguments:
            return before, 0.0
        deselected = any(now.startswith(argument.removeprefix("--deselect=")) for argument in arguments[:-1])
        return ("" if deselected or old in (tmp_path / path).read_text() else now), 0.0

    copy = SimpleNamespace(root=tmp_path, first_failure=first_failure, process=Mock())
    monkeypatch.setattr(library_trial, "Copy", lambda root, folder: copy)
    (tmp_path / path).parent.mkdir()
    (tmp_path / path).write_text(f"def two():\n{old}")
    (tmp_path / "tests/seq2seq").mkdir(parents=True)
    (tmp_path / "tests/seq2seq/test_sums.py").touch()
    where = [(path, old), (path, "    return 2\n"), ("seq2seq/gone.py", old)]
    changes = [LibraryMutant(path, 2, lines, "    return 1 + 2\n", before) for path, lines in where]
    library_trial.try_all(tmp_path, changes, [], 1, tell=lambda change: None)
    assert [change.killed_by for change in changes] == [now, None, None]


def faults(name: str, task: str) -> list[str]:
    result = report(name, task)
    few = [f"{result.name}: few mutants"] if len(result.killed) + len(result.argued) < 5 else []
    return few + [f"{result.name}: {fault}" for fault in result.faults]


@pytest.fixture(scope="module")
def faults_of():
    """By a process of its own: one that has run a backward pass, as this one has, forks none that can run another."""
    torch.ones(1, requires_grad=True).backward()
    with ProcessPoolExecutor(1, get_context("spawn")) as process:
        yield lambda name, task: process.submit(faults, name, task).result()


@pytest.mark.parametrize("name", names()[::4])
def test_every_mutant_of_the_shortest_answer_is_killed_or_argued_and_every_argument_is_about_a_survivor(
    faults_of, name
):
    cells = lesson(name).assignment.cells
    shortest = min(lesson(name).tasks, key=lambda task: len(cells[task].source))
    assert faults_of(name, shortest) == []


@pytest.mark.long("every mutant")
@pytest.mark.parametrize("name", names())
def test_every_mutant_is_killed_or_argued_and_every_argument_is_about_a_survivor(faults_of, name):
    assert [fault for task in lesson(name).tasks for fault in faults_of(name, task)] == []


def test_arguments_are_about_tasks_that_there_are():
    assert {path.stem for path in FOLDER.iterdir()} <= set(names())
    for name in names():
        assert {argument.task for argument in arguments(name)} <= set(lesson(name).tasks)

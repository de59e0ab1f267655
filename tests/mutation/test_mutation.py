"""No small mistake in an answer of the library gets past the checks, but for those that are argued one by one."""

import pytest

from tests.catalogue.lesson import lesson, names
from tests.mutation.report import FOLDER, arguments, report


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

"""No small mistake in an answer of the library gets past the checks, but for those that are argued one by one."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
from tests.catalogue.lesson import lesson, names  # noqa: E402
from tests.mutation.argued import FOLDER, arguments  # noqa: E402
from tests.mutation.report import report, stale  # noqa: E402


@pytest.mark.parametrize("name", names())
def test_every_mutant_is_killed_or_argued(name):
    reports = [report(name, task) for task in lesson(name).tasks]
    assert all(one.count >= 5 for one in reports)
    faults = [str(one) for one in reports if one.survivors or one.broken]
    assert not faults, "\n\n".join(faults)


@pytest.mark.parametrize("name", names())
def test_every_argument_is_about_a_mutant_that_survives(name):
    assert [line for task in lesson(name).tasks for line in stale(name, task)] == []
    assert {one.task for one in arguments(name)} <= set(lesson(name).tasks)


def test_arguments_are_about_assignments_that_there_are():
    assert {path.stem for path in FOLDER.iterdir()} <= set(names())

"""Honest notebooks of unusual form, before the judge: each of the tasks that were touched gets its points.

The full count is taken by hand, ``python -m autograder grade`` on all of them; here only the visible checks run of the
tasks that the catalogue changes.
"""

import copy
from dataclasses import replace
from pathlib import Path

import pytest
from honest import HONEST, folder
from unusual.notebook import NAME

from autograder.judging.judge import Judge
from autograder.submissions.submission import Submission
from autograder.submissions.submitted_files import collected

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.sandbox
TOUCHED = {"weighted_sum_visible", "dot_scorer_visible", "masked_softmax_visible", "attend_visible"}
SHOWS = ("# What you have won", "# Your dot scores", "# The largest of ten", "# Keys in another", "# An untrained")
SHOWS += ("# The same positions", "# What the temperature", "# Attention, whole")
SLOW = {"scratch_with_a_loop", "scratch_with_much_output", "scratch_with_a_pool"}


@pytest.fixture(scope="module")
def judge(exercise):
    with Judge(exercise.given, ROOT) as judge:
        yield judge


@pytest.fixture
def verdict(exercise, right, judge, tmp_path):
    def verdict(name):
        for path, data in folder(name, copy.deepcopy(right)).items():
            place = tmp_path / "ada" / NAME / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
        (one,) = collected(tmp_path)
        assert one.problem == ""
        return judge.run(one_job(one, exercise))

    return verdict


def one_job(handed, exercise):
    """The submission's job without the checks and the pictures that no entry of the catalogue touches."""
    submission = Submission.read(handed.data(), exercise)
    assert submission.unreadable == ""
    job = submission.job(1)
    cells = [cell for cell in job.cells if cell.name in TOUCHED or cell.kind == "code"]
    return replace(job, cells=tuple(cell for cell in cells if not cell.source.startswith(SHOWS)))


@pytest.mark.parametrize("name", sorted(set(HONEST) - SLOW))
def test_honest_work_is_not_punished(verdict, name):
    said = verdict(name)
    assert {check.cell: check.message for check in said.checks if check.status != "passed"} == {}
    assert {check.cell for check in said.checks} == TOUCHED

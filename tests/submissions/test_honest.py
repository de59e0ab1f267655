"""Honest notebooks of unusual form, before the judge: each of the tasks that were touched gets its points.

The full count is taken by hand, ``python -m autograder grade`` on all of them; here only the visible checks run of the
tasks that the catalogue changes.
"""

from dataclasses import replace
from functools import cache

import pytest
from notebook_changes import NAME, folder
from small_course import ROOT
from unusual import HONEST, KINDS

from autograder.judging.judge import Judge
from autograder.submissions.submission import Submission
from autograder.submissions.submitted_files import submissions_below

TOUCHED = {"weighted_sum_visible", "dot_scorer_visible", "masked_softmax_visible", "attend_visible"}
SHOWS = ("# What you have won", "# Your dot scores", "# The largest of ten", "# Keys in another", "# An untrained")
SHOWS += ("# The same positions", "# What the temperature", "# Attention, whole")
SLOW = ("while True", "for i in range(10**6)", "from multiprocessing")


@pytest.fixture
def job(exercise, right, tmp_path):
    """A submission's job without the checks and the pictures that no entry touches: job("format 9")."""

    def job(name):
        course = tmp_path / str(list(HONEST).index(name))
        for path, data in folder(HONEST[name], right).items():
            target = course / "ada" / NAME / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        (submitted,) = submissions_below(course)
        assert submitted.problem == "", name
        submission = Submission.read(submitted.data(), exercise)
        assert submission.unreadable == "", name
        job = submission.job(1)
        cells = [cell for cell in job.cells if cell.name in TOUCHED or cell.kind == "code"]
        return replace(job, cells=tuple(cell for cell in cells if not cell.source.startswith(SHOWS)))

    return job


@pytest.fixture(scope="module")
def judged(exercise):
    with Judge(exercise.given, ROOT) as judge:
        yield cache(judge.run)  # many entries come to the same job


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", KINDS)
def test_honest_work_is_not_punished(job, judged, kind):
    punished = {}
    for name in [name for name in KINDS[kind] if not any(source in name for source in SLOW)]:
        verdict = judged(job(name))
        failures = {check.cell: check.message for check in verdict.checks if check.status != "passed"}
        if failures or {check.cell for check in verdict.checks} != TOUCHED:
            punished[name] = failures
    assert punished == {}

import threading
from dataclasses import replace
from itertools import islice

import pytest
from small_course import FakeJudge

from autograder.grading import pool as pools
from autograder.grading.grading_run import Run
from autograder.grading.pool import Pool
from autograder.store.verdicts import Store, Stored


class Patient(FakeJudge):
    """Takes its time over a submission that says so, until it is killed."""

    def __init__(self, *arguments, **options):
        self.ended = threading.Event()
        judges.append(self)

    def kill(self):
        self.ended.set()

    def __exit__(self, *reason):
        self.ended.set()

    def run(self, job):
        if any("slow" in cell.source for cell in job.cells):
            self.ended.wait()
        return super().run(job)


judges: list[Patient] = []


@pytest.fixture(autouse=True)
def _fresh(monkeypatch):
    """Nothing counts as slow, however busy the machine is."""
    judges.clear()
    for budget in ("SLOW_SECONDS", "FIRST_SECONDS", "WORTH_SECONDS"):
        monkeypatch.setattr(pools, budget, float("inf"))
    monkeypatch.setattr(pools, "POLL_SECONDS", 0.02)


@pytest.fixture
def _hasty(monkeypatch):
    """Whatever is not done yet counts as slow."""
    monkeypatch.setattr(pools, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(pools, "FIRST_SECONDS", 0.0)


@pytest.fixture
def pool(assignment, course):
    return lambda handed, workers=2: Pool(handed, assignment, course, 7, workers, Patient)


def test_no_more_judges_than_submissions_are_started_and_one_for_answers_that_use_a_gpu(pool, class_of, monkeypatch):
    handed = class_of(4)
    for gpu, count, workers in ((False, 1, 8), (True, 4, 3)):
        judges.clear()
        monkeypatch.setattr("autograder.assignments.assignment.Assignment.gpu", gpu)
        with pool(handed[:count], workers) as verdicts:
            assert len(list(verdicts)) == count
        assert len(judges) == 1


@pytest.mark.usefixtures("_hasty")
def test_a_slow_submission_does_not_hold_up_the_others(pool, class_of):
    with pool(class_of(6, s0="slow"), workers=1) as verdicts:
        first = [index for index, _ in islice(verdicts, 5)]
    assert sorted(first) == [1, 2, 3, 4, 5]


@pytest.mark.usefixtures("_hasty")
def test_slow_submissions_get_half_as_many_places_again_and_no_more(pool, class_of, monkeypatch):
    polls, relieve_slow = [], Pool.relieve_slow

    def relieve(verdicts):
        relieve_slow(verdicts)
        if len(judges) >= 3:
            polls.append(len(judges))
        if len(polls) == 10:
            judges[0].kill()

    monkeypatch.setattr(Pool, "relieve_slow", relieve)
    with pool(class_of(8, **{f"s{number}": "slow" for number in range(8)})) as verdicts:
        next(iter(verdicts))
    assert len(judges) == 3


def test_leaving_early_ends_every_judge_at_once(pool, class_of):
    with pool(class_of(4, s1="slow", s2="slow"), workers=3) as verdicts:
        next(iter(verdicts))
    assert all(judge.ended.is_set() for judge in judges)
    for thread in verdicts.threads:
        thread.join()


def test_what_took_longest_before_is_begun_first(assignment, course, class_of, tmp_path):
    spread = Run(course, tmp_path / "out", maker=Patient)
    verdicts = spread.verdicts(class_of(4), assignment, 7, seconds=[1.0, 20.0, 0.0, 5.0])
    assert [index for index, _ in verdicts] == [1, 3, 0, 2]


def test_a_run_notes_how_long_each_submission_took(assignment, course, class_of, tmp_path):
    class Timed(FakeJudge):
        def run(self, job):
            return replace(super().run(job), seconds=2.5)

    handed = class_of(1)
    Run(course, tmp_path / "out", maker=Timed, seed=7).grade(tmp_path / "submitted")
    with Store(tmp_path / "out") as store:
        ((student, before),) = store.entries(assignment.name).items()
        took = before.provenance.seconds, Stored().provenance.seconds  # the second where nothing is known
        assert (student, *took) == (handed[0].student, 2.5, 0.0)
        (key,) = store.all_keys()
        assert "seconds" not in store.get(key).to_record()

import time

import pytest
from small_course import FakeJudge, NoSandbox

from autograder.judging.judge_cache import JudgeCache
from autograder.sandbox.errors import SandboxUnavailable
from autograder.submissions.submission import Submission


@pytest.fixture
def judges(monkeypatch):
    """Every judge that is started, with whether it was ended."""
    made = []

    class Counted(FakeJudge):
        ended = False

        def __enter__(self):
            made.append(self)
            return self

        def __exit__(self, *reason):
            self.ended = True

    monkeypatch.setattr("autograder.judging.judge.Judge", Counted)
    return made


@pytest.fixture
def kept():
    judge = JudgeCache()
    yield judge
    judge.close()


def test_a_second_call_finds_the_first_ones_judge(kept, judges, assignment, course, solved):
    submission = Submission.read(solved.encode(), assignment)
    for _ in range(3):
        kept.prepare(assignment, course)
        assert kept.verdict(submission, 1).status == "ok"
    assert len(judges) == 1


def test_a_changed_course_gets_a_new_judge_and_the_old_one_ends(kept, judges, assignment, course):
    kept.prepare(assignment, course)
    module = course / "seq2seq" / "fresh.py"
    module.write_text("x = 1\n")
    try:
        kept.prepare(assignment, course)
    finally:
        module.unlink()
    assert [judge.ended for judge in judges] == [True, False]


def test_an_idle_judge_ends_and_the_next_call_starts_one(judges, assignment, course, solved):
    kept = JudgeCache(idle=0.05)
    kept.prepare(assignment, course)
    end = time.monotonic() + 10
    while not judges[0].ended and time.monotonic() < end:
        time.sleep(0.01)
    assert judges[0].ended
    kept.prepare(assignment, course)
    assert kept.verdict(Submission.read(solved.encode(), assignment), 1).status == "ok"
    kept.close()


def test_without_a_sandbox_nothing_is_kept(kept, monkeypatch, assignment, course):
    monkeypatch.setattr("autograder.judging.judge.Judge", NoSandbox)
    for _ in range(2):
        with pytest.raises(SandboxUnavailable):
            kept.prepare(assignment, course)


def test_another_judge_takes_the_place_of_the_first(kept, judges, monkeypatch, assignment, course):
    kept.prepare(assignment, course)
    monkeypatch.setattr("autograder.judging.judge.Judge", NoSandbox)
    with pytest.raises(SandboxUnavailable):
        kept.prepare(assignment, course)
    assert judges[0].ended

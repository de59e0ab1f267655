"""One bad submission never stops the others, and grading again changes nothing."""

import errno
import os
import shutil
import signal

import pytest

from autograder.grading.grading_run import Run
from autograder.judging.judge import ATTEMPTS, Judge, RetryingJudge
from autograder.records.verdict import Verdict
from autograder.sandbox.errors import SandboxUnavailable
from autograder.submissions.submission import Submission
from autograder.submissions.submitted_files import SubmittedFile
from tests.faults import power
from tests.faults.crash import stored
from tests.faults.small_class import hand_in, outcome, solved
from tests.gradebook_dump import dump
from tests.small_course import NAME, FakeJudge


class Raises(FakeJudge):
    """Fails on Cas's work, in one of the ways in which a judge can fail."""

    def run(self, job):
        if any("cas" in cell.source for cell in job.cells):
            return self.fail(job)
        return super().run(job)

    def fail(self, job):
        raise RecursionError("too deep")


class Infrastructure(Raises):
    def fail(self, job):
        return Verdict("infrastructure", job.seed, [], [], ["the judge's process ended."])


class Nonsense(Raises):
    def fail(self, job):
        return None


@pytest.fixture
def three(course, folder):
    """A class of three, the last of which makes the judge fail."""
    return hand_in(folder, "cas", solved(course).replace("return x + x", "return x + x  # cas"))


@pytest.mark.parametrize("maker", [Raises, Infrastructure, Nonsense])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_submission_on_which_the_judge_fails_costs_nobody_else_anything(course, three, tmp_path, maker, workers):
    graded = Run(course, tmp_path / "out", workers, seed=1, maker=maker).grade(three)
    assert {one.handed.student: one.verdict.status for one in graded} == {
        "ada": "ok",
        "ben": "failed",
        "cas": "infrastructure",
    }
    book = dump(tmp_path / "out" / "gradebook.db")
    assert (book[f"{NAME}/ada"]["score"], book[f"{NAME}/ben"]["score"]) == (4.5, 2.25)
    assert f"{NAME}/cas" not in book
    mended = Run(course, tmp_path / "out", seed=1, maker=FakeJudge).grade(three)
    assert [one.handed.student for one in mended if not one.reused] == ["cas"]
    assert dump(tmp_path / "out" / "gradebook.db")[f"{NAME}/cas"]["score"] == 4.5


class Meanwhile(FakeJudge):
    """While it judges Cas's work, something happens to the file."""

    path = None
    text: str | None = ""

    def run(self, job):
        if any("cas" in cell.source for cell in job.cells):
            self.path.unlink()
            if self.text is not None:
                self.path.write_text(self.text)
        return super().run(job)


@pytest.mark.parametrize("text", ["{", None])
def test_a_submission_that_changes_while_it_is_judged_gets_no_verdict_on_what_it_was(course, three, tmp_path, text):
    Meanwhile.path, Meanwhile.text = three / "cas" / NAME / f"{NAME}.ipynb", text
    graded = Run(course, tmp_path / "out", seed=1, maker=Meanwhile).grade(three)
    assert [one.verdict.status for one in graded] == ["ok", "failed", "infrastructure"]
    assert (
        graded[2].verdict.notes[0].startswith("The submission was changed" if text else "The submission cannot be read")
    )
    assert len(stored(tmp_path / "out")) == 2
    again = Run(course, tmp_path / "out", seed=1, maker=FakeJudge).grade(three)
    assert [(one.reused, one.verdict.status) for one in again] == [
        (True, "ok"),
        (True, "failed"),
        (False, "unreadable"),
    ]


def test_a_submission_that_may_not_be_read_stops_nobody_else(course, three, tmp_path, monkeypatch):
    data = SubmittedFile.data

    def refused(handed):
        if handed.student == "ada":
            raise PermissionError(errno.EACCES, "Permission denied", str(handed.path))
        return data(handed)

    with monkeypatch.context() as patch:
        patch.setattr(SubmittedFile, "data", refused)
        graded = Run(course, tmp_path / "out", seed=1, maker=FakeJudge).grade(three)
    assert [one.verdict.status for one in graded] == ["infrastructure", "failed", "ok"]
    assert graded[0].verdict.notes == ["The submission cannot be read: Permission denied."]
    again = Run(course, tmp_path / "out", seed=1, maker=FakeJudge).grade(three)
    assert [(one.reused, one.verdict.status) for one in again] == [(False, "ok"), (True, "failed"), (True, "ok")]


def test_grading_again_judges_nothing_and_writes_nothing(course, pair, tmp_path):
    power.grade(course, pair, tmp_path / "out")
    whole = outcome(tmp_path / "out")
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file() and "gradebook" not in path.name]
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}
    assert power.grade(course, pair, tmp_path / "out") == 0
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files} == before
    assert outcome(tmp_path / "out") == whole


def test_grading_from_nothing_gives_the_same_again(course, pair, tmp_path):
    power.grade(course, pair, tmp_path / "one")
    power.grade(course, pair, tmp_path / "two")
    assert outcome(tmp_path / "one") == outcome(tmp_path / "two")


def test_a_class_that_was_moved_is_not_judged_again(course, pair, tmp_path):
    power.grade(course, pair, tmp_path / "out")
    shutil.copytree(pair, tmp_path / "elsewhere")
    for path in (tmp_path / "elsewhere").rglob("*"):
        os.utime(path, (0, 0))
    assert power.grade(course, tmp_path / "elsewhere", tmp_path / "out") == 0


class StartsLate(FakeJudge):
    """Does not start the first times, as if it had been killed for want of memory."""

    failures = 0

    def __enter__(self):
        StartsLate.failures -= 1
        if StartsLate.failures >= 0:
            raise SandboxUnavailable("the judge's own process did not start.")
        return super().__enter__()


def test_a_judge_that_dies_while_it_starts_is_started_again(assignment, course):
    StartsLate.failures = ATTEMPTS - 1
    with RetryingJudge(assignment, course, StartsLate) as judge:
        assert judge.judge is not None


def test_a_judge_that_never_starts_is_told(assignment, course):
    StartsLate.failures = ATTEMPTS
    with pytest.raises(SandboxUnavailable, match="did not start"):
        RetryingJudge(assignment, course, StartsLate).__enter__()


@pytest.mark.sandbox
def test_a_judge_whose_replacement_dies_too_is_replaced_again(assignment, course, monkeypatch):
    """The judge's process is killed, and so are those that are started in its place, but the last."""
    submission = Submission.read(solved(course).encode(), assignment)
    started = []
    start = Judge.__enter__

    def killed_at_once(judge):
        started.append(judge)
        start(judge)
        if len(started) < ATTEMPTS:
            os.kill(judge.process.pid, signal.SIGKILL)

    monkeypatch.setattr(Judge, "__enter__", killed_at_once)
    with RetryingJudge(assignment, course) as judge:
        assert judge.verdict(submission, 1).status == "ok"
    assert len(started) == ATTEMPTS

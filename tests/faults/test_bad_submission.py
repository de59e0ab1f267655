"""One bad submission never stops the others, and grading again changes nothing."""

import errno
import os
import shutil

import pytest

from autograder.grading.grading_run import Run
from autograder.records.verdict import Verdict
from autograder.submissions.submitted_files import SubmittedFile
from tests.faults.small_class import differences, grade, hand_in, solved, stored
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


@pytest.mark.parametrize(("maker", "workers"), [(Raises, 1), (Raises, 2), (Infrastructure, 2), (Nonsense, 1)])
def test_a_submission_on_which_the_judge_fails_costs_nobody_else_anything(course, three, tmp_path, maker, workers):
    graded = Run(course, tmp_path / "out", workers, seed=1, maker=maker).grade(three)
    statuses = {one.handed.student: one.verdict.status for one in graded}
    assert statuses == {"ada": "ok", "ben": "failed", "cas": "infrastructure"}
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


def test_grading_again_judges_nothing_and_writes_nothing_also_for_a_class_that_was_moved(
    course, pair, tmp_path, output, whole
):
    moved = shutil.copytree(pair, tmp_path / "elsewhere")
    for path in moved.rglob("*"):
        os.utime(path, (0, 0))
    files = [path for path in output.rglob("*") if path.is_file() and "gradebook" not in path.name]
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}
    assert [grade(course, folder, output) for folder in (pair, moved)] == [0, 0]
    assert {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files} == before
    assert differences(output, whole) == []


def test_grading_from_nothing_gives_the_same_again(course, pair, tmp_path, whole):
    grade(course, pair, tmp_path / "again")
    assert differences(tmp_path / "again", whole) == []

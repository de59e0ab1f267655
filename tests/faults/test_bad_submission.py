"""One bad submission never stops the others, and grading again changes nothing."""

import errno
import os
import shutil

import pytest

from autograder.grading.grading_run import Run
from autograder.records.verdict import Verdict
from autograder.submissions.submitted_files import SubmittedFile
from tests.faults.small_class import differences, grade, make_pair, solved, stored
from tests.gradebooks import dump
from tests.small_course import NAME, FakeJudge, hand_in


@pytest.fixture
def three(course, tmp_path):
    """A class of three, the last of which makes the judge fail."""
    folder = make_pair(course, tmp_path / "submitted")
    return hand_in(folder, "cas", solved(course).replace("return x + x", "return x + x  # cas"))


def refuse(handed):
    raise PermissionError(errno.EACCES, "Permission denied", str(handed))


UNREAD = "The submission cannot be read: "
HAPPENS = {  # while Cas's work is read or judged → the first of its notes, and what becomes of it in the next run
    "it may not be read": (None, f"{UNREAD}Permission denied.", "ok"),
    "the judge raises": (lambda path: refuse("x"), "The grader failed: PermissionError", "ok"),
    "the judge ends": (lambda path: Verdict("infrastructure", 1, [], [], ["it ended."]), "it ended.", "ok"),
    "the judge talks nonsense": (lambda path: "nonsense", "The grader failed", "ok"),
    "its file is changed": (lambda path: path.write_text("{") and None, "The submission was changed", "unreadable"),
    "its file goes": (lambda path: path.unlink(), UNREAD, "unreadable"),
}


@pytest.mark.parametrize("case", HAPPENS)
def test_a_submission_that_fails_gets_no_verdict_and_costs_nobody_else_anything(
    course, three, tmp_path, monkeypatch, case
):
    happens, note, then = HAPPENS[case]
    read = SubmittedFile.data
    if not happens:
        monkeypatch.setattr(SubmittedFile, "data", lambda file: refuse(file) if file.student == "cas" else read(file))

    class Fails(FakeJudge):
        def run(self, job):
            is_cas = any("cas" in cell.source for cell in job.cells)
            return (is_cas and happens(three / "cas" / NAME / f"{NAME}.ipynb")) or super().run(job)

    def graded(maker):
        return Run(course, tmp_path / "out", 2, seed=1, maker=maker).grade(three)

    def scores():
        book = dump(tmp_path / "out" / "gradebook.db")
        return [book.get(f"{NAME}/{student}", {}).get("score") for student in ("ada", "ben", "cas")]

    verdicts = [work.verdict for work in graded(Fails)]
    assert [verdict.status for verdict in verdicts] == ["ok", "failed", "infrastructure"]
    assert verdicts[2].notes[0].startswith(note)
    assert len(stored(tmp_path / "out")) == 2
    assert scores() == [4.5, 2.25, None]
    monkeypatch.undo()
    again = [(work.reused, work.verdict.status) for work in graded(FakeJudge)]
    assert again == [(True, "ok"), (True, "failed"), (False, then)]
    assert scores() == [4.5, 2.25, 4.5 if then == "ok" else 0.0]


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

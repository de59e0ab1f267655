import os

import pytest
import small_course

from autograder.submissions.submission import Submission
from autograder.submissions.submitted_files import collected, handed_at


def test_students_come_by_name(hand_in):
    hand_in("zoe", "{}")
    folder = hand_in("ada", "{}")
    assert [(one.student, one.assignment) for one in collected(folder)] == [("ada", "01_small"), ("zoe", "01_small")]


def test_a_notebook_under_another_name_is_taken_if_it_is_the_only_one(hand_in):
    (one,) = collected(hand_in("ada", "{}", name="01_small (1).ipynb"))
    assert one.data() == b"{}"
    assert one.notes == ("The notebook was called '01_small (1).ipynb'; it was read as '01_small.ipynb'.",)


def test_of_several_notebooks_the_one_with_the_right_name_counts(hand_in):
    hand_in("ada", "[]", name="scratch.ipynb")
    (one,) = collected(hand_in("ada", "{}"))
    assert (one.data(), one.problem) == (b"{}", "")


def test_several_notebooks_of_other_names_are_a_problem(hand_in):
    hand_in("ada", "[]", name="a.ipynb")
    (one,) = collected(hand_in("ada", "{}", name="b.ipynb"))
    assert one.problem == "None of the notebooks that were handed in is called '01_small.ipynb': 'a.ipynb', 'b.ipynb'."


def test_small_files_beside_the_notebook_come_along(hand_in, assignment, solved):
    hand_in("ada", "x = 1", name="mine.py")
    (one,) = collected(hand_in("ada", solved))
    submission = Submission.read(one.data(), assignment)
    assert dict(submission.files) == {"mine.py": b"x = 1"}
    assert submission.notes == ("Files beside the notebook, available when it ran: 'mine.py'.",)


def test_a_changed_file_beside_the_notebook_is_another_submission(hand_in):
    digests = set()
    for text in ("x = 1", "x = 2"):
        hand_in("ada", text, name="mine.py")
        digests.add(collected(hand_in("ada", "{}"))[0].digest())
    assert len(digests) == 2


def test_a_link_beside_the_notebook_is_left_out(hand_in, tmp_path):
    (tmp_path / "secret").write_text("of another student")
    folder = hand_in("ada", "{}")
    (folder / "ada" / small_course.NAME / "mine.py").symlink_to(tmp_path / "secret")
    (one,) = collected(folder)
    assert one.data() == b"{}"


def test_what_nbgrader_reads_is_what_is_collected(hand_in):
    hand_in("ada", "x = 1", name="mine.py")
    folder = hand_in("ada", "{}")
    (one,) = collected(folder)
    path = folder / "ada" / small_course.NAME / f"{small_course.NAME}.ipynb"
    assert handed_at(path, "ada") == one


def test_nothing_handed_in_is_a_problem(tmp_path):
    (tmp_path / "ada" / small_course.NAME).mkdir(parents=True)
    (one,) = collected(tmp_path)
    assert one.problem == "No notebook was handed in."


def test_a_link_to_another_file_is_not_followed(hand_in, tmp_path):
    (tmp_path / "secret").write_text("of another student")
    folder = hand_in("ada", "{}")
    path = folder / "ada" / small_course.NAME / f"{small_course.NAME}.ipynb"
    path.unlink()
    path.symlink_to(tmp_path / "secret")
    (one,) = collected(folder)
    assert one.path is None
    assert "is a link" in one.problem


def test_a_pipe_is_not_opened(hand_in):
    folder = hand_in("ada", "{}")
    path = folder / "ada" / small_course.NAME / f"{small_course.NAME}.ipynb"
    path.unlink()
    os.mkfifo(path)
    (one,) = collected(folder)
    assert one.data() == b""


@pytest.mark.parametrize(("text", "kept"), [("2026-11-21 10:00:00 UTC", True), ("whenever", False), ("", False)])
def test_only_a_time_is_a_time_of_submission(hand_in, text, kept):
    folder = hand_in("ada", "{}")
    (folder / "ada" / small_course.NAME / "timestamp.txt").write_text(text)
    (one,) = collected(folder)
    assert bool(one.timestamp) is kept

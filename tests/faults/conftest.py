import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for `tests.…`, which commands here use too


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """A course of one small exercise, built, with its own copy of the grader."""
    from tests.faults import small_class

    return small_class.make_course(tmp_path_factory.mktemp("faults") / "course")


@pytest.fixture(scope="session", autouse=True)
def one_grader(course):
    """Keys are taken from the copy: whoever edits the grader while these tests run changes no key between two runs."""
    import autograder

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(autograder, "__file__", str(course / "autograder" / "__init__.py"))
        yield


def hand_in(course, folder):
    from tests.faults import small_class

    right = small_class.solved(course)
    small_class.hand_in(folder, "ada", right)
    return small_class.hand_in(folder, "ben", right.replace("return x + x", "return x  # half right"))


@pytest.fixture
def folder(course, tmp_path):
    """A class of two, ada whose work is right, and ben whose work is not."""
    return hand_in(course, tmp_path / "submitted")


@pytest.fixture(scope="session")
def pair(course, tmp_path_factory):
    """The same, for tests that only read it."""
    return hand_in(course, tmp_path_factory.mktemp("pair"))


@pytest.fixture(scope="session")
def assignment(course):
    from autograder.authoring.assignment import load
    from tests.small_course import NAME

    return load(course, NAME)

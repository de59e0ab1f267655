import signal

import pytest
import small_course

from autograder.authoring import build
from autograder.authoring.assignment import Assignment, load


def pytest_configure() -> None:
    """Ctrl-C is heard, here and in what the tests start, also where they run in the background, which ignores it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """A course of one small exercise, built."""
    root = small_course.make(tmp_path_factory.mktemp("course"))
    build.build(root)
    return root


@pytest.fixture(scope="session")
def assignment(course) -> Assignment:
    return load(course, small_course.NAME)


@pytest.fixture(scope="session")
def solved(course) -> str:
    """The text of a notebook in which everything is right: the instructor's own."""
    return (course / "build" / "source" / small_course.NAME / f"{small_course.NAME}.ipynb").read_text("utf-8")


@pytest.fixture(scope="session")
def blank(course) -> str:
    """The text of the released notebook."""
    return (course / "exercises" / small_course.NAME / f"{small_course.NAME}.ipynb").read_text("utf-8")


@pytest.fixture
def hand_in(tmp_path):
    """Puts a notebook into a class's folder: hand_in("ada", text)."""

    def hand_in(student, text, name=f"{small_course.NAME}.ipynb"):
        folder = tmp_path / "submitted" / student / small_course.NAME
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return tmp_path / "submitted"

    return hand_in

import os
import signal
import sys
from collections import Counter

import pytest
import small_course

from autograder.authoring import build
from autograder.authoring.assignment import Assignment, load


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", action="store_true", help="none marked `long`, and of those `sampled(n)` one in n")


def pytest_configure() -> None:
    """Ctrl-C is heard, here and in what the tests start, also where they run in the background, which ignores it.

    And the environment's commands are found, whichever test comes first: nbgrader calls ``alembic`` by name.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--sample`, the same tests every time: the first of every n that are marked `sampled(n)`."""
    if not config.getoption("sample"):
        return
    seen: Counter[str] = Counter()
    left_out = []
    for item in items:
        share = item.get_closest_marker("sampled")
        function = item.nodeid.partition("[")[0]
        if item.get_closest_marker("long") or (share and seen[function] % share.args[0]):
            left_out.append(item)
        seen[function] += 1
    config.hook.pytest_deselected(items=left_out)
    gone = set(map(id, left_out))
    items[:] = [item for item in items if id(item) not in gone]


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

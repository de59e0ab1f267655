import os
import signal
import sys
from contextlib import closing
from pathlib import Path

import pytest
import small_course
from gpus import gpu, replaying  # noqa: F401
from hypothesis import settings

import autograder.tasks
from autograder.__main__ import main
from autograder.assignments import build
from autograder.assignments.assignment import Assignment, load
from autograder.judging.judge import Judge
from autograder.store.state import State

settings.register_profile("without a clock", deadline=None)  # a busy machine may take long for any example
settings.load_profile("without a clock")  # --hypothesis-profile, read later, takes precedence

LEFT_OUT = pytest.StashKey[list[pytest.Item]]()


def pytest_configure() -> None:
    """Ctrl-C is heard, here and in what the tests start, also where they run in the background, which ignores it.

    And the environment's commands are found, whichever test comes first: nbgrader calls ``alembic`` by name.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Half as many workers again as processors, since tests wait, for limits and for other processes."""
    return max(2, 3 * (os.cpu_count() or 1) // 2)


def pytest_deselected(items: list[pytest.Item]) -> None:
    for item in items:
        item.config.stash.setdefault(LEFT_OUT, []).append(item)


@pytest.fixture(scope="session")
def left_out(request) -> list[pytest.Item]:
    """The tests that pytest has deselected."""
    return request.config.stash.get(LEFT_OUT, [])


@pytest.fixture
def only_tasks_of_the_course(monkeypatch):
    """A class's own tasks, which the test's commands import, are there for no other test."""
    monkeypatch.setattr(autograder.tasks, "__path__", autograder.tasks.__path__[:1])
    yield
    for name in [name for name in sys.modules if name.startswith("autograder.tasks.")]:
        if not Path(sys.modules[name].__file__).is_relative_to(autograder.tasks.__path__[0]):
            del sys.modules[name]


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
def command(course, tmp_path, capsys, monkeypatch):
    """Runs a command on the small course, with a judge that needs no sandbox → status, stdout, stderr."""

    def command(name, *arguments, judge=small_course.FakeJudge):
        if judge is not Judge:
            monkeypatch.setattr("autograder.judging.judge.Judge", judge)
            monkeypatch.setattr("autograder.sandbox.proof.require_fit", lambda *folders: None)
        monkeypatch.chdir(tmp_path)
        status = main([name, "--root", str(course), *map(str, arguments)])
        return status, *capsys.readouterr()

    return command


@pytest.fixture
def rows(output):
    """Changes what the grader keeps beside a gradebook: rows("DELETE FROM verdict")."""

    def rows(statement):
        with closing(State(output)) as state, state.change() as connection:
            connection.execute(statement)

    return rows


@pytest.fixture
def hand_in(tmp_path):
    """Puts a notebook into a class's folder: hand_in("ada", text), or hand_in(["ada", "ben"], text)."""

    def hand_in(students, text, name=f"{small_course.NAME}.ipynb"):
        for student in [students] if isinstance(students, str) else students:
            small_course.hand_in(tmp_path / "submitted", student, text, name)
        return tmp_path / "submitted"

    return hand_in

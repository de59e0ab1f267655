import os
import signal
import sys
from collections import Counter

import pytest
import small_course
import torch
import verified
from hypothesis import settings
from xdist.workermanage import WorkerController

from autograder.authoring import build
from autograder.authoring.assignment import Assignment, load

settings.register_profile("without a clock", deadline=None)  # a busy machine may take long for any example
settings.load_profile("without a clock")  # --hypothesis-profile, read later, takes precedence

SHARE = 24  # one in so many of the tests of a file runs even if no file that it uses has changed
VERIFIED: dict[str, bool] = {}  # group of tests → whether all have passed so far


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", action="store_true", help="leave out what is `long`, and most of what has not changed")


def pytest_configure() -> None:
    """Ctrl-C is heard, here and in what the tests start, also where they run in the background, which ignores it.

    And the environment's commands are found, whichever test comes first: nbgrader calls ``alembic`` by name.
    """
    signal.signal(signal.SIGINT, signal.default_int_handler)
    os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", os.defpath)])


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: WorkerController) -> None:
    """What has changed is found out once, not by each worker."""
    if node.config.getoption("sample"):
        node.workerinput["unchanged"] = verified.unchanged()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """With `--sample`, leaves out long tests, and most of those that passed before and use no file that has changed."""
    if not torch.cuda.is_available():
        for item in items:
            if item.get_closest_marker("cuda"):
                item.add_marker(pytest.mark.skip(reason="needs a CUDA device"))
    if not config.getoption("sample"):
        return
    seen: Counter[str] = Counter()
    unchanged = getattr(config, "workerinput", {}).get("unchanged") or verified.unchanged()
    left_out = []
    for item in items:
        function, share = item.nodeid.partition("[")[0], item.get_closest_marker("sampled")
        many, n = (
            (function, share.args[0]) if share else (item.nodeid.partition("::")[0], SHARE * verified.knows(function))
        )
        if item.get_closest_marker("long"):
            left_out.append(item)
        elif n:
            group = verified.group(item.nodeid)
            if group not in unchanged:
                if torch.cuda.is_available() or not item.get_closest_marker("cuda"):  # the digest tells which
                    item.user_properties.append(("verifies", group))
            elif item.get_closest_marker("costly") or seen[many] % n:
                left_out.append(item)
            seen[many] += 1
    config.hook.pytest_deselected(items=left_out)
    gone = set(map(id, left_out))
    items[:] = [item for item in items if id(item) not in gone]


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Notes of each group of tests that is to be recorded whether all have passed; a skipped one shows nothing."""
    for name, group in report.user_properties:
        if name == "verifies":
            VERIFIED[str(group)] = VERIFIED.get(str(group), True) and report.passed


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """After a whole run, records what has passed."""
    config = session.config
    whole = config.args == config.getini("testpaths") and not (config.option.keyword or config.option.markexpr)
    ended = exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.TESTS_FAILED)
    if whole and ended and not hasattr(config, "workerinput"):
        passed = {group: verified.digest(group) for group, good in VERIFIED.items() if good}
        if passed:
            verified.write(verified.unchanged() | passed)


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

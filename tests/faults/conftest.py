import shutil
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # for `tests.…`, which commands here use too

from tests.faults import small_class

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def pair(course, tmp_path_factory):
    """A class of two, ada whose work is right, and ben whose work is not, for tests that only read it."""
    return small_class.make_pair(course, tmp_path_factory.mktemp("pair"))


@pytest.fixture(scope="session")
def graded(course, pair, tmp_path_factory):
    """What an undisturbed run on that class leaves, for tests that only read it."""
    output = tmp_path_factory.mktemp("graded") / "out"
    small_class.grade(course, pair, output)
    return output


@pytest.fixture(scope="session")
def whole(graded):
    """The same as data that can be compared."""
    return small_class.outcome(graded)


@pytest.fixture
def output(graded, tmp_path):
    """A copy of it that may be changed."""
    return shutil.copytree(graded, tmp_path / "out")


@pytest.fixture
def holding():
    """Starts another program, which says "held" when it holds something, until its input ends or it is killed."""
    programs = []

    def holding(code, *arguments):
        command = [sys.executable, "-c", code, *map(str, arguments)]
        programs.append(subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        assert programs[-1].stdout.readline() == "held\n"
        return programs[-1]

    yield holding
    for program in programs:
        program.kill()
        with program:
            pass

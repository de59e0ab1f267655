"""Runs tests on a copy of the project, in forks of a process that has imported what is slow and not the project's.

One request a line on standard input, as JSON: the pytest arguments and a limit of processor seconds for all that they
start. One answer a line: the test that failed first, or an empty string, and the seconds.
"""

import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import _pytest.python  # noqa: F401
import matplotlib  # noqa: F401
import nbformat  # noqa: F401
import numpy  # noqa: F401
import psutil
import pytest
import torch

LONGEST = 20.0  # processor seconds of one test, at the end of the limit: it hangs
OPTIONS = ["-x", "-q", "--no-header", "-pno:cacheprovider", "-pno:xdist", "--timeout=600", "--hypothesis-seed=0"]


class FirstFailure:
    """Writes down the test that failed first, and until then the one that was begun last: it may end the process."""

    def __init__(self, path: Path) -> None:
        self.path, self.begun = path, path.with_name("begun")

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.begun.write_text(nodeid)

    def pytest_runtest_logreport(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        if report.failed and not self.path.read_text():
            self.path.write_text(report.nodeid)

    pytest_collectreport = pytest_runtest_logreport


def first_failure(arguments: list[str], cpu_seconds: float) -> tuple[str, float]:
    """The first test that fails, '' where none does within the limit; and the processor seconds that it took."""
    with tempfile.TemporaryDirectory() as folder:
        path, begun = Path(folder) / "first", Path(folder) / "begun"
        path.touch()
        begun.write_text(next(argument for argument in arguments if argument.startswith("tests/")))
        pid = os.fork()
        if pid == 0:
            _run([*arguments, f"--basetemp={folder}/tmp"], path)
        last, since, spent = "", 0.0, 0.0
        while (ended := os.waitpid(pid, os.WNOHANG)) == (0, 0):
            spent, test = sum(_each(pid, _cpu_seconds)), begun.read_text()
            if test != last:
                last, since = test, spent
            if spent > cpu_seconds:
                _each(pid, psutil.Process.kill)
                os.waitpid(pid, 0)
                return path.read_text() or (test if spent - since > LONGEST else ""), spent
            time.sleep(0.2)
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(pid, signal.SIGKILL)
        harmless = {pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED, pytest.ExitCode.TESTS_FAILED}
        crashed = os.waitstatus_to_exitcode(ended[1]) not in harmless
        return path.read_text() or (begun.read_text() if crashed else ""), spent


def _run(arguments: list[str], path: Path) -> None:
    code = 3
    try:
        os.setsid()
        with open(os.devnull, "r+b") as nothing:
            for number in range(3):
                os.dup2(nothing.fileno(), number)
        torch.set_num_threads(1)
        code = int(pytest.main([*OPTIONS, *arguments], plugins=[FirstFailure(path)]))
    finally:
        os._exit(code)


def _cpu_seconds(process: psutil.Process) -> float:
    return sum(process.cpu_times()[:4])


def _each(pid: int, act: Callable[[psutil.Process], object]) -> list[Any]:
    """What the act gives for each process of the family that is still there."""
    given = []
    with suppress(psutil.NoSuchProcess):
        process = psutil.Process(pid)
        for member in (*process.children(recursive=True), process):
            with suppress(psutil.NoSuchProcess):
                given.append(act(member))
    return given


if __name__ == "__main__":
    sys.path.insert(0, os.getcwd())
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(first_failure(request["arguments"], request["cpu_seconds"])), flush=True)

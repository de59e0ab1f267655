"""A dask scheduler and workers, each a process of its own, as an instructor would start them by hand."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60


class Machines:
    """``with started(folder) as machines: machines.work(); machines.address``."""

    def __init__(self, stack: ExitStack, folder: Path, *options: str, protocol: str) -> None:
        self.stack, self.folder, self.options, self.processes = stack, folder, options, []
        file = folder / "scheduler.json"
        options = ["--host", f"{protocol}://127.0.0.1", "--port", "0", "--scheduler-file", str(file)]
        self.scheduler = self._start("scheduler", *options, "--no-show")
        wait_for(lambda: file.exists() and file.read_text().endswith("}"), self.scheduler)
        self.address = json.loads(file.read_text())["address"]

    def work(self, *options: str) -> subprocess.Popen:
        """One more worker."""
        rest = ["--nthreads", "1", "--local-directory", str(self.folder), *options]
        return self._start("worker", self.address, *rest)

    def wait_for_workers(self, count: int) -> None:
        """Until as many have come."""
        log = self.folder / "scheduler-0.log"
        wait_for(lambda: log.read_text().count("Register worker") >= count, self.scheduler)

    def _start(self, command: str, *options: str) -> subprocess.Popen:
        path = os.pathsep.join(map(str, (ROOT / "tests", ROOT / "tests" / "grading")))
        environment = os.environ | {"PYTHONPATH": path}
        environment["DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES"] = "1"
        line = [sys.executable, "-m", "dask", command, *options, *self.options, "--dashboard-address", "127.0.0.1:0"]
        with (self.folder / f"{command}-{len(self.processes)}.log").open("w") as log:
            process = subprocess.Popen(line, cwd=ROOT, env=environment, stdout=log, stderr=log)
        self.stack.callback(stop, process)
        self.processes.append(process)
        return process


@contextmanager
def started(folder: Path, *options: str, protocol: str = "tcp") -> Iterator[Machines]:
    with ExitStack() as stack:
        yield Machines(stack, folder, *options, protocol=protocol)


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    with suppress(subprocess.TimeoutExpired):
        process.wait(5)
    process.kill()
    process.wait()


def wait_for(holds: object, process: subprocess.Popen | None = None) -> None:
    """Raises TimeoutError if it does not come to hold, or the process ends meanwhile."""
    end = time.monotonic() + SECONDS
    while not holds():
        if time.monotonic() > end or (process is not None and process.poll() is not None):
            raise TimeoutError(f"{holds} did not come to hold")
        time.sleep(0.05)

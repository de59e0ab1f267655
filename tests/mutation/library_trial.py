"""Tries mutants of the project on copies of it, a few at a time."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from tests.mutation.library import LibraryMutant
from tests.mutation.library_rooms import Imports

CPU_SECONDS = 60.0  # of one mutant's tests; what they have not noticed by then lives
CATALOGUE = "tests/autograder/test_tasks_catalogue.py"  # of all exercises: a task's is asked about its own alone
LEFT_OUT = shutil.ignore_patterns(".git", ".venv*", "_build", "*_cache", "__pycache__", ".hypothesis")
LINKED = (".git", ".venv", "_build")  # large, and read alone


class Copy:
    def __init__(self, root: Path, folder: Path) -> None:
        self.root = folder
        shutil.copytree(root, folder, ignore=LEFT_OUT, symlinks=True)
        for name in LINKED:
            if (root / name).exists():
                (folder / name).symlink_to(root / name)
        environment = os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "OMP_NUM_THREADS": "1"}
        line = [sys.executable, "tests/mutation/library_runner.py"]
        pipes = {"text": True, "stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(line, cwd=folder, env=environment, **pipes)

    def first_failure(self, arguments: list[str], cpu_seconds: float = CPU_SECONDS) -> tuple[str, float]:
        request = json.dumps({"arguments": arguments, "cpu_seconds": cpu_seconds})
        print(request, file=self.process.stdin, flush=True)
        failed, seconds = json.loads(self.process.stdout.readline())
        return failed, seconds


def try_all(
    root: Path, mutants: list[LibraryMutant], selection: list[str], workers: int, tell: Callable[[LibraryMutant], None]
) -> None:
    """Says of each mutant which test killed it; ``selection`` are pytest's options, such as ``-m "not long"``."""
    imports = Imports(root)
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder, ThreadPoolExecutor(workers) as pool:
        copies: Queue[Copy] = Queue()
        for number in range(workers):
            copies.put(Copy(root, Path(folder) / f"copy_{number}"))

        def judge(mutant: LibraryMutant) -> None:
            copy = copies.get()
            try:
                mutant.killed_by = _killer(copy, mutant, imports.tests(mutant.path), selection)
            finally:
                copies.put(copy)
            tell(mutant)

        try:
            list(pool.map(judge, mutants))
        finally:
            while not copies.empty():
                process = copies.get().process
                process.kill()
                process.communicate()  # its pipes are closed


def _killer(copy: Copy, mutant: LibraryMutant, tests: list[str], selection: list[str]) -> str | None:
    """A test that fails with the mutant and passes without it; None where the mutant's lines are gone."""
    path = copy.root / mutant.path
    source = path.read_text(encoding="utf-8") if path.is_file() else ""
    mutated = mutant.mutated(source)
    if mutated is None:
        return None
    runs = batches(tests)
    if mutant.path.startswith("autograder/tasks/"):
        runs.insert(0, [CATALOGUE, "-k", path.stem])
    if mutant.killed_by and (copy.root / mutant.killed_by.partition("::")[0]).is_file():
        runs.insert(0, [mutant.killed_by])  # as before, most likely
    broken: list[str] = []  # tests that fail anyway
    left = CPU_SECONDS
    while runs and left > 0:
        path.write_text(mutated, encoding="utf-8")
        try:
            failed, seconds = copy.first_failure([*selection, *broken, *runs[0]], left)
        finally:
            path.write_text(source, encoding="utf-8")
        if failed and not copy.first_failure([*selection, failed])[0]:
            return failed
        without = f"--deselect={failed}" if "::" in failed else f"--ignore={failed}"
        # The old name of a renamed test is not deselected: it may be a prefix of the new one.
        if failed and without not in broken and runs[0] != [failed]:
            broken.append(without)
        else:
            runs.pop(0)
            left -= seconds
    return ""


def batches(tests: list[str]) -> list[list[str]]:
    """Runs of growing size: pytest collects all that it is given before it begins, and the nearest tests know most."""
    runs, size = [], 1
    while tests:
        runs.append(tests[:size])
        tests, size = tests[size:], 3 * size
    return runs

"""Time, memory and disk for grading classes of several sizes, with generated submissions to the course's exercises.

    python -m benchmarks.class_of 100 1000 10000                   # on this machine, with a SQLite gradebook
    python -m benchmarks.class_of 100 1000 --dask 2 --database postgres
    python -m benchmarks.class_of 1000 --kills 20                  # grade the class again, with random kills

Every submission is a different combination of right and wrong answers; some are blank, half done, or broken files.
Every gradebook is compared with the points that each generated submission deserves, and after kills with the
gradebook of the uninterrupted run: a difference ends the benchmark with status 1.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import psutil

from autograder.gradebook.book import Book, FileBook
from benchmarks.grading import postgres
from benchmarks.grading.answers import Exercise, exercise
from benchmarks.grading.classes import generated, write, wrong_points
from benchmarks.grading.curves import STEPS, draw
from benchmarks.grading.disturbed import disturbed
from benchmarks.grading.engines import ENVIRONMENT, ROOT
from benchmarks.grading.processes import Processes
from benchmarks.report import machine_name, markdown
from benchmarks.report import write as write_json
from tests.catalogue.lesson import names
from tests.gradebooks import dump
from tests.grading.machines import started

COMMAND = "python -m benchmarks.class_of"
SEED = "7"
AFTER = {  # step → command, once the class is graded
    "report": ["report"],
    "export csv": ["export", "--to", "csv"],
    "export gradescope": ["export", "--to", "gradescope"],
    "feedback": ["feedback"],
}


class NotTheSame(Exception):
    """After kills the gradebook differs from the uninterrupted run's."""


@dataclass
class Setup:
    """Where classes are graded, by how many workers, and into which kind of database."""

    scratch: Path
    workers: int
    dask: int
    database: str

    def measure(self, size: int, exercises: Sequence[Exercise], kills: int) -> dict[str, object]:
        """Generates and grades one class, runs all further steps and measures them."""
        place = self.scratch / str(size)
        expected = write(place / "submitted", generated(exercises, size))
        with self._machines(place) as (options, others), self._address() as address:
            grade = ["grade", str(place / "submitted"), "--seed", SEED, *options]
            steps = {"grade": grade, "again": grade} | AFTER
            where = ["--output", str(place / "grades"), "--database", address or _file(place / "grades")]
            watches = {name: self._run([*command, *where], place, others) for name, command in steps.items()}
            book = Book.at(where[-1])
            row = {
                "submissions": size,
                "wrong": wrong_points(book, expected),
                "kinds": dict(Counter(submission.kind for submission in expected.values())),
                "seconds": {name: watch.seconds for name, watch in watches.items()},
                "memory": watches["grade"].report(),
                "megabytes": {"gradebook": _gradebook_bytes(book) / 1e6} | _disk(place / "grades"),
            }
            if kills:
                row["kills"] = self._kill(grade, place, dump(book.url), kills, size)
        shutil.rmtree(place)
        return row

    def _kill(self, grade: Sequence[str], place: Path, whole: dict[str, object], kills: int, size: int) -> int:
        with self._address() as address:
            output = place / "disturbed"
            where = ["--output", str(output), "--database", address or _file(output)]
            hits = disturbed(lambda: _start([*grade, *where], place), output, size, kills)
            if dump(where[-1]) != whole:
                raise NotTheSame(f"after {hits} kills the gradebook of {size} differs from the uninterrupted run's")
        return hits

    def _run(self, command: Sequence[str], place: Path, others: Sequence[psutil.Process]) -> Processes:
        watch = Processes(others)
        process = _start(command, place)
        watch(process)
        if process.returncode:
            output = (place / "log").read_text(encoding="utf-8")[-2000:]
            raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}:\n{output}")
        return watch

    @contextmanager
    def _machines(self, place: Path) -> Iterator[tuple[list[str], list[psutil.Process]]]:
        """The options that select the workers, and the processes that are not children of the command."""
        if not self.dask:
            yield ["--workers", str(self.workers)], []
            return
        (place / "dask").mkdir()
        with started(place / "dask") as machines:
            for _ in range(self.dask):
                machines.work()
            machines.wait_for_workers(self.dask)
            yield ["--scheduler", machines.address], [psutil.Process(process.pid) for process in machines.processes]

    def _address(self) -> AbstractContextManager[str]:
        """The address of an empty database on a temporary server; "" for SQLite."""
        return postgres.server() if self.database == "postgres" else nullcontext("")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="+", metavar="SIZE", help="number of submissions in a class")
    parser.add_argument("--assignment", action="append", choices=names(), metavar="NAME", help="default: all")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, metavar="N", help="judges (one per core)")
    parser.add_argument("--dask", type=int, default=0, metavar="N", help="use N dask workers instead")
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite", help="default: sqlite")
    parser.add_argument("--kills", type=int, default=0, metavar="N", help="grade each class again, with N kills")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the report to this file")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="plot the report as SVG")
    chosen = parser.parse_args(arguments)
    exercises = [exercise(name) for name in chosen.assignment or names()]
    given = {name: getattr(chosen, name) for name in ("workers", "dask", "database")}
    record = {"command": COMMAND, "processor": machine_name(), "cores": os.cpu_count(), **given}
    record["exercises"] = [each.name for each in exercises]
    rows: list[dict] = []
    with tempfile.TemporaryDirectory(prefix="class-") as scratch:
        setup = Setup(Path(scratch), chosen.workers, chosen.dask, chosen.database)
        for size in sorted(chosen.sizes):
            try:
                rows.append(setup.measure(size, exercises, chosen.kills))
            except NotTheSame as error:
                print(f"class_of: {error}", file=sys.stderr)
                return 1
            write_json(chosen.json, record | {"rows": rows, "slopes": _slopes(rows)})  # kept if a later class fails
            if chosen.plot:
                draw(rows, chosen.plot)
    print(markdown([_line(row) for row in rows]))
    wrong = [line for row in rows for line in row["wrong"]]
    for line in wrong:
        print(f"class_of: {line}", file=sys.stderr)
    return int(bool(wrong))


def _line(row: dict) -> dict[str, object]:
    memory, disk = row["memory"], row["megabytes"]
    return {
        "submissions": row["submissions"],
        **{f"{name}, s": row["seconds"][name] for name in STEPS},
        "s a submission": row["seconds"]["grade"] / row["submissions"],
        **{f"{kind}, MB": memory[kind]["peak"] for kind in ("grader", "judge", "sandbox") if kind in memory},
        "all, MB": memory["all"]["peak"],
        "halves, MB": f"{memory['all']['first_half']:.0f}, {memory['all']['second_half']:.0f}",
        "gradebook, MB": disk["gradebook"],
        "grades/, MB": disk["grades/"],
        "files": disk["files"],
        "kills": row.get("kills", 0),
    }


def _slopes(rows: Sequence[dict]) -> dict[str, float]:
    """Seconds per additional submission for each step, between the smallest and the largest class."""
    more = rows[-1]["submissions"] - rows[0]["submissions"]
    return {name: (rows[-1]["seconds"][name] - rows[0]["seconds"][name]) / more for name in STEPS} if more else {}


def _start(command: Sequence[str], place: Path) -> subprocess.Popen:
    line = [sys.executable, "-W", "ignore", "-m", "autograder", *command]
    with (place / "log").open("a", encoding="utf-8") as log:
        return subprocess.Popen(line, cwd=ROOT, env=ENVIRONMENT, stdout=log, stderr=log)


def _file(output: Path) -> str:
    return Book.below(output).url


def _gradebook_bytes(book: Book) -> int:
    if isinstance(book, FileBook):
        return book.path.stat().st_size
    return postgres.bytes_of(book.url)


def _disk(output: Path) -> dict[str, float]:
    files = [path for path in output.rglob("*") if path.is_file()]
    return {"grades/": sum(path.stat().st_size for path in files) / 1e6, "files": len(files)}


if __name__ == "__main__":
    sys.exit(main())

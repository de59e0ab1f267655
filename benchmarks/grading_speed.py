"""Grading speed on the course's exercises: our grader against stock nbgrader, on the same notebooks in one run.

    python -m benchmarks.grading_speed
    python -m benchmarks.grading_speed --exercises 05_scorers   # one exercise
    python -m benchmarks.grading_speed --quick                  # a smoke test; its numbers mean little

Both are run in alternation, with the commands that users run.
The cost per submission is the slope between a small and a larger class and so excludes start-up; the row that grades
twenty from cold includes it.
The submissions of a class are all solved, all half done or all blank; those with answers are all different.
Ours also writes gradebook, graded notebooks and feedback pages in that time; stock ``nbgrader autograde`` leaves
feedback to another command.
Each of our gradebooks is compared with the points that the class deserves.
"""

import argparse
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean

from autograder.gradebook.book import Book
from benchmarks.grading import engines
from benchmarks.grading.answers import Exercise, exercise
from benchmarks.grading.classes import generated, write, wrong_points
from benchmarks.grading.processes import Processes
from benchmarks.report import machine_name, markdown
from benchmarks.report import write as write_json
from tests.catalogue.lesson import names

COMMAND = "python -m benchmarks.grading_speed"
KINDS = ("solved", "half", "blank")
SETTINGS = {"stock": [1, 4], "ours": [4, 24], "cold": 20, "large": 500, "of": "05_scorers"}
QUICK = {"stock": [1, 2], "ours": [1, 3], "cold": 2, "large": 4, "of": "05_scorers"}
Row = dict[str, object]


class Workspace:
    """A scratch folder in which classes of one exercise are graded, each in a new course."""

    def __init__(self, folder: Path, of: Exercise) -> None:
        self.folder, self.of = folder, of

    def grade(self, engine: str, kind: str, size: int, workers: int = 1) -> Processes:
        """Grades a class; raises RuntimeError if our points are wrong."""
        folder = engines.course(self.folder / engine, self.of.name, engine)
        kinds = {kind: 1} if kind in KINDS else None
        written = write(folder / "submitted", generated([self.of], size, kinds=kinds))
        command = engines.command(engine, folder, self.of.name, workers)
        watch = Processes()
        engines.run(command, folder, watch)
        if engine == "ours":
            wrong = wrong_points(Book.below(folder / "grades"), written)
            if wrong:
                raise RuntimeError(f"{self.of.name}, {kind}: wrong points: {wrong}")
        return watch

    def marginal(self, engine: str, kind: str, sizes: Sequence[int]) -> float:
        """Wall seconds per additional submission with one worker."""
        few, many = (self.grade(engine, kind, size).seconds for size in sizes)
        return (many - few) / (sizes[1] - sizes[0])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test; its numbers mean little")
    parser.add_argument("--exercises", nargs="+", choices=names(), metavar="EXERCISE", help="default: all")
    parser.add_argument("--json", type=Path, help="also write the report to this file")
    chosen = parser.parse_args(arguments)
    settings = QUICK if chosen.quick else SETTINGS
    wanted = chosen.exercises or (names()[:1] if chosen.quick else names())
    record = {"command": COMMAND, "settings": settings, "processor": machine_name(), "cores": os.cpu_count()}
    with tempfile.TemporaryDirectory(prefix="grading-") as folder:
        whole = classes(Workspace(Path(folder), exercise(settings["of"])), settings)
        table = []
        for row in exercises(Path(folder), wanted, settings):
            table.append(row)
            print(markdown([row]).splitlines()[-1], flush=True)
            # After each exercise: the whole benchmark takes most of an hour.
            write_json(chosen.json, record | summary(table) | {"exercises": table, "classes": whole})
    print(markdown(table), markdown(whole), sep="\n\n")


def exercises(folder: Path, wanted: Sequence[str], settings: dict) -> Iterator[Row]:
    """For each exercise and kind of class, seconds per additional submission."""
    for name in wanted:
        workspace, row = Workspace(folder, exercise(name)), {"exercise": name}
        for kind in KINDS:
            stock, ours = (workspace.marginal(engine, kind, settings[engine]) for engine in ("stock", "ours"))
            row |= {f"{kind}, stock": stock, f"{kind}, ours": ours, f"{kind}, times": stock / ours}
        yield row


def summary(table: Sequence[Row]) -> dict[str, float]:
    """For solved classes: the mean and maximum seconds per submission, and the smallest ratio of stock to ours."""
    ours = [float(row["solved, ours"]) for row in table]
    return {"mean": mean(ours), "most": max(ours), "times": min(float(row["solved, times"]) for row in table)}


def classes(workspace: Workspace, settings: dict) -> list[Row]:
    """Whole classes of one exercise with all kinds of submissions."""
    cold, large = settings["cold"], settings["large"]
    stock = workspace.grade("stock", "mixed", settings["stock"][1])
    ours = workspace.grade("ours", "mixed", cold, workers=2)
    one_worker, many = workspace.grade("ours", "mixed", cold), workspace.grade("ours", "mixed", large, workers=2)
    halves = _halves(many.megabytes)
    plugged, name = workspace.marginal("plugged", "solved", settings["ours"]), workspace.of.name
    return [
        {"figure": f"one more of {name}, solved, by `nbgrader autograde` with ours in it, s", "ours": plugged},
        {"figure": f"{cold} of {name} from cold, two workers, s", "ours": ours.seconds},
        {"figure": f"{large} of them, two workers, s", "ours": many.seconds},
        {"figure": "peak memory, one worker, MB", "ours": max(one_worker.megabytes, default=0.0)},
        {"figure": "the same of stock nbgrader, MB", "ours": max(stock.megabytes, default=0.0)},
        {"figure": f"memory at {large}, first half, MB", "ours": halves[0]},
        {"figure": f"memory at {large}, second half, MB", "ours": halves[1]},
    ]


def _halves(samples: Sequence[float]) -> tuple[float, float]:
    """The means of the second and the third quarter: neither the start nor the end counts."""
    quarter = max(1, len(samples) // 4)
    middle = samples[quarter:-quarter] or samples or [0.0]
    half = max(1, len(middle) // 2)
    return mean(middle[:half]), mean(middle[half:] or middle)


if __name__ == "__main__":
    main()

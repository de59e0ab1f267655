"""Grading speed: our grader against stock nbgrader, the same notebooks side by side in one run.

    python -m benchmarks.grading_speed            # about six minutes on two cores
    python -m benchmarks.grading_speed --quick    # a smoke test of a minute; its numbers mean little

Both are run as their users run them, as commands, in turns.
The cost of one more submission is the slope between a small and a larger class, so that start-up is not in it; of the
start-up speaks the row that grades twenty from cold.
Ours writes gradebook, graded notebooks and feedback pages in that time; stock ``nbgrader autograde`` leaves feedback
to a further command.
Every run's gradebook is compared with the points that the class deserves.
"""

import argparse
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from benchmarks.grading import engines
from benchmarks.grading.exercise import expected_points, student, write_class
from benchmarks.grading.watch import Watch
from benchmarks.report import machine_name, markdown, write

COMMAND = "python -m benchmarks.grading_speed"
SETTINGS = {"stock": [3, 13], "plugged": [20, 120], "ours": [20, 220], "cold": 20, "large": 500, "runs": 2}
QUICK = {"stock": [1, 2], "plugged": [1, 3], "ours": [1, 5], "cold": 2, "large": 6, "runs": 1}


class Field:
    """A scratch folder in which classes are graded, each from nothing."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def grade(self, engine: str, size: int, workers: int = 1) -> Watch:
        """Grades a class of ``size`` and checks every grade."""
        folder = engines.course(self.folder / engine, engines.STOCK if engine == "stock" else engines.OURS)
        write_class(folder / "submitted", range(size))
        command = {
            "stock": lambda: engines.stock(folder),
            "plugged": lambda: engines.plugged(folder),
            "ours": lambda: engines.ours(folder, workers),
        }[engine]()
        watch = Watch()
        engines.run(command, folder, watch)
        found = engines.points(folder / ("gradebook.db" if engine == "stock" else "grades/gradebook.db"))
        expected = {student(number): float(expected_points(number)) for number in range(size)}
        if found != expected:
            wrong = {name: (found.get(name), points) for name, points in expected.items() if found.get(name) != points}
            raise RuntimeError(f"{engine}: wrong points (got, expected): {wrong}")
        return watch

    def marginal(self, engine: str, sizes: Sequence[int]) -> float:
        """Wall seconds of one more submission, one at a time."""
        few, many = (self.grade(engine, size).seconds for size in sizes)
        return (many - few) / (sizes[1] - sizes[0])


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test; its numbers mean little")
    parser.add_argument("--json", type=Path, help="write the report to this file too")
    chosen = parser.parse_args(arguments)
    settings = QUICK if chosen.quick else SETTINGS
    with tempfile.TemporaryDirectory(prefix="grading-") as folder:
        rows = measure(Field(Path(folder)), settings)
    print(markdown(rows))
    record = {"command": COMMAND, "settings": settings, "processor": machine_name(), "cores": os.cpu_count()}
    write(chosen.json, record | {"rows": rows})


def measure(field: Field, settings: dict) -> list[dict[str, object]]:
    slopes: dict[str, list[float]] = {"stock": [], "plugged": [], "ours": []}
    cold: dict[str, list[Watch]] = {"stock": [], "ours": []}
    for _ in range(settings["runs"]):
        for engine, found in slopes.items():
            found.append(field.marginal(engine, settings[engine]))
        for engine, watches in cold.items():
            watches.append(field.grade(engine, settings["cold"], workers=1 if engine == "stock" else 2))
    one = field.grade("ours", settings["cold"], workers=1)
    large = field.grade("ours", settings["large"], workers=2)
    stock, plugged, ours = (mean(slopes[engine]) for engine in ("stock", "plugged", "ours"))
    cold_stock, cold_ours = (mean(watch.seconds for watch in cold[engine]) for engine in ("stock", "ours"))
    halves = _halves(large.megabytes)
    return [
        _row("one more submission, s", stock, ours),
        _row("one more submission, `nbgrader autograde`, s", stock, plugged),
        _row(f"{settings['cold']} submissions from cold, s", cold_stock, cold_ours),
        _row(
            f"{settings['large']} submissions, two workers, s",
            cold_stock + stock * (settings["large"] - settings["cold"]),
            large.seconds,
            "stock: from its slope",
        ),
        _row("peak memory, one worker, MB", max(watch.peak for watch in cold["stock"]), one.peak, "all processes"),
        _row("memory at the large class, first and second half, MB", None, None, f"{halves[0]:.0f}, {halves[1]:.0f}"),
    ]


def _row(figure: str, stock: float | None, ours: float | None, remark: str = "") -> dict[str, object]:
    times = stock / ours if stock and ours else None
    return {"figure": figure, "stock nbgrader": stock, "ours": ours, "times": times, "remark": remark}


def _halves(looks: Sequence[float]) -> tuple[float, float]:
    """The mean of the middle half's two parts: neither the start nor the end counts."""
    quarter = max(1, len(looks) // 4)
    middle = looks[quarter:-quarter] or looks or [0.0]
    half = max(1, len(middle) // 2)
    return mean(middle[:half]), mean(middle[half:] or middle)


if __name__ == "__main__":
    main()

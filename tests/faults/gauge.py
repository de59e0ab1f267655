"""What a tree of processes holds while it works: memory, descriptors, processes; and whether that grows."""

import contextlib
import statistics
from collections import defaultdict
from dataclasses import dataclass, field

import psutil

from tests.faults.processes import below

MIB = 2**20


@dataclass
class Gauge:
    """Samples taken along the way; ``done`` is how many submissions were graded then."""

    done: list[int] = field(default_factory=list)
    values: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def take(self, top: psutil.Process, done: int) -> None:
        with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
            kinds = below(top)
            sample = {"grader, MiB": top.memory_info().rss / MIB, "grader, descriptors": top.num_fds()}
            for kind in ("judge", "sandbox"):
                sizes = [0.0]
                for process in kinds[kind]:
                    with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                        sizes.append(process.memory_info().rss / MIB)
                sample[f"largest {kind}, MiB"] = max(sizes)
            sample["processes"] = sum(map(len, kinds.values()))
            self.done.append(done)
            for name, value in sample.items():
                self.values[name].append(value)

    def growth(self, name: str) -> float:
        """How much it rises from the first fifth of the submissions to the end.

        That is the rise of a straight line through the samples, with two exceptions.
        The largest of a kind is killed and grows up again, so the peaks of the two halves are compared.
        Processes come and go with what learners start; one that leaks stays, so their lower quartiles are compared.
        """
        if not self.done:
            return 0.0
        start = max(self.done) / 5
        points = [pair for pair in zip(self.done, self.values[name], strict=True) if pair[0] >= start]
        if len({x for x, _ in points}) < 3:
            return 0.0
        values = [value for _, value in points]
        early, late = values[: len(values) // 2], values[len(values) // 2 :]
        if name.startswith("largest"):
            return max(late) - max(early)
        if name == "processes":
            return statistics.quantiles(late)[0] - statistics.quantiles(early)[0]
        slope = statistics.linear_regression(*zip(*points, strict=True)).slope
        return slope * (points[-1][0] - points[0][0])

    def figures(self) -> dict[str, dict[str, float]]:
        return {
            name: {
                "median": round(statistics.median(values), 1),
                "peak": round(max(values), 1),
                "growth": round(self.growth(name), 2),
            }
            for name, values in self.values.items()
        }

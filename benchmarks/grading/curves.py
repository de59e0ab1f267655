"""Plots the measurements for several class sizes."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

Row = dict[str, object]
STEPS = {"grade": "o", "again": "s", "report": "^", "export csv": "v", "export gradescope": "<", "feedback": ">"}


def draw(rows: Sequence[Row], path: Path) -> None:
    """Plots seconds, memory and disk against class size; ideally they are straight lines."""
    sizes = [row["submissions"] for row in rows]
    figure = Figure(figsize=(11, 3.4), layout="constrained")
    time, memory, disk = figure.subplots(1, 3)
    for name, marker in STEPS.items():
        time.plot(sizes, [row["seconds"][name] for row in rows], marker=marker, label=name)
    time.set(title="time, s", xscale="log", yscale="log")
    for kind in sorted({kind for row in rows for kind in row["memory"]}):
        there = [(row["submissions"], row["memory"][kind]["peak"]) for row in rows if kind in row["memory"]]
        memory.plot(*zip(*there, strict=True), marker="o", label="all together" if kind == "all" else f"largest {kind}")
    memory.set(title="memory, MB", xscale="log", ylim=0)
    for name in ("gradebook", "grades/"):
        disk.plot(sizes, [row["megabytes"][name] for row in rows], marker="o", label=name)
    disk.set(title="disk, MB", xscale="log", yscale="log")
    for axes in (time, memory, disk):
        axes.set_xlabel("submissions")
        axes.legend(fontsize=7)
        axes.grid(alpha=0.3)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, format="svg", metadata={"Date": None})

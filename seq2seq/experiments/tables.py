"""Markdown tables of runs: a row for each model, a column for each measure.

A column is a function of the runs of a row, which are one record for each seed.
Those made here read the entry at a path of keys; the key "*" stands for the mean over all entries of a dictionary.
A run without the entry is left out, and where no run has it the cell is a dash.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

Column = Callable[[list[dict]], str]
MISSING = "–"


def markdown(heads: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    lines = [_line(heads), "|---" * len(heads) + "|", *map(_line, rows)]
    return "\n".join(lines)


def _line(cells: Iterable[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def tabulate(keys: Sequence[str], columns: Mapping[str, Column], rows: Mapping[Any, list[dict]]) -> str:
    """The table of `rows`, which are named by as many words as there are `keys`: a string, or a tuple of them."""
    return markdown(
        [*keys, *columns],
        (
            [*(name if isinstance(name, tuple) else (name,)), *(column(runs) for column in columns.values())]
            for name, runs in rows.items()
        ),
    )


def of_runs(columns: Mapping[str, Column], keys: Sequence[str] = ("model",), under: str = "models") -> Callable:
    """The table of a report whose runs stand `under` a name, by as many words as there are `keys`."""
    return lambda report: tabulate(keys, columns, _by_words(report[under], len(keys)))


def _by_words(arranged: Mapping[str, Any], levels: int, outer: tuple[str, ...] = ()) -> dict[tuple, list[dict]]:
    if levels == 0:
        return {outer: arranged}  # type: ignore[dict-item]  # the innermost level holds lists of runs
    rows: dict[tuple, list[dict]] = {}
    for word, part in arranged.items():
        rows |= _by_words(part, levels - 1, (*outer, word))
    return rows


def entries(runs: Iterable[dict], path: Sequence[str]) -> list[Any]:
    """The entry at a path in each run that has it."""
    parts: list[Any] = list(runs)
    for key in path:
        if key == "*":
            parts = [fmean(part.values()) for part in parts if part]
        else:
            parts = [part[key] for part in parts if key in part]
    return parts


def mean(form: str, *path: str) -> Column:
    def column(runs: list[dict]) -> str:
        values = entries(runs, path)
        return f"{fmean(values):{form}}" if values else MISSING

    return column


def spread(digits: int, *path: str) -> Column:
    """The mean, with the range behind it if there are several runs."""

    def column(runs: list[dict]) -> str:
        values = entries(runs, path)
        return mean_and_range(values, digits) if values else MISSING

    return column


def mean_and_range(values: Sequence[float], digits: int) -> str:
    middle, low, high = (f"{value:.{digits}f}" for value in (fmean(values), min(values), max(values)))
    return middle if len(values) == 1 else f"{middle} ({low}–{high})"


def each(form: str, *path: str) -> Column:
    """The entry of every run, by seed."""
    return lambda runs: " ".join(f"{value:{form}}" for value in entries(runs, path))


def first(form: str, *path: str) -> Column:
    """The entry of the first run, where all runs have the same."""
    return lambda runs: f"{entries(runs, path)[0]:{form}}"


def count(runs: list[dict]) -> str:
    return str(len(runs))


CPU_SECONDS = {"CPU seconds": mean(".0f", "cpu_seconds")}
PARAMETERS = {"parameters": first(",", "parameters")}

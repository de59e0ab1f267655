"""Runs a notebook from top to bottom in a process of its own, as "Restart and run all" would."""

import json
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.mishaps import cause, cited
from autograder.notebook_files.file_text import Unreadable
from autograder.notebook_files.notebook_cells import plain_cells

SECONDS = 600.0


class NotRun(Exception):
    """The notebook could not be run to its end; the message says why and what to do."""


@dataclass(frozen=True)
class CellRun:
    """What one code cell did. ``id``: nbgrader's name of the cell; ``kind``: of the exception, "" if there was none.

    ``line``: the notebook's line that raised it; ``cause``: what the message leaves unsaid, if that is known.
    """

    cell: int
    id: str
    kind: str
    message: str
    mistake: str
    line: str = ""
    cause: str = ""


def run(notebook: Path, seconds: float = SECONDS) -> list[CellRun]:
    """The runs of all code cells, in order.

    Raises:
        NotRun: it is not a notebook, a cell ended the process, or the time was up.
    """
    read = cells_at(notebook)
    cells = [cell["source"] for cell in read]
    with TemporaryDirectory(prefix="learn-") as folder:
        report, plain = Path(folder, "report"), Path(folder, "cells")
        plain.write_text(json.dumps(read), encoding="utf-8")
        names = map(str, (plain, notebook.resolve().parent, report))
        command = [sys.executable, "-W", "ignore", "-m", "learn.cells", *names]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds)
        except subprocess.TimeoutExpired:
            where = _running(report, cells)
            raise NotRun(f"after {seconds:g} s it was still running {where}: is there an endless loop?") from None
        lines = [json.loads(line) for line in _lines(report)]
        if done.returncode:
            last = done.stderr.strip().splitlines()[-1:] or ["no message"]
            raise NotRun(f"Python ended (status {done.returncode}) in {_running(report, cells)}: {last[0]}")
        return [_explained(CellRun(**line), cells) for line in lines if "cell" in line]


def _explained(run: CellRun, cells: list[str]) -> CellRun:
    """With what the grader, too, says of such an error."""
    sources = {f"cell {number + 1}": source for number, source in enumerate(cells[: run.cell + 1])}
    cell = f"cell {run.cell + 1}"
    return replace(
        run,
        message=cited(run.message, cell),
        cause=cause(f"{run.kind}: {run.message}", sources, cell, run.line),
    )


def cells_at(notebook: Path) -> list[dict[str, Any]]:
    """The cells, whatever the file's encoding and form.

    Raises:
        NotRun: the file is missing, or is not a notebook.
    """
    try:
        return plain_cells(notebook.read_bytes())
    except FileNotFoundError:
        raise NotRun(f"there is no file {notebook}; in which folder did you save it?") from None
    except Unreadable as error:
        again = "Or start anew with `learn start` in another folder and copy your answers."
        raise NotRun(f"{notebook} cannot be read as a notebook. {error} {again}") from None


def _lines(report: Path) -> list[str]:
    return report.read_text(encoding="utf-8").splitlines() if report.exists() else []


def _running(report: Path, cells: list[str]) -> str:
    """The cell that had begun last, by its first line."""
    begun = [json.loads(line) for line in _lines(report)]
    number = next((line["begins"] for line in reversed(begun) if "begins" in line), None)
    if number is None:
        return "no cell yet"
    first = next((line for line in cells[number].splitlines() if line.strip()), "")
    return f"cell {number + 1}, which begins `{first.strip()[:60]}`"

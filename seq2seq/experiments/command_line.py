"""What every experiment's command line has: ``--quick`` for a smoke test, ``--out`` for the folder of the results.

Where an experiment prints a table, :func:`parser_with_show` adds ``--show``: the table of the results that are there.
Where it has several runs, :func:`add_seeds` adds ``--seeds``, and :func:`resume` makes those that are not there yet.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from seq2seq.experiments.recipe import RESULTS


def parser(command: str, title: str) -> argparse.ArgumentParser:
    """A parser with the two options; the experiment adds its own."""
    made = argparse.ArgumentParser(prog=command, description=title)
    made.add_argument("--quick", action="store_true", help="a smoke test: tiny budget, results in a temporary folder")
    made.add_argument("--out", type=Path, help="the folder of all results")
    return made


def parser_with_show(command: str, title: str) -> argparse.ArgumentParser:
    made = parser(command, title)
    made.add_argument("--show", action="store_true", help="only print the table of the results that are there")
    return made


def add_seeds(made: argparse.ArgumentParser, usual: int) -> None:
    """How many seeds, from 0; a smoke test has one unless told otherwise."""
    made.add_argument("--seeds", type=int, help=f"how many, from 0; {usual} if not given")
    made.set_defaults(usual_seeds=usual)


def parse(made: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with ``out`` a folder that is there, and ``seeds`` a number where the parser has that option.

    Raises:
        SystemExit: ``--seeds`` is below 1.
    """
    options = made.parse_args(arguments)
    if "seeds" in options:
        if options.seeds is None:
            options.seeds = 1 if options.quick else options.usual_seeds
        if options.seeds < 1:
            made.error(f"--seeds: got {options.seeds}, expected at least 1; they are counted from 0.")
    options.out = options.out or (Path(tempfile.mkdtemp()) if options.quick else RESULTS)
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def read(path: Path) -> dict:
    """A report that is there.

    Raises:
        SystemExit: it is not.
    """
    if not path.exists():
        raise SystemExit(f"{path}: not there; run the experiment without --show first.")
    return json.loads(path.read_text())


def write(path: Path, report: dict) -> None:
    path.write_text(json.dumps(report, indent=1) + "\n")


def resume(path: Path, settings: dict, run: Callable[[], dict]) -> dict:
    """The record of a run that is there, if it is of these settings; else that of a run made and kept now."""
    if not is_done(path, settings):
        write(path, run())
    return read(path)


def is_done(path: Path, settings: dict) -> bool:
    return path.exists() and read(path)["settings"] == settings

"""What every experiment's command line has: ``--quick`` for a smoke test, ``--out`` for the folder of the results.

Where an experiment prints a table, :func:`parser_with_show` adds ``--show``: the table of the results that are there.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
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


def parse(made: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with ``out`` a folder that is there."""
    options = made.parse_args(arguments)
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

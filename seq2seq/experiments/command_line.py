"""What every experiment's command line has: ``--quick`` for a smoke test, ``--out`` for the folder of the results."""

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


def parse(made: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, with ``out`` a folder that is there."""
    options = made.parse_args(arguments)
    options.out = options.out or (Path(tempfile.mkdtemp()) if options.quick else RESULTS)
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def write(path: Path, report: dict) -> None:
    path.write_text(json.dumps(report, indent=1) + "\n")

"""The options of every experiment: ``--quick`` for a smoke test, ``--out`` for the results folder.

For experiments that print a table, :func:`parser_with_show` adds ``--show``: the table of existing results.
For those with several runs, :func:`add_seeds` adds ``--seeds``, and :func:`resume` does the missing runs.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from seq2seq.experiments.recipe import RESULTS
from seq2seq.streams import print_anything


def parser(command: str, title: str) -> argparse.ArgumentParser:
    """A parser with the two common options; the experiment adds its own, and prints what it likes."""
    print_anything()
    options_parser = argparse.ArgumentParser(prog=command, description=title)
    options_parser.add_argument(
        "--quick", action="store_true", help="a smoke test: tiny budget, results in a temporary folder"
    )
    options_parser.add_argument("--out", type=Path, help="the results folder")
    return options_parser


def parser_with_show(command: str, title: str) -> argparse.ArgumentParser:
    options_parser = parser(command, title)
    options_parser.add_argument("--show", action="store_true", help="only print the table of existing results")
    return options_parser


def add_seeds(options_parser: argparse.ArgumentParser, default: int) -> None:
    """Adds the number of seeds, counted from 0; a smoke test has one by default."""
    options_parser.add_argument("--seeds", type=int, help=f"number of seeds, counted from 0 (default: {default})")
    options_parser.set_defaults(default_seeds=default)


def parse(options_parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options: ``out`` is an existing folder, and ``seeds``, if the parser has it, a number.

    Raises:
        SystemExit: ``--seeds`` is below 1.
    """
    options = options_parser.parse_args(arguments)
    if "seeds" in options:
        if options.seeds is None:
            options.seeds = 1 if options.quick else options.default_seeds
        if options.seeds < 1:
            options_parser.error(f"--seeds: got {options.seeds}, expected at least 1; seeds are counted from 0.")
    options.out = options.out or (Path(tempfile.mkdtemp()) if options.quick else RESULTS)
    options.out.mkdir(parents=True, exist_ok=True)
    return options


def read(path: Path) -> dict:
    """An existing report.

    Raises:
        SystemExit: the file does not exist.
    """
    if not path.exists():
        raise SystemExit(f"{path}: not found; run the experiment without --show first.")
    return json.loads(path.read_text())


def write(path: Path, report: dict) -> None:
    path.write_text(json.dumps(report, indent=1) + "\n")


def resume(path: Path, settings: dict, run: Callable[[], dict]) -> dict:
    """The saved record of a run if it has these settings; otherwise does the run and saves its record."""
    if not is_done(path, settings):
        write(path, run())
    return read(path)


def resume_all(
    folder: Path, models: Iterable[str], seeds: int, settings: dict, run: Callable[[str, int], dict]
) -> dict[str, list[dict]]:
    """The records of all models, one for each seed from 0; those that are in the folder are not made again."""
    folder.mkdir(parents=True, exist_ok=True)
    found: dict[str, list[dict]] = {name: [] for name in models}
    for seed in range(seeds):
        for name, records in found.items():
            records.append(resume(folder / f"{name}-{seed}.json", settings, partial(run, name, seed)))
    return found


def is_done(path: Path, settings: dict) -> bool:
    return path.exists() and read(path)["settings"] == settings

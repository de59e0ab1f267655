"""The frame of every experiment: its options, what a smoke test changes of its settings, its report and its table.

What differs between two experiments is data or a function that they give to the frame.
An experiment that measures once is a :class:`Measurement`; one of several models from several seeds is
:class:`~seq2seq.experiments.runs.Runs`.
"""

import argparse
import json
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import torch

from seq2seq.device import choose_device
from seq2seq.experiments.recipe import RESULTS
from seq2seq.streams import print_anything

COMMAND = "python -m seq2seq.experiments"


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A figure or a table of the book, by the name of its results.

    `quick` overrides `settings` in a smoke test, and what `asked` takes from the options overrides both.
    `options` are the experiment's own, with what argparse is to know of each.
    `seeds` is the number of seeds, counted from 0; 0 if nothing is repeated.
    `folder` is where its files are kept: what is asked for by ``--out``, and a smoke test, leaves that alone.
    `table(report)` is what is printed; ``--show`` prints it of existing results.
    """

    name: str
    title: str
    settings: dict = field(default_factory=dict)
    quick: dict = field(default_factory=dict)
    asked: Callable[[argparse.Namespace], dict] = field(default=lambda options: {})
    options: Mapping[str, dict] = field(default_factory=dict)
    seeds: int = 0
    folder: Path = RESULTS
    table: Callable[[dict], str] | None = None

    @property
    def command(self) -> str:
        return f"{COMMAND} {self.name}"

    def main(self, arguments: Sequence[str] | None = None) -> None:
        print_anything()
        options = self.parse(arguments)
        path = options.out / f"{self.name}.json"
        if options.show:
            report: dict | None = read(path)
        else:
            torch.set_num_threads(1)
            report = self.report(options)
        if self.table and report:
            print(self.table(report))

    def parse(self, arguments: Sequence[str] | None) -> argparse.Namespace:
        """The options: ``out`` is an existing folder, and ``seeds``, if there is that option, a number.

        Raises:
            SystemExit: an option has no meaning, or ``--out`` cannot be a folder.
        """
        parser = self.parser()
        options = parser.parse_args(arguments)
        if options.quick and getattr(options, "data", None):
            parser.error("--data: a smoke test makes its own sentences; leave out --data or --quick.")
        if self.seeds and options.seeds is None:
            options.seeds = 1 if options.quick else self.seeds
        options.out = options.out or (Path(tempfile.mkdtemp()) if options.quick else self.folder)
        try:
            options.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            parser.error(f"--out: {error}; expected a folder, or where one can be made.")
        return options

    def parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(prog=self.command, description=self.title)
        add_common(parser, bool(self.table))
        if self.seeds:
            parser.add_argument("--seeds", type=count, help=f"number of seeds, from 0 (default: {self.seeds})")
        for name, about in self.options.items():
            parser.add_argument(name, **about)
        return parser

    def settings_for(self, options: argparse.Namespace) -> dict:
        settings = self.settings | (self.quick if options.quick else {}) | self.asked(options)
        if "seeds" in settings:
            settings["seeds"] = options.seeds
        return settings

    def report(self, options: argparse.Namespace) -> dict | None:
        """Measures, writes the report and returns it; None if what is written is no report."""
        raise NotImplementedError

    def write(self, out: Path, entries: dict) -> dict:
        report = {"command": self.command} | entries
        write(out / f"{self.name}.json", report)
        return report


@dataclass(frozen=True, kw_only=True)
class Measurement(Experiment):
    """What is measured once: ``measure(settings, options)`` returns the report's entries after the command.

    It returns None if it writes files of its own.
    """

    measure: Callable[[dict, argparse.Namespace], dict | None]

    def report(self, options: argparse.Namespace) -> dict | None:
        entries = self.measure(self.settings_for(options), options)
        return None if entries is None else self.write(options.out, entries)


def add_common(parser: argparse.ArgumentParser, shows: bool = True) -> None:
    """Adds the options that every experiment has, and ``--show`` if there is a table."""
    parser.add_argument("--quick", action="store_true", help="a smoke test: tiny, results in a temporary folder")
    parser.add_argument("--out", type=Path, help="another folder for the results")
    parser.set_defaults(show=False)
    if shows:
        parser.add_argument("--show", action="store_true", help="only print the table of existing results")


def count(text: str) -> int:
    """The value of an option that counts.

    Raises:
        ArgumentTypeError: it is not a whole number, at least 1.
    """
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"got {text}, expected at least 1, a whole number")
    return int(text)


def minutes(text: str) -> float:
    """The value of an option that is a time.

    Raises:
        ArgumentTypeError: it is not a finite number above 0.
    """
    with suppress(ValueError):
        if 0 < float(text) < math.inf:
            return float(text)
    raise argparse.ArgumentTypeError(f"got {text}, expected a finite number above 0")


def device(text: str) -> str:
    """The value of an option that names a device.

    Raises:
        ArgumentTypeError: it is not on this machine, or PyTorch does not know the name.
    """
    try:
        choose_device(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{error}") from None
    return text


def read(path: Path) -> dict:
    """An existing report, or the record of a run.

    Raises:
        SystemExit: the file does not exist, or is damaged.
    """
    if not path.exists():
        raise SystemExit(f"{path}: not found; run the experiment without --show first.")
    try:
        report = json.loads(path.read_text())
    except ValueError as error:
        raise SystemExit(f"{path}: damaged, {error}; move it away and run the experiment again.") from None
    if not (isinstance(report, dict) and report):
        raise SystemExit(f"{path}: got {report!r:.40}, expected a report; move it away and run the experiment again.")
    return report


def write(path: Path, report: dict) -> None:
    """The file is the old one or the new one at any time, also if this is interrupted."""
    part = path.with_name(f"{path.name}.part")
    part.write_text(json.dumps(report, indent=1) + "\n")
    part.replace(path)

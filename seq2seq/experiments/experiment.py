"""The frame of every experiment: its options, what a smoke test changes of its settings, its report and its table.

What differs between two experiments is data or a function that they give to the frame.
An experiment that measures once is a :class:`Measurement`; one of several models from several seeds is
:class:`~seq2seq.experiments.runs.Runs`.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import torch

from seq2seq.experiments.recipe import RESULTS
from seq2seq.streams import print_anything

COMMAND = "python -m seq2seq.experiments"


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """A figure or a table of the book, by the name of its results.

    `quick` overrides `settings` in a smoke test, and what `asked` takes from the options overrides both.
    `options` are the experiment's own, with what argparse is to know of each.
    `seeds` is the number of seeds, counted from 0; 0 if nothing is repeated.
    `table(report)` is what is printed; ``--show`` prints it of existing results.
    """

    name: str
    title: str
    settings: dict = field(default_factory=dict)
    quick: dict = field(default_factory=dict)
    asked: Callable[[argparse.Namespace], dict] = field(default=lambda options: {})
    options: Mapping[str, dict] = field(default_factory=dict)
    seeds: int = 0
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
            SystemExit: ``--seeds`` is below 1.
        """
        parser = self.parser()
        options = parser.parse_args(arguments)
        if self.seeds:
            if options.seeds is None:
                options.seeds = 1 if options.quick else self.seeds
            if options.seeds < 1:
                parser.error(f"--seeds: got {options.seeds}, expected at least 1; seeds are counted from 0.")
        options.out = options.out or (Path(tempfile.mkdtemp()) if options.quick else RESULTS)
        options.out.mkdir(parents=True, exist_ok=True)
        return options

    def parser(self) -> argparse.ArgumentParser:
        parser = argparse.ArgumentParser(prog=self.command, description=self.title)
        add_common(parser, bool(self.table))
        if self.seeds:
            parser.add_argument("--seeds", type=int, help=f"number of seeds, from 0 (default: {self.seeds})")
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
    parser.add_argument("--out", type=Path, help="the results folder")
    parser.set_defaults(show=False)
    if shows:
        parser.add_argument("--show", action="store_true", help="only print the table of existing results")


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

"""Experiments of several models from several seeds: one record for each run, one report of all.

Each run writes its record when it finishes, and the report collects them; a run that is in the report or has a record,
with the same settings, is skipped. The report is under version control, the records are not.
Records without their settings are only in the report, and their runs are done again.
"""

import argparse
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn

from seq2seq.corpora.download import DownloadError
from seq2seq.experiments.experiment import Experiment, read, write
from seq2seq.training import save_checkpoint

Cell = tuple[Any, ...]  # the words that name a model in the report: one, or two where the report has two levels
# Entries that a record has only if the experiment lists them.
COMMON = {"model", "seed", "settings", "torch", "device", "parameters", "steps", "target_tokens", "cpu_seconds"}
COMMON |= {"training_loss"}


@dataclass(frozen=True, kw_only=True)
class Runs(Experiment):
    """Models × seeds; ``main`` runs what is missing.

    `models` are the models by name, or by several words; ``run(*words, seed, settings, data)`` trains and measures
    one, and returns it (or None) with the entries of its record, of which `record` lists those that come first.
    `data(settings, options)` makes what all runs share, and `of_data` what the settings tell of it.
    `by` are the entries of a record, or of its settings, that hold the words, and `choices` those by which an option
    selects models, with what is selected if the option is not given, or with a function of other options that selects;
    `smoke` are the models of a smoke test, if not all.
    `settings_of(words, settings)` are the settings of one model's runs, `fewer` the models with fewer seeds.
    `saved` are the models whose first run's weights are saved, in half precision, with their file in the results.
    The report has the settings if they are `shared`, the entries of `head(settings, data)`, and the runs `under` a
    name, as `lay_out(runs, data)` arranges them: by their words if not told otherwise.
    """

    models: Collection[Any]
    run: Callable[..., tuple[nn.Module | None, dict]]
    record: str
    data: Callable[[dict, argparse.Namespace], Any] = field(default=lambda settings, options: None)
    of_data: Callable[[Any], dict] = field(default=lambda data: {})
    by: tuple[str, ...] = ("model",)
    choices: Mapping[str, Sequence | Callable[[argparse.Namespace], Sequence] | None] = field(default_factory=dict)
    smoke: Sequence[Any] = ()
    settings_of: Callable[[Cell, dict], dict] = field(default=lambda cell, settings: settings)
    fewer: Mapping[Any, int] = field(default_factory=dict)
    saved: Mapping[Any, str] = field(default_factory=dict)
    shared: bool = True
    head: Callable[[dict, Any], dict] = field(default=lambda settings, data: {})
    under: str = "models"
    lay_out: Callable[[dict[Cell, list[dict]], Any], Any] = field(default=lambda runs, data: nested(runs))

    @property
    def cells(self) -> list[Cell]:
        return list(map(_cell, self.models))

    def parser(self) -> argparse.ArgumentParser:
        parser = super().parser()
        for entry, usual in self.choices.items():
            if not callable(usual):
                values = list(dict.fromkeys(cell[self.by.index(entry)] for cell in self.cells))
                parser.add_argument(f"--{entry}s", nargs="+", type=type(values[0]), choices=values)
        return parser

    def asked_cells(self, options: argparse.Namespace) -> list[Cell]:
        """The cells that the options select, or else those of a smoke test, or those selected without options."""
        asked = {entry: getattr(options, f"{entry}s", None) for entry in self.choices}
        if options.quick and self.smoke and not any(asked.values()):
            return list(map(_cell, self.smoke))
        cells = self.cells
        for entry, usual in self.choices.items():
            if values := asked[entry] or (usual(options) if callable(usual) else usual):
                cells = [cell for cell in cells if cell[self.by.index(entry)] in values]
        return cells

    def report(self, options: argparse.Namespace) -> dict:
        settings = self.settings_for(options)
        try:
            data = self.data(settings, options)
        except (DownloadError, FileNotFoundError, ValueError) as error:  # of files that are given, or are not there
            raise SystemExit(f"{error}") from None
        settings |= self.of_data(data)
        entries = ({"settings": settings} if self.shared else {}) | self.head(settings, data)
        fewer = {_cell(words): seeds for words, seeds in self.fewer.items()}
        new: dict[Cell, dict[int, dict]] = {cell: {} for cell in self.cells}
        for seed in range(options.seeds):  # outer loop: if interrupted, all models have equally many seeds
            for cell in self.asked_cells(options):
                done = self.known(options.out, settings)[cell]
                if seed < fewer.get(cell, options.seeds) and seed not in done:
                    new[cell][seed] = self.run_cell(cell, seed, self.settings_of(cell, settings), data, options.out)
                    self.collect(options.out, settings, data, entries, new)
        return self.collect(options.out, settings, data, entries, new)

    def collect(self, out: Path, settings: dict, data: Any, entries: dict, new: dict[Cell, dict[int, dict]]) -> dict:
        """Writes the report of all runs: the new ones, and all others that are known by now."""
        by_seed = {cell: known | new[cell] for cell, known in self.known(out, settings).items()}
        runs = {cell: [records[seed] for seed in sorted(records)] for cell, records in by_seed.items() if records}
        arranged = self.lay_out(runs, data)
        return self.write(out, entries | ({self.under: arranged} if self.under else arranged))

    def run_cell(self, cell: Cell, seed: int, settings: dict, data: Any, out: Path) -> dict:
        """Does one run and saves its record and, if they are to be saved, its weights; returns the record."""
        model, entries = self.run(*cell, seed, settings, data)
        names = dict(zip(self.by, cell, strict=True))
        entries = names | {"seed": seed, "settings": settings} | entries
        order = self.record.split()
        record = {entry: entries[entry] for entry in order if entry in entries}
        record |= {entry: value for entry, value in entries.items() if entry not in (*order, *COMMON, *self.by)}
        files = {_cell(words): out / file for words, file in self.saved.items()}
        if model is not None and cell in files and seed == 0:
            files[cell].parent.mkdir(exist_ok=True)
            save_checkpoint(files[cell], model, torch.float16)
        if "settings" in record:
            (out / self.name).mkdir(exist_ok=True)
            write(out / self.name / f"{_label(cell)}-{seed}.json", record)
        return record

    def known(self, out: Path, settings: dict) -> dict[Cell, dict[int, dict]]:
        """All runs with these settings, by cell and seed: those of the report, and those that have only a record."""
        path = out / f"{self.name}.json"
        report = read(path) if path.exists() else {}
        before = list(_records(report.get(self.under, {}) if self.under else report))
        runs = {}
        for cell in self.cells:
            wanted = self.settings_of(cell, settings)
            records = [record for words, record in before if self._cell_of(record, words) == cell]
            files = (out / self.name).glob(f"{_label(cell)}-[0-9]*.json")
            records += map(read, files)
            runs[cell] = {record["seed"]: record for record in records if record["settings"] == wanted}
        return runs

    def _cell_of(self, record: dict, words: Cell) -> Cell:
        """The cell of a record of the report, which stands under these words: they may be in it, or in its settings."""
        entries = record["settings"] | record
        return tuple(entries[entry] for entry in self.by) if all(entry in entries for entry in self.by) else words


def _cell(words: Any) -> Cell:
    return words if isinstance(words, tuple) else (words,)


def _label(cell: Cell) -> str:
    return "-".join(map(str, cell))


def _records(part: Any, words: Cell = ()) -> Iterator[tuple[Cell, dict]]:
    """Every record with settings in a part of a report, with the words under which it stands."""
    if isinstance(part, list):
        for each in part:
            yield from _records(each, words)
    elif isinstance(part, dict) and "seed" in part and "settings" in part:
        yield words, part
    elif isinstance(part, dict):
        for word, each in part.items():
            yield from _records(each, (*words, word))


def nested(runs: Mapping[Cell, list[dict]]) -> dict:
    """The runs under the words of their cells, one level for each word."""
    arranged: dict = {}
    for (*outer, last), records in runs.items():
        level = arranged
        for word in outer:
            level = level.setdefault(word, {})
        level[last] = records
    return arranged


def listed(runs: Mapping[Cell, list[dict]], data: Any = None) -> list[dict]:
    """All runs in a list; their words are in their records."""
    return [record for records in runs.values() for record in records]

"""Runs experiments, each in a process of its own: except on Windows a fork, as this one has imported the library.

    python -m seq2seq.experiments                     # all results of the book: two days on one core; resumes
    python -m seq2seq.experiments --quick             # a smoke test of each, results in a temporary folder
    python -m seq2seq.experiments --show              # the tables of existing results; trains nothing
    python -m seq2seq.experiments reversal padding    # some of them
    python -m seq2seq.experiments reversal --help     # the options of one of them

A failed experiment does not stop the others; the exit code is then 1.
"""

import argparse
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import takewhile
from pathlib import Path

import torch._dynamo  # noqa: F401  every optimizer imports it, which takes a second: here once for all forks

from seq2seq.experiments.experiment import COMMAND, Experiment, add_common
from seq2seq.experiments.recipe import RESULTS
from seq2seq.streams import print_anything, to_a_reader

PROCESSES = multiprocessing.get_context() if sys.platform == "win32" else multiprocessing.get_context("fork")
# Experiments that read the results or trained models of others come after them.
MODULES = (
    "weighted_sum",
    "estimator",
    "gradient_norm",
    "scorer_cost",
    "scorers",
    "padding",
    "museum_curves",
    "reversal",
    "length_curve",
    "wirings",
    "bottleneck",
    "self_attention",
    "soft_hard",
    "captions",
    "speech",
    "guided",
    "both_ways",
    "explanation",
    "reverse_task",
    "headlines",
    "summaries",
    "alignment",
    "long_memory",
    "stories",
    "dates",
    "counting",
    "reading",
    "beam_size",
    "length_cost",
    "local_cost",
    "local_attention",
    "centres",
    "scheduled_sampling",
    "improper",
    "frequent_words",
    "forced_decoding",
    "live_models",
    "forming",
    "multi30k",
    "tatoeba",
    "everyday",
)


def _defined() -> Iterable[Experiment]:
    for module in MODULES:
        for value in vars(import_module(f"seq2seq.experiments.{module}")).values():
            if isinstance(value, Experiment):
                yield value


EXPERIMENTS = {experiment.name: experiment for experiment in _defined()}


def main(arguments: Sequence[str] | None = None) -> int:
    print_anything()
    given = list(sys.argv[1:] if arguments is None else arguments)
    names = list(takewhile(lambda argument: not argument.startswith("-"), given))
    parser = argparse.ArgumentParser(
        prog=f"{COMMAND} [NAME ...]",
        description=__doc__.splitlines()[0],
        epilog=f"The names are {', '.join(EXPERIMENTS)}; an experiment named alone may have further options.",
    )
    add_common(parser)
    if unknown := [name for name in names if name not in EXPERIMENTS]:
        parser.error(f"got {', '.join(unknown)}, expected names among {', '.join(EXPERIMENTS)}.")
    if len(names) == 1:
        EXPERIMENTS[names[0]].main(given[1:])
        return 0
    options = parser.parse_args(given[len(names) :])
    folder = options.out or (Path(tempfile.mkdtemp()) if options.quick else None)
    return _run([name for name in EXPERIMENTS if not names or name in names], folder, options.quick, options.show)


def _run(names: Iterable[str], folder: Path | None, quick: bool, show: bool) -> int:
    failed = []
    for name in names:
        if show and not EXPERIMENTS[name].table:
            continue
        started = time.monotonic()
        print(f"\n== {name}", flush=True)
        if show and not ((folder or RESULTS) / f"{name}.json").exists():
            print("no results yet")
            continue
        out = ["--out", str(folder)] if folder else []
        if _apart(name, out + ["--quick"] * quick + ["--show"] * show):
            failed.append(name)
        if not show:
            print(f"== {name}: {time.monotonic() - started:.0f} s", flush=True)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _apart(name: str, arguments: Sequence[str]) -> int | None:
    """Runs one experiment in a process of its own; returns its exit code."""
    process = PROCESSES.Process(target=_run_here, args=(name, arguments))
    process.start()
    process.join()
    return process.exitcode


def _run_here(name: str, arguments: Sequence[str]) -> None:
    EXPERIMENTS[name].main(arguments)


if __name__ == "__main__":
    with to_a_reader():
        sys.exit(main())

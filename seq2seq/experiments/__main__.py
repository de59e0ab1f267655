"""Runs every experiment in turn, each in a fork of its own of this process, which has imported the library.

    python -m seq2seq.experiments            # all results of the book: two days on one core; resumes where it stopped
    python -m seq2seq.experiments --quick    # a smoke test of each, results in a temporary folder
    python -m seq2seq.experiments --show     # the tables of existing results; trains nothing
    python -m seq2seq.experiments --only reversal padding

A failed experiment does not stop the others; the exit code is then 1.
"""

import argparse
import multiprocessing
import runpy
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import torch._dynamo  # noqa: F401  every optimizer imports it, which takes a second: here once for all forks

from seq2seq.experiments import study  # noqa: F401  so too the library
from seq2seq.experiments.recipe import RESULTS
from seq2seq.streams import print_anything

# Experiments that read the results or trained models of others come after them.
EXPERIMENTS = (
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
    "directions",
    "bottleneck",
    "orders",
    "self_attention",
    "plateau",
    "soft_hard",
    "hard_draws",
    "captions",
    "speech",
    "guided",
    "both_ways",
    "explanation",
    "reverse_task",
    "feeding",
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
    "local_p",
    "centres",
    "scheduled_sampling",
    "improper",
    "stochastic",
    "capstone",
    "fixed_vector",
    "dates_checkpoints",
    "forced_decoding",
    "live_models",
    "forming",
    "multi30k",
    "tatoeba",
    "everyday",
)

# Chapters and exercises use their results directly.
WITHOUT_TABLE = (
    "weighted_sum",
    "gradient_norm",
    "scorer_cost",
    "scorers",
    "padding",
    "museum_curves",
    "centres",
    "capstone",
    "fixed_vector",
    "dates_checkpoints",
    "forced_decoding",
    "live_models",
    "forming",
)


def main(arguments: list[str] | None = None) -> int:
    print_anything()
    parser = argparse.ArgumentParser(prog="python -m seq2seq.experiments", description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a smoke test of each, results in a temporary folder")
    parser.add_argument("--show", action="store_true", help="only print the tables of existing results")
    parser.add_argument("--only", nargs="+", default=EXPERIMENTS, choices=EXPERIMENTS, metavar="NAME")
    options = parser.parse_args(arguments)
    folder = Path(tempfile.mkdtemp()) if options.quick else RESULTS
    failed = []
    for name in EXPERIMENTS:
        if name in options.only and not (options.show and name in WITHOUT_TABLE):
            started = time.monotonic()
            print(f"\n== {name}", flush=True)
            if options.show and not (folder / f"{name}.json").exists():
                print("no results yet")
                continue
            if _fork(name, ["--out", str(folder)] + ["--quick"] * options.quick + ["--show"] * options.show):
                failed.append(name)
            if not options.show:
                print(f"== {name}: {time.monotonic() - started:.0f} s", flush=True)
    if failed:
        print(f"\nfailed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def _fork(name: str, arguments: Sequence[str]) -> int | None:
    """Runs one experiment as ``python -m`` would; returns its exit code."""
    process = multiprocessing.get_context("fork").Process(target=_experiment, args=(name, arguments))
    process.start()
    process.join()
    return process.exitcode


def _experiment(name: str, arguments: Sequence[str]) -> None:
    sys.argv = [name, *arguments]
    runpy.run_module(f"seq2seq.experiments.{name}", run_name="__main__")


if __name__ == "__main__":
    sys.exit(main())

"""``paste``: the points that pasted code earns."""

import argparse
from dataclasses import asdict

from autograder.commands.cli import OK, show

TEXT = """\
Pastes every listing of the book, or every definition of the library, into every task, and prints the points it earns.

examples:
  python -m autograder paste                           what visible code of the book earns
  python -m autograder paste --library                 what the whole library earns
  python -m autograder paste --library --variant K     the same for a class with variants
  python -m autograder paste --exercise 05_scorers     in one exercise
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--library", action="store_true", help="paste the library, not the book")
    parser.add_argument("--variant", metavar="KEY", default="", help="the task variants of this key")
    parser.add_argument("--exercise", action="append", default=[], metavar="NAME", help="only this exercise")
    parser.add_argument("--json", action="store_true", help="print the tasks as JSON")


def run(options: argparse.Namespace) -> int:
    import torch

    from autograder.assignments import pasting

    torch.set_num_threads(1)
    pastes = pasting.of_the_library() if options.library else pasting.of_the_book(options.root)
    tasks = list(pasting.earned(options.root, pastes, options.variant, tuple(options.exercise)))
    lines = [
        f"{task.exercise} {task.task}: {task.earned:g} of {task.points:g}, by {', '.join(task.by[:3])}"
        for task in tasks
        if task.earned
    ]
    got, of = (sum(getattr(task, name) for task in tasks) for name in ("earned", "points"))
    share = f" ({100 * got / of:.0f} %)" if of else ""
    lines.append(f"{len(pastes)} definitions pasted into {len(tasks)} tasks: {got:g} of {of:g} automatic points{share}")
    show(options, [asdict(task) for task in tasks], "\n".join(lines))
    return OK

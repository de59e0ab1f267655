"""``try``: runs a task's checks on its mistakes and on every small change to its reference."""

import argparse
import importlib
from collections.abc import Iterable
from typing import TYPE_CHECKING

from autograder.commands.cli import FAILED, OK
from autograder.errors import UsageError

if TYPE_CHECKING:
    from autograder.assignments.trial import Trial

TEXT = """\
Tries out tasks: their mistakes, their variants, and every small change to the reference.
They are those of autograder/tasks/, and in a class's folder those of its tasks/ too.

A mistake is handled correctly if the visible check reports its id and the hidden one does not contradict that.
A small change that passes both checks is a gap in the cases, unless it does not affect what the task asks for.

examples:
  python -m autograder try scorers                  every task of the file
  python -m autograder try scorers.dot_scorer       one task
  python -m autograder try scorers.dot_scorer --all also the correct messages
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("task", help="a file of tasks, or one of its tasks, such as scorers.dot_scorer")
    parser.add_argument("--all", action="store_true", help="show every message")


def run(options: argparse.Namespace) -> int:
    import torch

    from autograder.assignments import trial
    from autograder.assignments.class_tasks import include_tasks

    torch.set_num_threads(1)
    include_tasks(options.root)
    module, _, name = options.task.partition(".")
    try:
        tasks = importlib.import_module(f"autograder.tasks.{module}").check.tasks
    except ModuleNotFoundError as error:
        if error.name != f"autograder.tasks.{module}":
            raise
        raise UsageError(f"there is no file autograder/tasks/{module}.py.") from None
    if name and name not in tasks:
        raise UsageError(f"{module} has no task {name!r}, expected one of: {', '.join(tasks)}.")
    faults = 0
    for task in (task for key, task in tasks.items() if name in ("", key)):
        trials, variants, survivors = trial.mistakes(task), trial.variants(task), trial.survivors(task)
        faults += _show(f"{task.id}: mistakes", trials, options.all) + _show("variants", variants, options.all)
        left = list(survivors)
        print(f"  small changes that survive: {len(left)}")
        for words in left:
            print("\n".join(f"    {line}" for line in words.splitlines()))
        faults += len(left)
    return FAILED if faults else OK


def _show(title: str, trials: "Iterable[Trial]", everything: bool) -> int:
    tried = list(trials)
    problems = [trial for trial in tried if trial.problem]
    slowest = max((trial.seconds for trial in tried), default=0.0)
    print(f"{title}: {len(tried)}, {len(problems)} handled wrongly; slowest {slowest:.2f} s")
    for trial in tried if everything else problems:
        print(f"    {trial.name}{': ' + trial.problem if trial.problem else ''}")
        for sentence in (trial.visible, trial.hidden):
            if sentence is not None:
                print(f"      {sentence}")
    return len(problems)

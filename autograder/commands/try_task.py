"""``try``: what a task's checks make of its mistakes, and of every small change of its reference."""

import argparse
import importlib

from autograder.commands.frame import FAILED, OK, add

TEXT = """\
Tries out tasks of autograder/tasks/: their mistakes, their variants, and every small change of the reference.

A mistake is in order when the visible check tells it by its own id, and the hidden one does not contradict that.
A small change that both checks let pass is a fault of the cases, unless it changes nothing that the task asks for.

examples:
  python -m autograder try scorers                  every task of the file
  python -m autograder try scorers.dot_scorer       one task
  python -m autograder try scorers.dot_scorer --all also the sentences that are in order
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "try", TEXT)
    parser.add_argument("task", help="a file below autograder/tasks, or one of its tasks, as scorers.dot_scorer")
    parser.add_argument("--all", action="store_true", help="show every sentence")
    parser.set_defaults(run=try_task)


def try_task(options: argparse.Namespace) -> int:
    import torch

    from autograder.authoring import trial
    from autograder.grading.refusal import UsageError

    torch.set_num_threads(1)
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


def _show(title: str, trials: object, everything: bool) -> int:
    count, slowest, problems = 0, 0.0, 0
    lines = []
    for one in trials:
        count, slowest, problems = count + 1, max(slowest, one.seconds), problems + bool(one.problem)
        if one.problem or everything:
            lines.append(f"    {one.name}{': ' + one.problem if one.problem else ''}")
            lines += [f"      {sentence}" for sentence in (one.visible, one.hidden) if sentence is not None]
    print(f"{title}: {count}, {problems} not in order; slowest {slowest:.2f} s")
    print("\n".join(lines) + ("\n" if lines else ""), end="")
    return problems

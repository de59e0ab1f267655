"""``python -m autograder``: build the exercises, grade a class, check one notebook, examine the machine."""

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence

from autograder.commands import (
    build,
    check,
    cli,
    collect,
    doctor,
    export,
    feedback,
    grade,
    paste,
    regrade,
    report,
    try_task,
    wheel,
)

COMMANDS = (build, collect, grade, regrade, check, feedback, export, report, doctor, try_task, paste, wheel)

DESCRIPTION = """\
The course's exercises and their grader.

  build    solutions/*.py  →  exercises/, what learners open
  collect  a download from Canvas, Moodle or Gradescope  →  a folder of submissions
  grade    a folder of submissions  →  gradebook, feedback pages, a table
  regrade  the submissions of a gradebook, judged again  →  what changed, and why
  check    one notebook, as its learner would see it graded (visible checks only)
  feedback learners' feedback, rewritten after changes in the gradebook
  export   grades for Canvas, Moodle, Gradescope; code for JPlag, Dolos
  report   a graded class  →  one page: scores, frequent mistakes, weak checks, work that needs a person
  doctor   whether this machine can run learners' code safely
  paste    the points that code pasted from the book or the library earns
  wheel    the package that learners install
  try      a task in development: which mistakes are reported, which small changes go unnoticed
"""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="python -m autograder", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    names = " | ".join(command.__name__.rpartition(".")[2].removesuffix("_task") for command in COMMANDS)
    subparsers = top.add_subparsers(dest="command", required=True, metavar=names)
    for command in COMMANDS:
        command.add_to(subparsers)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    options.root = options.root.resolve()
    return cli.run(options)


def leave(status: int) -> None:
    """Ends the process without the interpreter's shutdown, which takes 0.2 s or more."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        pass  # the reader is gone
    except OSError as error:
        print(f"the output could not be written: {error.strerror}.", file=sys.stderr)
        status = status or cli.FAILED
    with contextlib.suppress(OSError, ValueError):  # it may be closed
        sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    leave(main())

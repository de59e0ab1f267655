"""``python -m autograder``: build the exercises, grade a class, check one notebook, examine the machine."""

import argparse
import contextlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from autograder.commands import (
    build,
    check,
    cli,
    collect,
    doctor,
    export,
    feedback,
    grade,
    gradescope,
    hub,
    new_class,
    paste,
    regrade,
    report,
    send,
    syllabus,
    try_task,
    wheel,
    workflow,
)
from seq2seq.streams import print_anything

WRITING = (syllabus, build, collect, grade, regrade, feedback, export, report)  # into the folder of a class
COMMANDS = (
    *(new_class, *WRITING, send, check, doctor, hub),
    *(try_task, paste, wheel, gradescope, workflow),
)
WHERE = "the folder of a class or of the course (default: this one or one above with a class.toml, else the course's)"


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m autograder", description="The course's exercises and their grader.")
    modules = {command.__name__.rpartition(".")[2]: command for command in COMMANDS}
    commands = {name.removesuffix("_task").replace("_", "-"): command for name, command in modules.items()}
    subparsers = top.add_subparsers(dest="command", required=True, metavar=" | ".join(commands))
    for name, command in commands.items():
        text, form = command.TEXT, argparse.RawDescriptionHelpFormatter
        subparser = subparsers.add_parser(name, description=text, formatter_class=form, help=text.splitlines()[0])
        subparser.add_argument("--root", type=Path, metavar="DIR", help=WHERE)
        subparser.add_argument("--debug", action="store_true", help="show the Python traceback of an internal error")
        command.add_options(subparser)
        subparser.set_defaults(run=command.run, needs_class=command in WRITING, default=subparser.get_default)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    print_anything()
    options = parser().parse_args(arguments)
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

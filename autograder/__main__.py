"""``python -m autograder``: build the exercises, grade a class, check one notebook, examine the machine."""

import argparse
import contextlib
import os
import re
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
from autograder.errors import nearest
from seq2seq.streams import print_anything

WRITING = (syllabus, build, collect, grade, regrade, feedback, export, report)  # into the folder of a class
COMMANDS = {
    command.__name__.rpartition(".")[2].removesuffix("_task").replace("_", "-"): command
    for command in (new_class, *WRITING, send, check, doctor, hub, try_task, paste, wheel, gradescope, workflow)
}
WHERE = "the folder of a class or of the course (default: this one or one above with a class.toml, else the course's)"


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="python -m autograder", description="The course's exercises and their grader.")
    subparsers = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, command in COMMANDS.items():
        text, form = command.TEXT, argparse.RawDescriptionHelpFormatter
        subparser = subparsers.add_parser(name, description=text, formatter_class=form, help=text.splitlines()[0])
        subparser.register("type", Path, path)
        subparser.add_argument("--root", type=Path, metavar="DIR", help=WHERE)
        subparser.add_argument("--debug", action="store_true", help="show the Python traceback of an internal error")
        command.add_options(subparser)
        subparser.set_defaults(run=command.run, needs_class=command in WRITING, parser=subparser)
    return top


def path(text: str) -> Path:
    """What an option names; an empty text would be the folder that we are in."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it is empty, expected a path; is a variable of the shell not set?")
    return Path(text)


def main(arguments: Sequence[str] | None = None) -> int:
    print_anything()
    return cli.run(parsed(sys.argv[1:] if arguments is None else arguments))


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The options; a mistake ends the process with the usage of the command that was meant, as far as it is known."""
    top, name = parser(), words[0] if words else ""
    if name not in COMMANDS and not name.startswith("-"):
        what = f"there is no command {name!r}{nearest(name, COMMANDS)}" if words else "a command is missing"
        top.error(f"{what}; the commands are {', '.join(COMMANDS)}.")
    options, unknown = top.parse_known_args(words)
    if unknown:
        known = re.findall(r"--[\w-]+", options.parser.format_usage())
        hints = (nearest(word.partition("=")[0], known) for word in unknown if word.startswith("-"))
        options.parser.error(f"unknown: {' '.join(unknown)}{next(filter(None, hints), '')}")
    return options


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

"""What the commands share: exit statuses, and errors as one line on stderr."""

import argparse
import contextlib
import sys
import traceback
from pathlib import Path

from autograder.terminal import Plain

ROOT = Path(__file__).resolve().parents[2]
OK, FAILED, USAGE, NO_SANDBOX, INTERRUPTED = 0, 1, 2, 3, 130


def add(subparsers: argparse._SubParsersAction, name: str, text: str) -> argparse.ArgumentParser:
    """Adds a command with the help ``text``, whose first line is its summary."""
    form = argparse.RawDescriptionHelpFormatter
    parser = subparsers.add_parser(name, description=text, formatter_class=form, help=text.splitlines()[0])
    parser.add_argument("--root", type=Path, default=ROOT, metavar="DIR", help="the course's folder")
    parser.add_argument("--debug", action="store_true", help="show the Python traceback of an internal error")
    return parser


def run(options: argparse.Namespace) -> int:
    """Runs the command; errors become one line on stderr and an exit status, and output is safe for terminals."""
    with contextlib.redirect_stdout(Plain(sys.stdout)), contextlib.redirect_stderr(Plain(sys.stderr)):
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    from autograder.authoring.assignment import UnknownAssignment
    from autograder.authoring.script import ScriptError
    from autograder.authoring.variants import VariantError
    from autograder.grading.grading_run import UsageError
    from autograder.judging.disk import StoreError, describe_disk_error
    from autograder.sandbox.errors import SandboxUnavailable

    try:
        return options.run(options)
    except (UsageError, UnknownAssignment, ScriptError, VariantError) as error:
        return _fail(options, error, USAGE)
    except SandboxUnavailable as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return NO_SANDBOX
    except StoreError as error:
        return _fail(options, error, FAILED)
    except KeyboardInterrupt:
        return _fail(options, "interrupted; what was judged is kept, run the same command to continue.", INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        return OK
    except Exception as error:
        if options.debug:
            traceback.print_exc()
        known = (
            describe_disk_error(error, options.output) if isinstance(error, OSError) and "output" in options else None
        )
        return _fail(options, known or f"{type(error).__name__}: {error}", FAILED)


def _fail(options: argparse.Namespace, message: object, status: int) -> int:
    line = " ".join(str(message).split())
    print(f"{options.command}: {line}", file=sys.stderr)
    return status

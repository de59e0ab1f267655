"""What the commands share: exit statuses, results as text or JSON, warnings and errors as one line on stderr."""

import argparse
import contextlib
import json
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autograder.errors import UsageError
from autograder.folders import default_root, is_class
from autograder.terminal import Plain

OK, FAILED, USAGE, NO_SANDBOX, INTERRUPTED = 0, 1, 2, 3, 130


def run(options: argparse.Namespace) -> int:
    """Runs the command; errors become one line on stderr and an exit status, and output is safe for terminals."""
    from autograder.sandbox.errors import SandboxUnavailable
    from autograder.store.disk import StoreError, describe_disk_error, describe_path_error

    with contextlib.redirect_stdout(Plain(sys.stdout)), contextlib.redirect_stderr(Plain(sys.stderr)):
        try:
            if options.root is None:
                options.root = default_root(options.needs_class)
                _enter_class(options)
            options.root = options.root.resolve()
            return options.run(options)
        except UsageError as error:
            return _fail(options, error, USAGE)
        except SandboxUnavailable as error:
            warn(options, error)
            return NO_SANDBOX
        except StoreError as error:
            return _fail(options, error, FAILED)
        except KeyboardInterrupt:
            why = "interrupted; what was judged is kept, run the same command to continue."
            return _fail(options, why, INTERRUPTED)
        except BrokenPipeError:
            sys.stderr.close()
            return OK
        except Exception as error:
            if options.debug:
                traceback.print_exc()
            known: object = None
            if isinstance(error, OSError):
                output = getattr(options, "output", None)  # it may be there and None
                known = (output and describe_disk_error(error, output)) or describe_path_error(error)
            return _fail(options, known or f"{type(error).__name__}: {error}", FAILED)


def _enter_class(options: argparse.Namespace) -> None:
    """From a folder below a class's go up to it, where defaults lie; what was named is meant from where we were."""
    here = Path.cwd()
    if options.root in here.parents and is_class(options.root):
        for name, value in [*vars(options).items()]:
            if value is not options.parser.get_default(name):
                setattr(options, name, _from(here, value))
        os.chdir(options.root)
        warn(options, f"in the class {options.root}.")


def _from(here: Path, value: Any) -> Any:
    if isinstance(value, list):
        return [_from(here, each) for each in value]
    return here / value if isinstance(value, Path) else value


def _fail(options: argparse.Namespace, message: object, status: int) -> int:
    warn(options, " ".join(str(message).split()))
    return status


def warn(options: argparse.Namespace, message: object) -> None:
    print(f"{options.command}: {message}", file=sys.stderr)


def show(options: argparse.Namespace, record: object, text: str) -> None:
    """Prints the result of a command that has the option --json."""
    print(json.dumps(record, indent=1) if options.json else text)


def columns(rows: Sequence[Sequence[str]], sides: str, header: bool = True) -> list[str]:
    """The rows as lines, the first underlined if it is a ``header``.

    sides: "<" or ">" for each column but the last, which is as long as it is.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)][:-1]
    lines = []
    for row in rows:
        cells = [f"{cell:{side}{width}}" for cell, side, width in zip(row, sides, widths, strict=False)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return [lines[0], "  ".join("─" * width for width in widths), *lines[1:]] if header else lines

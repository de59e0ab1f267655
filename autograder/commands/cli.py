"""What the commands share: exit statuses, and errors as one line on stderr."""

import argparse
import contextlib
import sys
import traceback

from autograder.terminal import Plain

OK, FAILED, USAGE, NO_SANDBOX, INTERRUPTED = 0, 1, 2, 3, 130


def run(options: argparse.Namespace) -> int:
    """Runs the command; errors become one line on stderr and an exit status, and output is safe for terminals."""
    with contextlib.redirect_stdout(Plain(sys.stdout)), contextlib.redirect_stderr(Plain(sys.stderr)):
        return _run(options)


def _run(options: argparse.Namespace) -> int:
    from autograder.authoring.assignment import UnknownAssignment
    from autograder.authoring.script import ScriptError
    from autograder.authoring.variants import VariantError
    from autograder.grading.errors import UsageError
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
        known = None
        if isinstance(error, OSError) and "output" in options:
            known = describe_disk_error(error, options.output)
        return _fail(options, known or f"{type(error).__name__}: {error}", FAILED)


def _fail(options: argparse.Namespace, message: object, status: int) -> int:
    print(f"{options.command}: {' '.join(str(message).split())}", file=sys.stderr)
    return status

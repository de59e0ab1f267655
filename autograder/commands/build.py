"""``build``: ``solutions/`` → ``exercises/``."""

import argparse
from pathlib import Path

from autograder.commands.cli import FAILED, OK, show
from autograder.commands.options import DEFAULT
from autograder.errors import UsageError
from autograder.folders import ROSTER
from autograder.store.state import NAME

TEXT = """\
Makes nbgrader's source notebooks (build/source/) and the learners' notebooks (exercises/) from solutions/*.py.

examples:
  python -m autograder build            write what changed
  python -m autograder build --check    write nothing; exit 1 and name each file that is out of date
  python -m autograder build --json     {"written": [paths]}, or with --check {"stale": [lines]}

variants: many tasks have several forms; a key, any short text, selects one of each. variants.json records the class's
key for the grader; build without --variant keeps that key, and with another --variant refuses.
  python -m autograder build --variant autumn-2026            for the class
  python -m autograder build --variant ""                     for the class, the forms that the book teaches
  python -m autograder build --variant x7 --for ada --output ada/   separate notebooks for one learner, in ada/
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a file is out of date")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    parser.add_argument("--variant", metavar="KEY", help="select each task's variant by this key, and record it")
    parser.add_argument("--for", dest="student", metavar="STUDENT", help="use the key for this learner only")
    parser.add_argument("--output", type=Path, metavar="DIR", help="folder for that learner's notebooks")


def run(options: argparse.Namespace) -> int:
    from autograder.assignments import build as building
    from autograder.assignments.variants import VariantKeys, checked, record, refuse_another
    from autograder.submissions.class_roster import strangers

    if (options.student is None) != (options.output is None) or (options.student and options.variant is None):
        raise UsageError("--for, --output and --variant belong together: the learner, the folder and the key.")
    if options.variant is not None:
        key, old = checked(options.variant), record(options.root)
        refuse_another(key, old, options.root, options.student, is_graded=(options.root / DEFAULT / NAME).exists())
        if options.student:
            if unknown := strangers(options.root, [options.student]):
                raise UsageError(f"{unknown[0]} is not on {ROSTER}, where a learner with a key has to be.")
            VariantKeys(old.key, old.students | {options.student: key}).write(options.root)
            written = [str(path) for path in building.build_for(options.root, key, options.output)]
            show(options, {"written": written}, "\n".join(written))
            return OK
        VariantKeys(key, old.students).write(options.root)
    if options.check:
        lines = building.stale(options.root)
        if options.json or lines:
            show(options, {"stale": lines}, "\n".join(lines))
        return FAILED if lines else OK
    written = [str(path.relative_to(options.root)) for path in building.build(options.root)]
    lines = [f"wrote {path}" for path in written] or ["exercises/ is up to date"]
    show(options, {"written": written}, "\n".join(lines))
    return OK

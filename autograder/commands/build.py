"""``build``: ``solutions/`` → ``exercises/``."""

import argparse

from autograder.commands.frame import FAILED, OK, add

TEXT = """\
Makes nbgrader's source notebooks (build/source/) and the learners' notebooks (exercises/) from solutions/*.py.

examples:
  python -m autograder build            write what changed
  python -m autograder build --check    write nothing; exit 1 and name each file that is not current
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "build", TEXT)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something is not current")
    parser.set_defaults(run=build)


def build(options: argparse.Namespace) -> int:
    from autograder.authoring import build as building

    if options.check:
        lines = building.stale(options.root)
        for line in lines:
            print(line)
        return FAILED if lines else OK
    written = building.build(options.root)
    for path in written:
        print(f"wrote {path.relative_to(options.root)}")
    if not written:
        print("exercises/ is current")
    return OK

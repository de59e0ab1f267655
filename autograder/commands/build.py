"""``build``: ``solutions/`` → ``exercises/``."""

import argparse
import json

from autograder.commands.frame import FAILED, OK, add

TEXT = """\
Makes nbgrader's source notebooks (build/source/) and the learners' notebooks (exercises/) from solutions/*.py.

examples:
  python -m autograder build            write what changed
  python -m autograder build --check    write nothing; exit 1 and name each file that is not current
  python -m autograder build --json     {"written": [paths]}, or with --check {"stale": [lines]}
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "build", TEXT)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if something is not current")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    parser.set_defaults(run=build)


def build(options: argparse.Namespace) -> int:
    from autograder.authoring import build as building

    if options.check:
        lines = building.stale(options.root)
        if options.json or lines:
            print(json.dumps({"stale": lines}, indent=1) if options.json else "\n".join(lines))
        return FAILED if lines else OK
    written = [str(path.relative_to(options.root)) for path in building.build(options.root)]
    lines = [f"wrote {path}" for path in written] or ["exercises/ is current"]
    print(json.dumps({"written": written}, indent=1) if options.json else "\n".join(lines))
    return OK

"""``check``: one notebook, as its learner would see it graded."""

import argparse
from pathlib import Path

from autograder.commands.boxes import add_sandbox
from autograder.commands.frame import FAILED, OK, add
from autograder.gradebook.summary import number, stopped_cells
from autograder.grading.run import UsageError

TEXT = """\
Runs one notebook in the sandbox and tells what its visible checks say, with the inputs seen in the notebook.

examples:
  python -m autograder check exercises/05_scorers/05_scorers.ipynb
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "check", TEXT)
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--assignment", metavar="NAME", help="default: the notebook's own")
    add_sandbox(parser)
    parser.set_defaults(run=check)


def check(options: argparse.Namespace) -> int:
    from autograder.authoring.assignment import known, load
    from autograder.judging.bench import Bench
    from autograder.submissions.choice import is_copy
    from autograder.submissions.collected import handed_at
    from autograder.submissions.submission import Submission

    if not options.notebook.is_file():
        raise UsageError(f"there is no notebook {options.notebook}.")
    copied = [name for name in known(options.root) if is_copy(options.notebook.name, name)]
    assignment = load(options.root, options.assignment or (copied or [options.notebook.stem])[0])
    handed = handed_at(options.notebook.absolute(), "")
    submission = Submission.read(handed.data(), assignment).with_notes(*handed.notes)
    if submission.unreadable:
        raise UsageError(submission.unreadable)
    if submission.is_blank:
        print("· This is the exercise as it was released: no answer is written yet, so no check can pass.")
    with Bench(assignment, options.root) as bench:
        verdict = bench.verdict(submission, seed=0, hidden=False)
    for note in [*verdict.notes, *stopped_cells(verdict)]:
        print(f"· {note}")
    for one in verdict.checks:
        sign = "✓" if one.status == "passed" else "✗"
        print(f"{sign} {one.cell} {number(one.points)}/{number(one.max_points)} {one.message}".rstrip())
    hidden = sum(assignment.checks.values()) - verdict.max_points
    rest = f"; {number(hidden)} more are given by hidden checks" if hidden else ""
    print(f"{number(verdict.points)} of {number(verdict.max_points)} points{rest}")
    return OK if verdict.status == "ok" else FAILED

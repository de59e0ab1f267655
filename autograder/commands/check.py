"""``check``: one notebook, as its learner would see it graded."""

import argparse
import json
from dataclasses import asdict
from pathlib import Path

from autograder.commands.cli import FAILED, OK
from autograder.commands.options import add_sandbox, require_fit
from autograder.errors import UsageError
from autograder.gradebook.summary import stopped_cells
from autograder.progress.overview import number
from autograder.records.verdict import Verdict

TEXT = """\
Runs one notebook in the sandbox and prints the results of its visible checks, with the inputs of the notebook.

examples:
  python -m autograder check exercises/05_scorers/05_scorers.ipynb
  python -m autograder check --json answers.ipynb
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("notebook", type=Path, metavar="NOTEBOOK")
    parser.add_argument("--assignment", metavar="NAME", help="default: the notebook's own")
    parser.add_argument("--json", action="store_true", help="print the verdict as JSON")
    add_sandbox(parser)


def run(options: argparse.Namespace) -> int:
    from autograder.authoring.assignment import load
    from autograder.authoring.grade_ids import grade_ids
    from autograder.judging.judge import RetryingJudge
    from autograder.notebook_files.content import look
    from autograder.notebook_files.which_notebook import assignment_of
    from autograder.sandbox.reader import READER
    from autograder.submissions.limited_reading import read
    from autograder.submissions.submitted_files import handed_in

    if not options.notebook.is_file():
        raise UsageError(f"there is no notebook {options.notebook}.")
    require_fit(options)
    READER.prepare("read")
    path, exercises = options.notebook.absolute(), grade_ids(options.root)
    name = options.assignment or assignment_of(path.name, look(path.read_bytes()), exercises)
    if not name:
        raise UsageError(
            f"neither the name of {path.name} nor its cells say which exercise it is; --assignment NAME does, "
            f"one of {', '.join(exercises)}."
        )
    assignment = load(options.root, name)
    handed = handed_in(path.parent, "", name, exercises, [path.name])
    submission = read(handed.data(), assignment, handed.notes, handed.problem)
    if submission.unreadable:
        raise UsageError(submission.unreadable)
    with RetryingJudge(assignment, options.root) as judge:
        verdict = judge.verdict(submission, seed=0, hidden=False)
    notes = [*verdict.notes, *stopped_cells(verdict)]
    if submission.is_blank:
        notes.insert(0, "This is the exercise as it was released: no answer is written yet, so no check can pass.")
    hidden = sum(assignment.checks.values()) - verdict.max_points
    if options.json:
        points = {"points": verdict.points, "max_points": verdict.max_points, "hidden_points": hidden}
        record = {"assignment": assignment.name, "status": verdict.status, **points, "notes": notes}
        print(json.dumps(record | {"checks": checks(verdict)}, indent=1))
    else:
        print(*in_words(verdict, notes, hidden), sep="\n")
    return OK if verdict.status == "ok" else FAILED


def in_words(verdict: Verdict, notes: list[str], hidden: float) -> list[str]:
    lines = [f"· {note}" for note in notes]
    for one in verdict.checks:
        sign = "✓" if one.status == "passed" else "✗"
        lines.append(f"{sign} {one.cell} {number(one.points)}/{number(one.max_points)} {one.message}".rstrip())
    rest = f"; {number(hidden)} more are given by hidden checks" if hidden else ""
    return [*lines, f"{number(verdict.points)} of {number(verdict.max_points)} points{rest}"]


def checks(verdict: Verdict) -> list[dict[str, object]]:
    return [
        {
            "check": one.cell,
            "points": one.points,
            "max_points": one.max_points,
            "message": one.message,
            "finding": asdict(one.finding),
        }
        for one in verdict.checks
    ]

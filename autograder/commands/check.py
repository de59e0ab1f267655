"""``check``: one notebook, as its learner would see it graded."""

import argparse
from dataclasses import asdict
from pathlib import Path

from autograder.commands.cli import FAILED, OK, show
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
    from autograder.assignments.assignment import load
    from autograder.assignments.grade_ids import grade_ids
    from autograder.judging.judge import RetryingJudge
    from autograder.notebook_files.content import look
    from autograder.notebook_files.which_notebook import assignment_of
    from autograder.sandbox.reader import READER
    from autograder.submissions.limited_reading import read
    from autograder.submissions.submitted_files import submitted_in

    if not options.notebook.is_file():
        if options.notebook.is_dir():
            raise UsageError(f"{options.notebook} is a folder; name the notebook in it.")
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
    submitted = submitted_in(path.parent, "", name, exercises, [path.name])
    submission = read(submitted.data(), assignment, submitted.notes, submitted.problem)
    if submission.unreadable:
        raise UsageError(submission.unreadable)
    with RetryingJudge(assignment, options.root) as judge:
        verdict = judge.verdict(submission, seed=0, hidden=False)
    notes = [*verdict.notes, *stopped_cells(verdict)]
    if submission.is_blank:
        notes.insert(0, "This is the exercise as it was released: no answer is written yet, so no check can pass.")
    hidden = sum(assignment.checks.values()) - verdict.max_points
    record = {
        "assignment": assignment.name,
        "status": verdict.status,
        "points": verdict.points,
        "max_points": verdict.max_points,
        "hidden_points": hidden,
        "notes": notes,
        "checks": checks(verdict),
    }
    show(options, record, in_words(verdict, notes, hidden))
    return OK if verdict.status == "ok" else FAILED


def in_words(verdict: Verdict, notes: list[str], hidden: float) -> str:
    lines = [f"· {note}" for note in notes]
    for check in verdict.checks:
        sign = "✓" if check.status == "passed" else "✗"
        lines.append(f"{sign} {check.cell} {number(check.points)}/{number(check.max_points)} {check.message}".rstrip())
    rest = f"; {number(hidden)} more are given by hidden checks" if hidden else ""
    # Further lines are indented: a name or a message of the learner's must not pass for the line of another check.
    lines = [line.replace("\n", "\n    ") for line in lines]
    return "\n".join([*lines, f"{number(verdict.points)} of {number(verdict.max_points)} points{rest}"])


def checks(verdict: Verdict) -> list[dict[str, object]]:
    return [
        {
            "check": check.cell,
            "points": check.points,
            "max_points": check.max_points,
            "message": check.message,
            "finding": asdict(check.finding),
        }
        for check in verdict.checks
    ]

"""What a grading run has graded: as a table, and as plain data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from autograder.commands.check import checks
from autograder.commands.cli import columns
from autograder.commands.regrade import changed
from autograder.gradebook.book import Book
from autograder.gradebook.summary import stopped_cells
from autograder.grading.grading_run import Graded, Run
from autograder.notebook_files.which_notebook import SAME
from autograder.progress.overview import number
from autograder.records.verdict import Verdict

if TYPE_CHECKING:
    from autograder.gradebook.class_scores import Score

CurrentGrades = dict[tuple[str, str], "Score"]  # by student and assignment
REMARK = 72  # characters of a remark in the table


def whose(graded: Sequence[Graded], status: str) -> str:
    """Whose work has this status; where several exercises were graded, for which of them."""
    is_one = len({work.handed.assignment for work in graded}) == 1
    works = [work.handed for work in graded if work.verdict.status == status]
    return ", ".join(work.student if is_one else f"{work.student}/{work.assignment}" for work in works)


def in_gradebook(graded: Sequence[Graded], book: Book) -> CurrentGrades:
    """The gradebook's current entries for the graded submissions; none if there is no gradebook."""
    from autograder.gradebook.class_scores import class_scores

    if not book.exists():
        return {}
    names = {submission.handed.assignment for submission in graded}
    with book.open() as gradebook:
        return {(student, name): line for name in names for student, line in class_scores(gradebook, name).items()}


def table(graded: Sequence[Graded], job: Run, book: Book, entries: CurrentGrades, shown: Sequence[Graded]) -> str:
    """The results of those that are to be ``shown``, and the counts of all."""
    rows = [("student", "assignment", "status", "points", "")]
    for submission in shown:
        student, assignment, verdict = submission.handed.student, submission.handed.assignment, submission.verdict
        line = entries.get((student, assignment))
        remarks = [_first_message(verdict)]
        if line and line.waits:
            remarks.insert(0, "an answer needs manual grading")
        if line and line.penalty:
            remarks.insert(0, f"{number(line.penalty)} taken off for lateness")
        remark = "; ".join(filter(None, remarks))
        remark = remark if len(remark) <= REMARK else remark[: REMARK - 1] + "…"
        score, most = (line.score, line.max_score) if line else (verdict.points, verdict.max_points)
        rows.append((student, assignment, verdict.status, f"{number(score)} / {number(most)}", remark))
    reused = sum(submission.reused for submission in graded)
    lines = [
        *columns(rows, "<<<>"),
        "",
        *upgraded(job),
        f"{len(graded)} submissions, {len(graded) - reused} judged now, {reused} unchanged since an earlier run.",
        f"gradebook  {book}",
        f"feedback   {job.output / 'feedback'}/<student>/<assignment>/<assignment>.html",
    ]
    return "\n".join(lines)


def upgraded(job: Run) -> list[str]:
    """What became of work that was graded before, by other checks or in another environment: before an upgrade."""
    if not job.judged_again:
        return []
    causes = "; ".join(dict.fromkeys(cause for submission in job.judged_again for cause in submission.why))
    return [f"Since they were graded before: {causes}.", *changed(job.judged_again), ""]


def record(graded: Sequence[Graded], job: Run, entries: CurrentGrades) -> dict[str, object]:
    submissions = []
    for submission in graded:
        line = entries.get((submission.handed.student, submission.handed.assignment))
        submissions.append(
            {
                "student": submission.handed.student,
                "assignment": submission.handed.assignment,
                "status": submission.verdict.status,
                "points": submission.verdict.points,
                "max_points": submission.verdict.max_points,
                "gradebook": line.record() if line else None,
                "notes": submission.verdict.notes,
                "checks": checks(submission.verdict),
            }
        )
    again = [
        {"student": work.handed.student, "assignment": work.handed.assignment, "same": work.same, "why": list(work.why)}
        for work in job.judged_again
    ]
    done = {"output": str(job.output), "left_out": job.left_out, "judged_again": again}
    return {**done, "submissions": submissions}


def _first_message(verdict: Verdict) -> str:
    lost = [note.partition(";")[0] for note in verdict.notes if note.startswith("Only ") and SAME in note]
    lost += [f"{check.cell}: {check.message}" for check in verdict.checks if check.message and check.points == 0]
    if verdict.status in ("unreadable", "infrastructure"):
        lost = verdict.notes[-1:]
    return " ".join([*lost, *verdict.notes, *stopped_cells(verdict), ""][0].split())

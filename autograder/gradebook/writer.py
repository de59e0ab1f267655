"""The one writer to nbgrader's gradebook: verdicts in, grades and feedback pages out, by nbgrader's own converters."""

import itertools
import os
import shutil
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateFeedback, NbGraderException
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError, SAWarning
from traitlets.config import Config

from autograder.authoring.assignment import Assignment
from autograder.gradebook import database
from autograder.gradebook.database import GradebookError
from autograder.gradebook.register import register
from autograder.judging.store import Store, make_durably, sync
from autograder.judging.verdict import Verdict
from autograder.settings import Log, settings
from autograder.submissions.collected import Handed


@dataclass(frozen=True)
class Entry:
    """One line of the gradebook: a submission, its verdict, and the key that both are stored under."""

    handed: Handed
    verdict: Verdict
    key: str

    @property
    def mark(self) -> str:
        """Changes when the line must be written anew."""
        return f"{self.key} {self.handed.timestamp}"


Progress = Callable[[str, int, int], None]  # what is done, how much of it, of how much


def write(
    root: Path,
    output: Path,
    assignment: Assignment,
    entries: Sequence[Entry],
    progress: Progress,
) -> None:
    """Bring gradebook and feedback up to date with the entries; what is so already is left alone.

    Raises:
        GradebookError: nbgrader refused; the grades that it did take stay.
    """
    config = settings(root, output)
    config.CourseDirectory.root = str(output.resolve())
    config.CourseDirectory.submitted_directory = "staged"
    config.CourseDirectory.autograded_directory = "autograded"
    config.CourseDirectory.feedback_directory = "feedback"
    config.CourseDirectory.source_directory = str(root / config.CourseDirectory.source_directory)
    config.CourseDirectory.assignment_id = assignment.name
    book = output / "gradebook.db"
    database.wait_until_free(book, progress)
    database.examine(book)
    config.CourseDirectory.db_url += f"?timeout={database.WAIT_SECONDS}"  # for whoever comes to lock it from now on
    try:
        register(config.CourseDirectory.db_url, assignment)
        scores = _scores(config.CourseDirectory.db_url, assignment)
        due = [entry for entry in entries if not _is_written(output, entry, scores)]
        for entry in due:
            _stage(output, entry.handed)
        if due:
            _convert(root, output, config, assignment, due, progress)
    except DatabaseError as error:
        raise GradebookError(database.in_words(book, str(error.orig))) from None


def _convert(
    root: Path,
    output: Path,
    config: Config,
    assignment: Assignment,
    due: Sequence[Entry],
    progress: Progress,
) -> None:
    _unmark(output, due)
    store = Store(output.resolve())
    config.SubmissionExporter.verdicts = {entry.handed.student: str(store.path(entry.key)) for entry in due}
    config.SubmissionExporter.course = str(root)
    reasons = [_run(_some(Autograde, due, "gradebook", progress), config), ""]
    scores = _scores(config.CourseDirectory.db_url, assignment)
    graded = [entry for entry in due if _has(scores, entry)]
    if graded:
        reasons[1] = _run(_some(GenerateFeedback, graded, "feedback", progress), config)
    done = [entry for entry in graded if _feedback(output, entry.handed).exists()]
    os.sync()  # the pages must be on disk before their marks; one call for all is much faster than one for each
    for entry in done:
        _mark(output, entry.handed).write_text(entry.mark, encoding="utf-8")
    if missing := [entry.handed.student for entry in due if entry not in done]:
        reason = database.in_words(output / "gradebook.db", next(filter(None, reasons), "no reason was given"))
        raise GradebookError(f"nbgrader did not take the grades of {', '.join(missing)}: {reason}")


def _some(kind: type, entries: Sequence[Entry], name: str, progress: Progress) -> type:
    """nbgrader's converter for these entries alone, overwriting what is there."""
    students = {entry.handed.student for entry in entries}
    done = itertools.count(1)

    class Some(kind):
        force = True

        def init_notebooks(self) -> None:
            assignment = self.coursedir.assignment_id
            folders = [self._format_source(assignment, student) for student in students]
            self.assignments = {folder: [os.path.join(folder, f"{assignment}.ipynb")] for folder in folders}

        def run_post_convert_hook(self) -> None:
            progress(name, next(done), len(students))

    Some.__name__ = kind.__name__
    return Some


def _run(converter: type, config: Config) -> str:
    """Runs it; returns nbgrader's reason if something went wrong."""
    log = Log()
    course = CourseDirectory(config=config, log=log.logger)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # nbgrader builds rows before it adds them; nothing is lost
        warnings.simplefilter("ignore", DeprecationWarning)  # nbconvert's and nbgrader's own
        try:
            converter(coursedir=course, config=config, log=log.logger).start()
        except NbGraderException:
            return log.reason
    return ""


Scores = dict[str, dict[str, float | None]]  # student → check → points


def _scores(url: str, assignment: Assignment) -> Scores:
    """The automatic points that the gradebook has now."""
    with Gradebook(url) as gradebook:
        return {
            submission.student.id: {
                grade.name: grade.auto_score
                for notebook in submission.notebooks
                for grade in notebook.grades
                if grade.name in assignment.checks
            }
            for submission in gradebook.assignment_submissions(assignment.name)
        }


def _has(scores: Scores, entry: Entry) -> bool:
    return scores.get(entry.handed.student) == {check.cell: check.points for check in entry.verdict.checks}


def _is_written(output: Path, entry: Entry, scores: Scores) -> bool:
    mark = _mark(output, entry.handed)
    return (
        _has(scores, entry)
        and _feedback(output, entry.handed).exists()
        and mark.is_file()
        and mark.read_bytes() == entry.mark.encode()
    )


def _mark(output: Path, handed: Handed) -> Path:
    return output / "written" / handed.assignment / f"{handed.student}.txt"


def _unmark(output: Path, entries: Sequence[Entry]) -> None:
    """What is about to be overwritten is no longer written: a run that is cut short leaves half a page behind."""
    for entry in entries:
        mark = _mark(output, entry.handed)
        make_durably(mark.parent)
        mark.unlink(missing_ok=True)
    for folder in {_mark(output, entry.handed).parent for entry in entries}:
        sync(folder)


def _feedback(output: Path, handed: Handed) -> Path:
    return output / "feedback" / handed.student / handed.assignment / f"{handed.assignment}.html"


def _stage(output: Path, handed: Handed) -> None:
    """A copy for nbgrader to read: the one notebook under its right name, and the time of submission."""
    folder = output / "staged" / handed.student / handed.assignment
    if handed.path is not None and folder.resolve() == handed.path.parent.resolve():
        return  # judged from this very copy, which may be the only one
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / f"{handed.assignment}.ipynb").write_bytes(handed.data())
    if handed.timestamp:
        (folder / "timestamp.txt").write_text(handed.timestamp + "\n", encoding="utf-8")


def dump(path: Path) -> dict[str, object]:
    """Everything that a gradebook says, without its random ids: equal for equal grades."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no gradebook {path}")
    book: dict[str, object] = {}
    with Gradebook(f"sqlite:///{path.resolve()}") as gradebook:
        for assignment in gradebook.assignments:
            cells = [cell for notebook in assignment.notebooks for cell in notebook.source_cells]
            book[f"{assignment.name}"] = [f"{cell.name} {cell.cell_type} {cell.checksum}" for cell in cells]
        for submission in sorted(
            (submission for assignment in gradebook.assignments for submission in assignment.submissions),
            key=lambda submission: (submission.assignment.name, submission.student.id),
        ):
            grades, comments = {}, {}
            for notebook in submission.notebooks:
                for grade in notebook.grades:
                    values = (grade.auto_score, grade.manual_score, grade.needs_manual_grade, grade.max_score)
                    grades[f"{notebook.name}/{grade.name}"] = values
                for comment in notebook.comments:
                    comments[f"{notebook.name}/{comment.name}"] = (comment.auto_comment, comment.manual_comment)
            book[f"{submission.assignment.name}/{submission.student.id}"] = {
                "score": submission.score,
                "timestamp": str(submission.timestamp),
                "penalties": [notebook.late_submission_penalty for notebook in submission.notebooks],
                "grades": dict(sorted(grades.items())),
                "comments": dict(sorted(comments.items())),
            }
    return book

"""Rewrites the feedback of graded submissions from the stored verdicts and the current gradebook."""

from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import tzinfo
from pathlib import Path

import nbformat
from nbgrader.api import Gradebook, MissingEntry

from autograder.errors import UsageError, several
from autograder.gradebook.book import Book
from autograder.gradebook.feedback import KINDS, inputs_digest, pages, sha256, write_file
from autograder.gradebook.learner_report import read_report
from autograder.gradebook.rows import Rows
from autograder.store.disk import describe_path_error
from autograder.store.state import GradedCopies, State


def write_again(
    output: Path,
    student: str | None,
    assignment: str | None,
    endings: Sequence[str],
    step: Callable[[str, int, int], None],
    book: Book,
    zone: tzinfo,
) -> tuple[list[str], dict[str, str]]:
    """Write the feedback of the graded notebooks below ``output``, in these formats (file endings) or as a page.

    Returns what was written, as ``student/assignment``, and what failed → why: it does not stop the others.

    ``zone`` is that of the times on them.

    Raises:
        UsageError: no gradebook, or no graded notebook of that student and assignment.
    """
    if not book.examine():
        raise UsageError(f"there is no gradebook {book}; grade first, or say where with --output.")
    graded = [path for path in sorted((output / "autograded").glob("*/*/*.ipynb")) if path.stem == path.parent.name]
    asked = [path for path in graded if student in (None, _student(path)) and assignment in (None, path.stem)]
    if not asked:
        what = " of ".join(filter(None, (assignment, student)))
        available = several(sorted({_student(path) if student else path.stem for path in graded}))
        whose = f"for {what} " if what else ""
        raise UsageError(f"nothing graded {whose}in {output}; there is {available or 'nothing at all'}.")
    written: list[str] = []
    failed: dict[str, str] = {}
    with closing(State(output)) as state, book.open() as gradebook:
        names = sorted({path.stem for path in asked})
        classes = {name: _Class(output, name, gradebook, GradedCopies(state), zone) for name in names}
        for number, path in enumerate(asked, 1):
            name = f"{_student(path)}/{path.stem}"
            try:
                classes[path.stem].write(path, endings)
            except (MissingEntry, nbformat.ValidationError, ValueError, OSError) as error:
                reason = describe_path_error(error).rstrip(".") if isinstance(error, OSError) else ""
                failed[name] = reason or " ".join(str(error).split())
            else:
                written.append(name)
            step("feedback", number, len(asked))
    return written, failed


class _Class:
    """The graded submissions to one assignment."""

    def __init__(self, output: Path, assignment: str, gradebook: Gradebook, copies: GradedCopies, zone: tzinfo) -> None:
        self.output, self.assignment, self.copies, self.zone = output, assignment, copies, zone
        self.rows = Rows(gradebook, assignment)
        self.marks, self.inputs = copies.marks(assignment), copies.inputs(assignment)

    def write(self, path: Path, endings: Sequence[str]) -> None:
        """Write these formats; if none is given, those that exist already, and the page unless it is current."""
        student, data = _student(path), path.read_bytes()
        folder = self.output / "feedback" / student / self.assignment
        mark = state = self.marks.get(student, "")
        notebook = nbformat.v4.reads(data.decode())
        report = read_report(notebook, self.rows, student, self.zone)
        inputs, page = inputs_digest(report, data), folder / f"{self.assignment}.html"
        current = page.is_file() and inputs == self.inputs.get(student) and sha256(page.read_bytes()) in mark
        existing = [kind for kind in KINDS if kind != "html" and (folder / f"{self.assignment}.{kind}").is_file()]
        kinds = list(endings) or [*([] if current else ["html"]), *existing]
        if not kinds:
            return
        nbformat.validate(notebook)
        folder.mkdir(parents=True, exist_ok=True)
        for kind, text in pages(notebook, report, kinds).items():
            if kind == "html" and page.is_file():
                state = state.replace(sha256(page.read_bytes()), sha256(text.encode()))
            write_file(folder / f"{self.assignment}.{kind}", text)
        if mark and "html" in kinds:  # else the next run would think the page damaged, and enter the submission again
            self.copies.mark(self.assignment, student, state, inputs)


def _student(path: Path) -> str:
    return path.parent.parent.name

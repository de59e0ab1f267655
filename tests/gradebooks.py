"""A gradebook in tests: opened to be looked at or changed, and its contents as plain data."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.gradebook.book import FILE, Book


@contextmanager
def opened(output: Path) -> Iterator[Gradebook]:
    """That of an output folder; what is changed in it is kept."""
    with Book.below(output).open() as gradebook:
        yield gradebook
        gradebook.db.commit()


def dump(address: Path | str) -> dict[str, object]:
    """The contents of the gradebook at a path or address, without its random ids: equal for equal grades."""
    book = Book.at(address if isinstance(address, str) else f"{FILE}{address.resolve()}")
    if not book.exists():
        raise FileNotFoundError(f"there is no gradebook {book}")
    contents: dict[str, object] = {}
    with book.open() as gradebook:
        for assignment in gradebook.assignments:
            cells = [cell for notebook in assignment.notebooks for cell in notebook.source_cells]
            contents[f"{assignment.name}"] = [f"{cell.name} {cell.cell_type} {cell.checksum}" for cell in cells]
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
            contents[f"{submission.assignment.name}/{submission.student.id}"] = {
                "score": submission.score,
                "timestamp": str(submission.timestamp),
                "penalties": [notebook.late_submission_penalty for notebook in submission.notebooks],
                "grades": dict(sorted(grades.items())),
                "comments": dict(sorted(comments.items())),
            }
    return contents

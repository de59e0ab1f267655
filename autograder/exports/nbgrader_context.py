"""Opens the gradebook of a grading run for the exporters, without nbgrader's application."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nbgrader.api import Gradebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy.exc import DatabaseError
from traitlets.config import LoggingConfigurable

from autograder.exports.comparing import Submitted
from autograder.exports.grades import require_known
from autograder.exports.spreadsheet import ExportError
from autograder.gradebook.book import Book
from autograder.settings import Log, settings


class NbgraderContext(LoggingConfigurable):
    """What an exporter needs from its parent: the course's folders, and a log that collects warnings."""

    def __init__(self, root: Path, output: Path, book: Book) -> None:
        self._kept = Log()
        config = settings(root, output.resolve())
        config.CourseDirectory.db_url = book.url
        super().__init__(config=config, log=self._kept.logger)
        self.coursedir = CourseDirectory(parent=self)

    @property
    def warnings(self) -> list[str]:
        return self._kept.lines


@contextmanager
def open_gradebook(root: Path, output: Path, book: Book) -> Iterator[tuple[Gradebook, NbgraderContext]]:
    """The gradebook of ``output``, and a parent for exporters.

    Raises:
        GradebookError: the file is not a gradebook, or is damaged.
        ExportError: it cannot be read for another reason.
    """
    book.examine()
    context = NbgraderContext(root, output, book)
    try:
        with book.open() as gradebook:
            yield gradebook, context
    except DatabaseError as error:
        raise ExportError(f"the gradebook {book} cannot be read: {error.orig}.") from None


def submitted(gradebook: Gradebook, assignment: str) -> dict[str, Submitted]:
    """Student → full name and submission time.

    Raises:
        ExportError: there is no such assignment.
    """
    require_known([assignment], [one.name for one in gradebook.assignments], "assignment")
    details: dict[str, Submitted] = {}
    for one in gradebook.find_assignment(assignment).submissions:
        name = " ".join(filter(None, (one.student.first_name, one.student.last_name)))
        details[one.student.id] = (name or one.student.id, one.timestamp)
    return details

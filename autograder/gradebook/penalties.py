"""What late work loses: a share of all its points, of those given by hand too, whenever they were given."""

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path

from nbgrader.api import Gradebook, SubmittedNotebook
from nbgrader.preprocessors import AssignLatePenalties
from traitlets.config import Config

from autograder.gradebook.book import Book, wait_for_others
from autograder.gradebook.transaction import transaction
from autograder.settings import Log, configured
from autograder.store.state import GradedCopies, State


class Penalties:
    """As the plugin that the course's configuration names takes them, which nbgrader asks at autograding alone."""

    def __init__(self, config: Config) -> None:
        self.nbgrader = AssignLatePenalties(config=config, log=Log().logger)
        self.nbgrader.init_plugin()
        self.plugin = self.nbgrader.plugin_inst
        values = self.plugin.trait_values(config=True)
        self.rules = f"{type(self.plugin).__module__}.{type(self.plugin).__qualname__} {sorted(values.items())}"

    def of(self, student: str, row: SubmittedNotebook) -> float | None:
        """What this work loses now; None if it is not late, or loses nothing."""
        late = row.assignment.total_seconds_late
        penalty = self.plugin.late_submission_penalty(student, row.score, late) if late > 0 else None
        return None if penalty is None else self.nbgrader._check_late_penalty(row, penalty)

    def renew(self, gradebook: Gradebook, assignment: str, marks: Mapping[str, str] | None = None) -> set[str]:
        """Enters what late work loses now; returns for whom that is new.

        ``marks``: of what was entered, which must have been by these rules: new ones count from the next grading on.
        """
        changed = {}
        for submission in gradebook.find_assignment(assignment).submissions:
            may_lose = submission.total_seconds_late > 0 or submission.late_submission_penalty
            known = marks is None or self.rules in marks.get(submission.student_id, "")
            for row in submission.notebooks if may_lose and known else ():
                penalty = self.of(submission.student_id, row)
                if abs((penalty or 0.0) - (row.late_submission_penalty or 0.0)) > 1e-9:
                    changed[submission.student_id] = row, penalty
        if changed:
            with transaction(gradebook.db):
                wait_for_others(gradebook.db)
                for row, penalty in changed.values():
                    row.late_submission_penalty = penalty
        return set(changed)


def renew(root: Path, output: Path, book: Book) -> None:
    """Renews the penalties of all work that was graded into ``output``, if there is a gradebook."""
    if not book.examine():
        return
    penalties = Penalties(configured(root, output))
    with book.open() as gradebook, closing(State(output)) as state:
        copies = GradedCopies(state)
        for assignment in copies.assignments():
            penalties.renew(gradebook, assignment, copies.marks(assignment))

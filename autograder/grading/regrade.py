"""Judges the submissions of a gradebook again, from stored copies; the original files are not needed."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path

from autograder.assignments.assignment import load
from autograder.assignments.grade_ids import known
from autograder.assignments.variants import record
from autograder.errors import UsageError
from autograder.gradebook.book import Book
from autograder.grading.changes import Regraded
from autograder.grading.gradebook_stream import GradebookStream
from autograder.grading.grading_run import ClassRun
from autograder.store.disk import locked
from autograder.store.edition import Edition
from autograder.store.state import NAME, Copy, GradedCopies
from autograder.store.verdicts import Store, Stored

Graded = tuple[Copy, Stored]  # a submission as it was graded


@dataclass
class Regrade(ClassRun):
    """:meth:`judged` judges and changes nothing on disk; :meth:`write` then saves the results.

    Without a seed, each submission keeps that of its earlier verdict.
    """

    def judged(self, assignment: str | None = None, students: Sequence[str] = ()) -> list[Regraded]:
        """Judges all submissions with stored copies, or those of one assignment or of some students.

        Raises:
            UsageError: nothing to judge, an unknown student, or no seed.
            SandboxUnavailable: nothing was judged.
        """
        regraded = []
        for (name, seed, _), graded in self._groups(assignment, students).items():
            copy, _ = graded[0]
            edition = Edition.of(self.root, load(self.root, name, copy.student))
            regraded += self._judged(edition, seed, graded)
        return sorted(regraded, key=lambda result: (result.handed.assignment, result.handed.student))

    def write(self, regraded: Sequence[Regraded]) -> None:
        """Writes verdicts, gradebook and feedback; manual entries of instructors are kept.

        Raises:
            StoreError, GradebookError: as in :meth:`autograder.grading.grading_run.Run.grade`.
        """
        due = [result for result in regraded if result.after.status != "infrastructure"]
        with locked(self.output), Store(self.output) as store, ExitStack() as stack:
            streams: dict[str, GradebookStream] = {}
            for number, result in enumerate(due, 1):
                handed, assignment = result.handed, result.edition.assignment
                if assignment.name not in streams:
                    streams[assignment.name] = stack.enter_context(self.writing(assignment))
                name = result.edition.key(handed, result.after.seed)
                if not result.same:  # the page shows more than the points by which an entry counts as written
                    GradedCopies(store.state).mark(assignment.name, handed.student, "")
                store.put(name, result.after, result.edition.provenance(handed, result.after))
                streams[assignment.name].enter(handed, result.after, name)
                self.step("gradebook and feedback", number, len(due))

    def _groups(self, assignment: str | None, students: Sequence[str]) -> dict[tuple[str, int, str], list[Graded]]:
        """The submissions by assignment, seed and variant."""
        names, keys = known(self.root, assignment), record(self.root)
        groups: dict[tuple[str, int, str], list[Graded]] = {}
        with Store(self.output) as store:
            copies = GradedCopies(store.state).copies()
            if unknown := sorted(set(students) - {copy.student for copy, _ in copies}):
                raise UsageError(f"{self.output / NAME} has no submissions of {', '.join(unknown)}.")
            self.skipped = sorted({copy.assignment for copy, _ in copies} - set(names))
            first = store.seed() if copies else None
            for copy, mark in copies:
                name, student = copy.assignment, copy.student
                if name not in names or assignment not in (None, name) or (students and student not in students):
                    continue
                before = store.behind(mark)
                seed = self.seed if self.seed is not None else before.verdict.seed if before.verdict else first
                if seed is None:
                    raise UsageError(f"{student}: no seed is recorded in {self.output}; give one with --seed N.")
                groups.setdefault((name, seed, keys.of(student)), []).append((copy, before))
        if not groups:
            what = f" for {assignment!r}" if assignment else ""
            raise UsageError(f"nothing to judge{what} in {self.output}; expected a folder that `grade` wrote.")
        return groups

    def _judged(self, edition: Edition, seed: int, graded: Sequence[Graded]) -> list[Regraded]:
        copies, took = [copy for copy, _ in graded], [before.provenance.seconds for _, before in graded]
        regraded: list[Regraded] = []
        self.step(f"judging {edition.assignment.name}", 0, len(graded))
        with closing(self.verdicts(copies, edition.assignment, seed, took)) as verdicts:
            for index, verdict in verdicts:
                copy, before = graded[index]
                why = edition.differences(before, seed)
                regraded.append(Regraded(copy, edition, before.verdict, verdict, why))
                self.step(f"judging {edition.assignment.name}", len(regraded), len(graded))
        return regraded


def without_copy(output: Path, assignment: str | None, students: Sequence[str], book: Book) -> list[tuple[str, str]]:
    """Assignment and student of gradebook entries without a stored copy, such as those of ``nbgrader autograde``."""
    if not book.exists():
        return []
    with Store(output) as store:
        copies = {(copy.assignment, copy.student) for copy, _ in GradedCopies(store.state).copies()}
    with book.open() as gradebook:
        held = {(of.name, submission.student.id) for of in gradebook.assignments for submission in of.submissions}
    return sorted(
        (of, student)
        for of, student in held - copies
        if assignment in (None, of) and (not students or student in students)
    )

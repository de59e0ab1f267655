"""A class's submissions → verdicts, gradebook and feedback; a second run does only what is missing."""

from collections.abc import Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass, field
from pathlib import Path

from autograder.assignments.assignment import Assignment, load
from autograder.assignments.grade_ids import known
from autograder.assignments.variants import record
from autograder.errors import UsageError, several
from autograder.gradebook.book import Book
from autograder.gradebook.database import Step
from autograder.grading.changes import Regraded
from autograder.grading.gradebook_stream import GradebookStream
from autograder.grading.scheduler import Scheduler
from autograder.judging.judge import JudgeMaker, make_judge
from autograder.records.verdict import Verdict
from autograder.sandbox.reader import ReaderFailed
from autograder.settings import configured
from autograder.store.disk import StoreError, locked
from autograder.store.edition import Edition
from autograder.store.verdicts import Store, Stored, sweep
from autograder.submissions.student_names import alike
from autograder.submissions.submitted_files import LeftOut, SubmittedFile, submissions_below
from autograder.submissions.times import Clock, Order


@dataclass(frozen=True)
class Graded:
    """One submission after grading."""

    handed: SubmittedFile
    verdict: Verdict
    key: str
    reused: bool  # the verdict is from an earlier run


@dataclass
class ClassRun:
    """What grading a class and judging it again share: where it is, its judges, and how to follow it.

    Submissions are judged on this machine or on the workers of a dask scheduler; the verdicts are the same.
    """

    root: Path
    output: Path
    workers: int = 1
    seed: int | None = None
    step: Step = lambda name, done, of: None
    maker: JudgeMaker = make_judge
    scheduler: Scheduler | None = None
    database: str = ""  # the gradebook's address; empty for the default
    skipped: list[str] = field(default_factory=list)  # what belongs to no assignment of the course

    def verdicts(
        self, handed: Sequence[SubmittedFile], assignment: Assignment, seed: int, seconds: Sequence[float]
    ) -> Generator[tuple[int, Verdict], None, None]:
        """Yields the index and verdict of each submission, in order of completion.

        Submissions that took longest before, by ``seconds`` (0: unknown), start first.
        """
        if not handed:
            return
        order = sorted(range(len(handed)), key=lambda index: -seconds[index])
        common = [handed[index] for index in order], assignment, self.root, seed
        judging: AbstractContextManager[Iterable[tuple[int, Verdict]]]
        if self.scheduler is None:
            from autograder.grading.pool import Pool

            judging = Pool(*common, self.workers, self.maker)
        else:
            from autograder.grading.cluster import Cluster

            judging = Cluster(*common, self.scheduler, self.maker)
        with judging as judges:
            for position, verdict in judges:
                yield order[position], verdict

    def writing(self, assignment: Assignment) -> GradebookStream:
        return GradebookStream(self.root, self.output, assignment, self.step, self.database)


@dataclass
class Run(ClassRun):
    """One grading run: the same submissions, checks and seed give the same grades on any machines."""

    left_out: list[str] = field(default_factory=list)  # submissions not graded, and why
    alike: list[list[str]] = field(default_factory=list)  # students with names that are easily confused
    broken: list[str] = field(default_factory=list)  # keys of damaged verdicts
    dates: Order = ""  # what 05/11/2026 means in a time of submission
    judged_again: list[Regraded] = field(default_factory=list)  # the same files, graded before by other checks
    on_times: list[str] = field(default_factory=list)  # where they were read, and which are unclear
    drawn: int = field(default=0, init=False)  # the seed, known once grading has begun

    def grade(self, folder: Path, assignment: str | None = None) -> list[Graded]:
        """Grade the submissions below ``folder``, all of them or those for one assignment.

        Raises:
            UsageError: no such folder, nothing in it, or no such assignment.
            SandboxUnavailable: nothing was graded or written.
            StoreError: the output folder is in use, or cannot be read or written; what was judged is kept.
            GradebookError: the same for its gradebook.
        """
        groups = self._groups(folder, assignment)
        with locked(self.output), Store(self.output) as store:
            return self._grade_all(groups, store)

    def _grade_all(self, groups: dict[str, list[SubmittedFile]], store: Store) -> list[Graded]:
        sweep(self.output)
        store.state.examine()
        book = Book.of(self.root, self.output, self.database)
        book.examine()
        self.drawn = store.seed_for(book.seed, self.seed)
        graded, keys = [], record(self.root)
        for name, handed in groups.items():
            variants: dict[str, list[SubmittedFile]] = {}
            for submitted in handed:
                variants.setdefault(keys.of(submitted.student), []).append(submitted)
            for same in variants.values():
                graded += self._grade(load(self.root, name, same[0].student), same, store)
        self.broken = store.broken
        return graded

    def _groups(self, folder: Path, assignment: str | None) -> dict[str, list[SubmittedFile]]:
        if not folder.is_dir():
            is_packed = ": it is a file, which `collect` lays out as folders" if folder.is_file() else ""
            raise UsageError(f"there is no folder {folder}{is_packed}.")
        exercises = known(self.root, assignment)
        groups: dict[str, list[SubmittedFile]] = {}
        wanted = set(exercises) if assignment is None else {assignment}
        clock = Clock.of(configured(self.root, self.output), self.dates)
        for submitted in submissions_below(folder, exercises, clock):
            if isinstance(submitted, LeftOut):
                if submitted.assignments is None or wanted & set(submitted.assignments):
                    self.left_out.append(str(submitted))
            elif submitted.assignment in exercises and assignment in (None, submitted.assignment):
                groups.setdefault(submitted.assignment, []).append(submitted)
            elif submitted.assignment not in exercises:
                self.skipped.append(f"{submitted.student}/{submitted.assignment}")
        if not groups:
            what = f"for {assignment!r} " if assignment else ""
            why = [f" Left out {reason}." for reason in self.left_out[:5]]
            if self.skipped:
                names = several([*exercises])
                why.append(f" Not an exercise of the course: {several(self.skipped, 5)}; it has {names}.")
            where = f"expected {folder}/<student>/<assignment>/*.ipynb"
            raise UsageError(f"no submissions {what}in {folder}; {where}.{''.join(why)}")
        self.on_times = clock.messages
        self.alike = alike(submitted.student for handed in groups.values() for submitted in handed)
        return groups

    def _grade(self, assignment: Assignment, handed: Sequence[SubmittedFile], store: Store) -> list[Graded]:
        edition = Edition.of(self.root, assignment)
        keys = [self._key(submitted, edition) for submitted in handed]
        verdicts = {
            index: self._unread(submitted, assignment) for index, submitted in enumerate(handed) if not keys[index]
        }
        with self.writing(assignment) as writing:
            reused = set()
            for index, name in enumerate(keys):
                if name and (verdict := self._stored(store, writing, handed[index], name)) is not None:
                    store.keep_seed(self.drawn)
                    verdicts[index] = verdict
                    reused.add(index)
            pending = [index for index in range(len(handed)) if index not in verdicts]
            if pending:
                writing.prepare()
            self.step(f"judging {assignment.name}", len(reused), len(handed))
            before = store.entries(assignment.name) if pending else {}
            took = [before.get(handed[index].student, Stored()).provenance.seconds for index in pending]
            judging = self.verdicts([handed[index] for index in pending], assignment, self.drawn, took)
            with closing(judging) as judged:
                for position, verdict in judged:
                    index = pending[position]
                    if self._key(handed[index], edition) != keys[index]:
                        verdict = self._unread(handed[index], assignment)
                    if verdict.status != "infrastructure":
                        store.keep_seed(self.drawn)
                        store.put(keys[index], verdict, edition.provenance(handed[index], verdict))
                        self._compare(before.get(handed[index].student, Stored()), handed[index], edition, verdict)
                        verdict = self._enter(writing, handed[index], verdict, keys[index])
                    verdicts[index] = verdict.without_outputs()
                    self.step(f"judging {assignment.name}", len(verdicts), len(handed))
        return [
            Graded(submitted, verdicts[index], keys[index], index in reused) for index, submitted in enumerate(handed)
        ]

    def _compare(self, before: Stored, handed: SubmittedFile, edition: Edition, verdict: Verdict) -> None:
        """Keeps what became of a submission that is the same as before, where checks or environment are not."""
        if before.verdict is None or before.provenance.submission != handed.digest():
            return
        if why := edition.differences(before, self.drawn):
            self.judged_again.append(Regraded(handed, edition, before.verdict, verdict, why))

    def _stored(self, store: Store, writing: GradebookStream, handed: SubmittedFile, name: str) -> Verdict | None:
        """The verdict of an earlier run, written if missing; cell outputs are loaded only for that."""
        verdict = store.find(name, writing.assignment, self.drawn)
        if verdict is None or not writing.lacks(handed, verdict, name):
            return verdict
        whole = store.get(name)
        return None if whole is None else self._enter(writing, handed, whole, name).without_outputs()

    def _enter(self, writing: GradebookStream, handed: SubmittedFile, verdict: Verdict, name: str) -> Verdict:
        """Writes the verdict and returns it, or a fault if writing fails or the submission became unreadable."""
        try:
            writing.enter(handed, verdict, name)
        except ReaderFailed as error:
            return Verdict.of_fault(error, self.drawn, writing.assignment.checks)
        except OSError:
            try:
                handed.data()
            except OSError:
                return self._unread(handed, writing.assignment)
            raise
        except StoreError:
            raise
        except Exception as error:  # affects this submission only
            if writing.writer is None:  # the gradebook could not be opened
                raise
            return Verdict.of_fault(error, self.drawn, writing.assignment.checks)
        return verdict

    def _key(self, handed: SubmittedFile, edition: Edition) -> str:
        """The key of the submission as it is now; empty if it cannot be read."""
        try:
            return edition.key(handed, self.drawn)
        except OSError:
            return ""

    def _unread(self, handed: SubmittedFile, assignment: Assignment) -> Verdict:
        """The verdict on a submission that changed while it was being judged, or that cannot be read."""
        note = "The submission was changed while it was being judged."
        try:
            handed.data()
        except OSError as error:
            note = f"The submission cannot be read: {error.strerror or error}."
        return Verdict.without_points("infrastructure", self.drawn, assignment.checks, note)

"""Judges the submissions of a gradebook again, from stored copies; the original files are not needed."""

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path

from autograder.authoring.assignment import Assignment, known, load
from autograder.authoring.variants import record
from autograder.grading.backend import Backend
from autograder.grading.errors import UsageError
from autograder.grading.gradebook_stream import GradebookStream
from autograder.grading.grading_run import Step
from autograder.grading.past_runs import Recorded, recorded
from autograder.grading.scheduler import Scheduler
from autograder.judging.disk import describe_disk_error
from autograder.judging.graded_copies import GradedCopies
from autograder.judging.lock import Lock
from autograder.judging.provenance import Provenance, digest
from autograder.judging.retrying import JudgeMaker, make_judge
from autograder.judging.state import NAME
from autograder.judging.store import Store, key
from autograder.judging.versions import environment, versions
from autograder.records.verdict import Verdict
from autograder.submissions.submitted_files import SubmittedFile

Held = tuple[Recorded, Verdict | None]  # the record and its earlier verdict


@dataclass(frozen=True)
class Regraded:
    """One submission with its earlier and its new verdict."""

    handed: SubmittedFile
    assignment: Assignment
    before: Verdict | None  # None if the gradebook's verdict is unknown
    after: Verdict
    why: tuple[str, ...]  # what differs: checks, versions, seed; empty if nothing

    @property
    def same(self) -> bool:
        """Whether both verdicts are identical byte for byte."""
        return self.before is not None and self.before.to_record() == self.after.to_record()

    @property
    def changes(self) -> list[tuple[str, float | None, float | None]]:
        """(check, points before, points now) of every check whose result changed; None where it is missing."""
        before = {check.cell: check for check in self.before.checks} if self.before else {}
        after = {check.cell: check for check in self.after.checks}
        names = [*after, *(name for name in before if name not in after)]
        return [
            (name, before[name].points if name in before else None, after[name].points if name in after else None)
            for name in names
            if before.get(name) != after.get(name)
        ]


@dataclass
class Regrade:
    """:meth:`judged` judges and changes nothing on disk; :meth:`write` then saves the results."""

    root: Path
    output: Path
    workers: int = 1
    seed: int | None = None  # None: the seed of each submission's earlier verdict
    step: Step = lambda name, done, of: None
    maker: JudgeMaker = make_judge
    scheduler: Scheduler | None = None
    database: str = ""  # the gradebook's address; empty for the default
    skipped: list[str] = field(default_factory=list)  # assignments that the course no longer has

    def judged(self, assignment: str | None = None, students: Sequence[str] = ()) -> list[Regraded]:
        """Judges all submissions with stored copies, or those of one assignment or of some students.

        Raises:
            UsageError: nothing to judge, an unknown student, or no seed.
            SandboxUnavailable: nothing was judged.
        """
        groups = self._groups(assignment, students)
        regraded = []
        for (name, seed, _), held in groups.items():
            regraded += self._judged(load(self.root, name, held[0][0].handed.student), seed, held)
        return sorted(regraded, key=lambda one: (one.handed.assignment, one.handed.student))

    def write(self, regraded: Sequence[Regraded]) -> None:
        """Writes verdicts, gradebook and feedback; manual entries of instructors are kept.

        Raises:
            StoreError, GradebookError: as in :meth:`autograder.grading.grading_run.Run.grade`.
        """
        here = versions(self.root)
        due = [one for one in regraded if one.after.status != "infrastructure"]
        try:
            with Lock(self.output), Store(self.output) as store, ExitStack() as stack:
                writing: dict[str, GradebookStream] = {}
                places: dict[str, str] = {}
                for number, one in enumerate(due, 1):
                    handed, assignment = one.handed, one.assignment
                    if assignment.name not in writing:
                        opened = GradebookStream(self.root, self.output, assignment, self.step, self.database)
                        writing[assignment.name] = stack.enter_context(opened)
                        places[assignment.name] = environment(self.root, assignment.given)
                    name = key(handed, assignment, places[assignment.name], one.after.seed)
                    if not one.same:  # the page shows more than the points by which an entry counts as written
                        GradedCopies(store.state).mark(assignment.name, handed.student, "")
                    store.put(name, one.after, Provenance.of(handed, assignment, here, one.after))
                    writing[assignment.name].enter(handed, one.after, name)
                    self.step("gradebook and feedback", number, len(due))
        except OSError as error:
            raise describe_disk_error(error, self.output) or error from None

    def _groups(self, assignment: str | None, students: Sequence[str]) -> dict[tuple[str, int, str], list[Held]]:
        names, keys = known(self.root), record(self.root)
        if assignment is not None and assignment not in names:
            raise UsageError(f"there is no assignment {assignment!r}; the course has {', '.join(names) or 'none'}.")
        with Store(self.output) as store:
            held = recorded(store)
            there = {one.handed.student for one in held}
            if unknown := sorted(set(students) - there):
                raise UsageError(f"{self.output / NAME} has no submissions of {', '.join(unknown)}.")
            self.skipped = sorted({one.handed.assignment for one in held} - set(names))
            kept = store.seed() if held else None
            groups: dict[tuple[str, int, str], list[Held]] = {}
            for one in held:
                name, student = one.handed.assignment, one.handed.student
                if name not in names or assignment not in (None, name) or (students and student not in students):
                    continue
                before = store.get(one.key, shown=False) if one.key else None
                seed = self.seed if self.seed is not None else before.seed if before else kept
                if seed is None:
                    raise UsageError(f"{student}: no seed is recorded in {self.output}; give one with --seed N.")
                groups.setdefault((name, seed, keys.of(student)), []).append((one, before))
        if not groups:
            what = f" for {assignment!r}" if assignment else ""
            raise UsageError(f"nothing to judge{what} in {self.output}; expected a folder that `grade` wrote.")
        return groups

    def _judged(self, assignment: Assignment, seed: int, held: Sequence[Held]) -> list[Regraded]:
        here = versions(self.root)
        backend = Backend(self.root, self.workers, self.scheduler, self.maker)
        verdicts = backend.verdicts([one.handed for one, _ in held], assignment, seed, [one.seconds for one, _ in held])
        regraded: list[Regraded] = []
        self.step(f"judging {assignment.name}", 0, len(held))
        with closing(verdicts):
            for index, verdict in verdicts:
                then, before = held[index]
                why = reasons(then.circumstances, assignment, here, before, seed)
                regraded.append(Regraded(then.handed, assignment, before, verdict, why))
                self.step(f"judging {assignment.name}", len(regraded), len(held))
        return regraded


def reasons(
    then: Provenance, assignment: Assignment, here: dict[str, str], before: Verdict | None, seed: int
) -> tuple[str, ...]:
    """What differs from when the submission was judged before."""
    if before is None:
        return ("its earlier verdict is unknown",)
    found = [] if then.checks in ("", digest(assignment)) else ["different checks"]
    for name, version in here.items():
        was = then.versions.get(name, version)
        if was != version:
            found.append(f"different {name}" if name in ("autograder", "seq2seq") else f"{name} {was} → {version}")
    return (*found, *(["different seed"] if before.seed != seed else []))

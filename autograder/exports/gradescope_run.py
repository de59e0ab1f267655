"""What the autograder zip does in Gradescope's container: one submission in, results.json out.

The points are those of ``grade``: the same run, into a folder that is thrown away.
"""

import json
import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.assignments.variants import record
from autograder.exports.grades import open_gradebook
from autograder.exports.gradescope import GradescopeExporter, results
from autograder.exports.gradescope_zip import Decisions, Otherwise
from autograder.gradebook.book import Book
from autograder.gradebook.learner_report import Report
from autograder.grading.grading_run import Run
from autograder.sandbox.errors import SandboxUnavailable, Unfit
from autograder.sandbox.proof import REMEDY, unfit
from autograder.sandbox.sandboxes import VARIABLE
from autograder.store.disk import StoreError, write_durably

HIDDEN = ("source", "results")  # folders that no account but root's may look into
LEARNER = "learner"
REFUSED = (
    "Nothing was run, no result was written, and the instructor decides:\n"
    "  Grade elsewhere?        on a machine with bubblewrap, `collect` what Gradescope exports, and `grade` it\n"
    "  Accept less?            write the zip anew: gradescope NAME --without-bubblewrap account; SECURITY.md says\n"
    "                          what that keeps"
)
KEPT = {
    "bubblewrap": "Isolation: the code ran in bubblewrap's sandbox.",
    "account": "Isolation: the code ran under an account of its own, as the instructor decided.",
}


@dataclass(frozen=True)
class Home:
    """The folder that Gradescope calls /autograder."""

    folder: Path

    @property
    def source(self) -> Path:
        return self.folder / "source"

    @property
    def submission(self) -> Path:
        return self.folder / "submission"

    @property
    def results(self) -> Path:
        return self.folder / "results" / "results.json"

    def hide(self) -> None:
        """What knows an answer or a grade is for root alone."""
        for name in HIDDEN:
            (self.folder / name).mkdir(exist_ok=True)
            (self.folder / name).chmod(0o700)

    def learner(self) -> str:
        """The submitter by whose name variants are kept, if there are any of one learner alone."""
        keys = record(self.source)
        names = [part for mail in self._addresses() for part in (mail, mail.partition("@")[0])]
        return next((name for name in names if name in keys.students), LEARNER)

    def _addresses(self) -> list[str]:
        path = self.folder / "submission_metadata.json"
        about = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        return [str(user.get("email", "")) for user in about.get("users", ())]


def isolated(home: Home, otherwise: Otherwise) -> str:
    """Chooses the sandbox of all processes that judge, and returns its name.

    Raises:
        SandboxUnavailable: there is none, or one that shows what it must not.
    """
    home.hide()
    names = ("bubblewrap", otherwise) if otherwise != "refuse" else ("bubblewrap",)
    for name in names:
        os.environ[VARIABLE] = name
        try:
            if reason := unfit(home.source, name, ()):
                raise Unfit(reason, REMEDY)
            return name
        except Unfit:
            raise
        except SandboxUnavailable as error:
            lacking = error
    raise SandboxUnavailable(lacking.reason, REFUSED)


def grade_one(home: Home) -> tuple[Report, dict[str, Any]]:
    """Grades the submission and writes its results; returns both.

    Raises:
        SandboxUnavailable: nothing was run or written.
        StoreError: the grader failed, which is no fault of the submission: nothing was written.
    """
    decisions = Decisions.of(home.source)
    name = isolated(home, decisions.without_bubblewrap)
    with TemporaryDirectory(prefix="gradescope-") as folder:
        submitted, output, student = Path(folder, "submitted"), Path(folder, "grades"), home.learner()
        shutil.copytree(home.submission, submitted / student / decisions.assignment, symlinks=True)
        run = Run(home.source, output, workers=1, seed=decisions.seed)
        (graded,) = run.grade(submitted, decisions.assignment)
        if graded.verdict.status == "infrastructure":
            raise StoreError(f"not graded: {' '.join(graded.verdict.notes)} Rerun the autograder.")
        with open_gradebook(home.source, output, Book.below(output)) as (gradebook, course, _):
            exporter = GradescopeExporter(parent=course)
            (line,) = exporter.lines(gradebook)
            report = exporter.report(gradebook, line)
    written = results(report)
    written["output"] += f"\n{KEPT[name]}"
    write_durably(home.results, json.dumps(written, indent=2, ensure_ascii=False) + "\n")
    return report, written

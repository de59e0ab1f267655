"""One submission, repaired: the learner's cells and the instructor's, as a notebook and as a job for the judge."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from autograder.assignments.assignment import Assignment, is_check, is_given, is_solution, nbgrader_settings, released
from autograder.assignments.cutting import BEGIN_HIDDEN
from autograder.assignments.notebooks import KERNEL, LANGUAGE
from autograder.finding import Finding
from autograder.notebook_files.bundle import laid_out, unpacked
from autograder.notebook_files.content import look, of_another
from autograder.notebook_files.file_text import Unreadable
from autograder.notebook_files.which_notebook import listed
from autograder.records.job import Cell, Job
from autograder.records.verdict import Verdict
from autograder.submissions.cells import NotebookCell, code_cell, markdown_cell
from autograder.submissions.matching import arrange, is_blank
from autograder.submissions.reading import read_cells
from autograder.submissions.what_runs import with_what_runs


@dataclass(frozen=True)
class Submission:
    """A learner's submission, ready to be judged, or the reason why it cannot be."""

    assignment: Assignment
    entries: tuple[NotebookCell, ...]
    notes: tuple[str, ...] = ()
    unreadable: str = ""
    files: Mapping[str, bytes] = field(default_factory=dict)  # small ones beside the notebook: path → bytes
    is_blank: bool = False  # the exercise as released, with no answers

    @classmethod
    def read(cls, data: bytes, assignment: Assignment) -> "Submission":
        """Read in this process: for untrusted data use :func:`autograder.submissions.limited_reading.read`."""
        try:
            notebook, files, notes = unpacked(data, assignment.name, assignment.exercises)
            if other := of_another(look(notebook), assignment.name, assignment.exercises):
                raise Unreadable(f"This is the notebook of {other}; hand in {assignment.name}.ipynb.")
            plain, more = read_cells(notebook)
        except Unreadable as error:
            return cls.missing(str(error), assignment)
        entries, repairs = arrange(plain, assignment)
        given = {"autograder", *(path.split("/")[0] for path in assignment.given)}
        files = {name: data for name, data in files.items() if name.split("/")[0] not in given}
        if files:
            notes.append(f"Files beside the notebook, available when it ran: {listed(list(files))}.")
        originals = assignment.cells
        answers = [entry for entry in entries if entry.grade_id in originals and is_solution(originals[entry.grade_id])]
        blank = bool(answers) and all(is_blank(entry.source, originals[entry.grade_id]) for entry in answers)
        ready = with_what_runs(entries, assignment)
        return cls(assignment, ready, (*notes, *more, *repairs), files=files, is_blank=blank)

    @classmethod
    def missing(cls, reason: str, assignment: Assignment) -> "Submission":
        return cls(assignment, (), unreadable=reason)

    def with_notes(self, *notes: str) -> "Submission":
        return replace(self, notes=(*notes, *self.notes))

    def job(self, seed: int, hidden: bool = True) -> Job:
        """The cells needed for a grade, in the notebook's order; check and given cells are the instructor's.

        With ``hidden=False`` the checks that learners cannot see are left out.
        """
        cells = [Cell("your files", "code", laid_out(self.files))] if self.files else []
        for entry in self.entries:
            if entry.kind != "code" or entry.idle or not entry.source.strip():
                continue
            original = self.assignment.cells.get(entry.grade_id)
            if original is None or is_solution(original):
                cells.append(Cell(entry.name, "code", entry.stand_in or entry.source))
            elif is_check(original):
                if hidden or BEGIN_HIDDEN not in original.source:
                    cells.append(Cell(entry.name, "check", original.source, self.assignment.checks[entry.grade_id]))
            else:
                cells.append(Cell(entry.name, "code", original.source))
        return Job(tuple(cells), seed, imports=self.assignment.imports)

    def unreadable_verdict(self, seed: int) -> Verdict:
        """No points, and the reason on every check."""
        finding = Finding(mistake="unreadable", got=self.unreadable)
        verdict = Verdict.without_points("unreadable", seed, self.assignment.checks, self.unreadable, finding)
        return replace(verdict, notes=[*self.notes, self.unreadable])

    def notebook(self) -> NotebookNode:
        """The repaired notebook without outputs; for an unreadable submission, the blank release."""
        entries = self.entries
        if self.unreadable:
            entries = tuple(
                NotebookCell(cell.cell_type, released(cell), nbgrader_settings(cell).get("grade_id", ""), number)
                for number, cell in enumerate(self.assignment.notebook.cells, 1)
            )
        cells = [self._cell(entry) for entry in entries]
        metadata = {"kernelspec": KERNEL, "language_info": LANGUAGE, "title": self.assignment.title}
        return new_notebook(cells=cells, metadata=metadata)

    def _cell(self, entry: NotebookCell) -> NotebookNode:
        original = self.assignment.cells.get(entry.grade_id)
        metadata = {} if original is None else {"nbgrader": dict(original.metadata.nbgrader)}
        source = (
            original.source if original is not None and (is_check(original) or is_given(original)) else entry.source
        )
        if entry.kind == "code":
            return code_cell(source, entry.id, metadata)
        if entry.kind == "raw":  # nbconvert would pass it on as HTML
            source = "\n".join("    " + line for line in source.splitlines())
        cell = markdown_cell(source, entry.id, metadata)
        if entry.attachments:
            cell["attachments"] = entry.attachments
        return cell

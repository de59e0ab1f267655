"""The graded notebook that the instructor opens: the learner's cells, the verdict's outputs, and a summary on top.

Below each written answer is the model answer and rubric, as nbgrader has mark schemes for task cells only; feedback
omits it.
"""

from collections.abc import Mapping

from nbformat import NotebookNode
from nbgrader.utils import determine_grade

from autograder.assignments.assignment import is_check, is_written_answer, nbgrader_settings
from autograder.gradebook.learner_report import headings
from autograder.gradebook.summary import summary_cell
from autograder.records.verdict import Verdict
from autograder.submissions.cells import markdown_cell
from autograder.submissions.safe_outputs import check_outputs, safe_outputs
from autograder.submissions.submission import Submission

RUBRIC = "rubric"  # metadata key of such a cell; a learner's own metadata never reaches a graded notebook


def insert_verdict(notebook: NotebookNode, verdict: Verdict) -> None:
    """Put the verdict's outputs into the cells, where nbgrader reads the points, and the summary first."""
    checks = {check.cell: check for check in verdict.checks}
    results = {result.cell: result for result in verdict.cells}
    for cell in notebook.cells:
        if cell.cell_type != "code":
            continue
        name = cell.metadata.get("nbgrader", {}).get("grade_id") or cell.id.replace("-", " ")
        if is_check(cell):
            cell.outputs = check_outputs(checks.get(name))
        else:
            cell.outputs = safe_outputs(results[name].outputs) if name in results else []
    titles, waiting = headings(notebook), {}
    for cell in notebook.cells:
        settings = nbgrader_settings(cell)
        is_answer = settings.get("grade") and not is_check(cell)
        if settings.get("task") or (is_answer and determine_grade(cell)[0] is None):
            waiting[settings["grade_id"]] = titles[settings["grade_id"]]
    notebook.cells.insert(0, summary_cell(verdict, waiting))


def graded_notebook(submission: Submission, verdict: Verdict, checksums: Mapping[str, str]) -> NotebookNode:
    """The notebook that ``nbgrader autograde`` would make; ``checksums``: the gradebook's, by grade id."""
    if verdict.status == "unreadable" and not submission.unreadable:
        submission = Submission.missing(verdict.notes[-1], submission.assignment)
    notebook = submission.notebook()
    for index, cell in reversed(list(enumerate(notebook.cells))):
        if "nbgrader" not in cell.metadata:
            continue
        name = cell.metadata.nbgrader["grade_id"]
        cell.metadata.nbgrader["checksum"] = checksums[name]
        original = submission.assignment.cells[name]
        if is_written_answer(original):  # below it goes what the source notebook has in its place
            text = f"**For graders of `{name}`** (learners never see this):\n\n{original.source}"
            notebook.cells.insert(index + 1, markdown_cell(text, f"{name[:57]}-rubric", {RUBRIC: name}))
    insert_verdict(notebook, verdict)
    return notebook

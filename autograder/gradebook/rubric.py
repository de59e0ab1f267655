"""Shows the instructor the model answer and rubric of a written question, only where it is graded.

nbgrader has mark schemes for task cells only, not for written answers.
So a cell is added below each answer of the graded notebook that formgrader shows; feedback omits it.
"""

from nbformat import NotebookNode

from autograder.authoring.assignment import Assignment, is_written_answer
from autograder.submissions.cells import markdown_cell

RUBRIC = "rubric"  # metadata key of such a cell; a learner's own metadata never reaches a graded notebook


def insert_rubrics(notebook: NotebookNode, assignment: Assignment) -> None:
    """Below each written answer, insert what the source notebook has in its place."""
    for index in reversed(range(len(notebook.cells))):
        name = notebook.cells[index].metadata.get("nbgrader", {}).get("grade_id")
        own = assignment.cells.get(name)
        if own is not None and is_written_answer(own):
            notebook.cells.insert(index + 1, _rubric_cell(name, own))


def _rubric_cell(name: str, own: NotebookNode) -> NotebookNode:
    text = f"**For graders of `{name}`** (learners never see this):\n\n{own.source}"
    return markdown_cell(text, f"{name[:57]}-rubric", {RUBRIC: name})

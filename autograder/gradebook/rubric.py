"""The model answer and the rubric of a question in words, where the instructor grades it and nowhere else.

nbgrader keeps no such text beside an answer: a mark scheme belongs to its task cells alone.
So each answer of a graded notebook, which formgrader shows, has a cell of ours below it, and feedback leaves it out.
"""

from nbformat import NotebookNode

from autograder.authoring.assignment import Assignment, is_written_answer
from autograder.submissions.cells import markdown_cell

RUBRIC = "rubric"  # key of the metadata of such a cell; a learner's own metadata never reach a graded notebook


def insert_rubrics(notebook: NotebookNode, assignment: Assignment) -> None:
    """Below each answer in words, what the source notebook holds in its place."""
    for index in reversed(range(len(notebook.cells))):
        name = notebook.cells[index].metadata.get("nbgrader", {}).get("grade_id")
        own = assignment.cells.get(name)
        if own is not None and is_written_answer(own):
            notebook.cells.insert(index + 1, _rubric_cell(name, own))


def _rubric_cell(name: str, own: NotebookNode) -> NotebookNode:
    told = f"**For you who grade `{name}`** (learners never see this):\n\n{own.source}"
    return markdown_cell(told, f"{name[:57]}-rubric", {RUBRIC: name})

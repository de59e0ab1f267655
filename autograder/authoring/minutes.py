"""Estimates how long an exercise takes from its text, its lines of code and its questions."""

import re

from autograder.authoring.assignment import Assignment, is_solution, is_written_answer
from autograder.authoring.cutting import BEGIN, END

WORDS = 100  # read in a minute, formulas and code around them included
LINE = 1.5  # minutes for a line of the model answer: to think, write, check and fix
QUESTION = 5.0  # minutes for an answer in words
STEP = 5  # minutes; the sum is rounded to a multiple of it


def minutes(assignment: Assignment) -> int:
    """The time stated in the exercise."""
    cells = assignment.notebook.cells
    texts = [cell.source for cell in cells if cell.cell_type == "markdown" and not is_solution(cell)]
    words = len(re.sub(r"<[^<>]*>", " ", "\n".join(texts)).split())
    questions = sum(is_written_answer(cell) for cell in cells)
    answers = [answer for cell in cells for answer in re.findall(f"{BEGIN}\n(.*?){END}", cell.source, re.DOTALL)]
    lines = sum(bool(line.strip()) for line in "".join(answers).split("\n"))
    return round((words / WORDS + LINE * lines + QUESTION * questions) / STEP) * STEP

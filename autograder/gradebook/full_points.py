"""Tasks that proved faulty: everybody who handed in has all of their points, as the class's table says."""

from collections.abc import Collection
from dataclasses import replace

from autograder.assignments.assignment import Assignment
from autograder.class_table import ClassTable
from autograder.errors import UsageError
from autograder.finding import NOTHING
from autograder.gradebook.learner_report import headings
from autograder.records.verdict import Verdict


def faulty_tasks(table: ClassTable | None, assignment: Assignment) -> tuple[str, ...]:
    """The tasks of this assignment that the table names: by their checks' names, without `_visible` and `_hidden`.

    Raises:
        UsageError: the assignment has no such task.
    """
    if table is None or assignment.name not in table.exercises:
        return ()
    tasks = dict.fromkeys(map(task_name, assignment.checks))
    named = table.exercises[assignment.name].full_points
    if unknown := [task for task in named if task not in tasks]:
        raise UsageError(
            f"the full_points of {assignment.name} name {', '.join(map(repr, unknown))}, "
            f"expected some of {', '.join(tasks)}."
        )
    return named


def with_full_points(verdict: Verdict, assignment: Assignment, tasks: Collection[str]) -> Verdict:
    """The verdict as it is entered: all points of these tasks, with a note that says so to everybody."""
    if not tasks or verdict.status == "unreadable":
        return verdict
    checks = [
        replace(check, points=check.max_points, status="passed", finding=NOTHING)
        if task_name(check.cell) in tasks
        else check
        for check in verdict.checks
    ]
    titles = {task_name(cell): title for cell, title in headings(assignment.notebook).items()}
    notes = [f"Everybody has all points of “{titles[task] or task}”, whatever was written." for task in tasks]
    is_passed = verdict.status == "failed" and all(check.status == "passed" for check in checks)
    status = "ok" if is_passed else verdict.status
    return replace(verdict, status=status, checks=checks, notes=[*verdict.notes, *notes])


def task_name(cell: str) -> str:
    """The name that a task's visible and hidden check have in common."""
    return cell.removesuffix("_visible").removesuffix("_hidden")

"""Writes the gradebook of a large class directly, to measure formgrader's pages."""

import uuid
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path

from nbgrader import api
from sqlalchemy import Table, create_engine, insert

CHECKS, QUESTIONS = 14, 2  # graded cells per assignment, as in the course's exercises
HANDED_IN = datetime(2026, 11, 20, 12)
Rows = list[dict[str, object]]


def fill(url: str, students: int, assignments: Sequence[str], output: Path | None = None) -> None:
    """Fills the gradebook at ``url``, whose tables exist; with ``output``, also writes an empty graded notebook for
    each submission, as formgrader's lists only test that it exists."""
    rows: dict[str, Rows] = {}
    for table, row in _rows(students, assignments):
        rows.setdefault(table, []).append(row)
    engine = create_engine(url)
    with engine.begin() as connection:
        for table in api.Base.metadata.sorted_tables:
            if table.name in rows:
                _insert(connection, table, rows[table.name])
    engine.dispose()
    for name in assignments if output else ():
        for number in range(students):
            path = output / "autograded" / student(number) / name / f"{name}.ipynb"
            path.parent.mkdir(parents=True)
            path.touch()


def student(number: int) -> str:
    return f"learner{number:05}"


def _insert(connection: object, table: Table, rows: Rows) -> None:
    connection.execute(insert(table), rows)


def _rows(students: int, assignments: Sequence[str]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yields (table, row); one check in five of each submission gets no points."""
    yield "course", {"id": "default_course"}
    for number in range(students):
        yield "student", {"id": student(number), "first_name": "", "last_name": ""}
    for name in assignments:
        assignment, notebook = _id(), _id()
        yield "assignment", {"id": assignment, "name": name, "course_id": "default_course"}
        yield "notebook", {"id": notebook, "name": name, "assignment_id": assignment}
        cells = {_id(): number < CHECKS for number in range(CHECKS + QUESTIONS)}  # id → whether it is a check
        for number, (cell, check) in enumerate(cells.items()):
            yield "base_cell", {"id": cell, "name": f"cell{number}", "notebook_id": notebook, "type": "GradeCell"}
            kind = "code" if check else "markdown"
            yield "grade_cells", {"id": cell, "max_score": 1.0, "cell_type": kind}
        for number in range(students):
            submission, submitted = _id(), _id()
            about = {"assignment_id": assignment, "student_id": student(number), "timestamp": HANDED_IN}
            yield "submitted_assignment", {"id": submission, **about}
            about = {"assignment_id": submission, "notebook_id": notebook, "flagged": False}
            yield "submitted_notebook", {"id": submitted, **about}
            for place, (cell, check) in enumerate(cells.items()):
                points = float((number + place) % 5 > 0) if check else None
                about = {"cell_id": cell, "notebook_id": submitted, "auto_score": points, "manual_score": None}
                yield "grade", {"id": _id(), **about, "needs_manual_grade": not check}


def _id() -> str:
    return uuid.uuid4().hex

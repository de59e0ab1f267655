"""``syllabus``: a class's table, shown, entered into the gradebook, and made into a page for learners."""

import argparse
import datetime
import zoneinfo
from pathlib import Path

from autograder.class_table import ClassTable, read
from autograder.commands.cli import OK, columns
from autograder.commands.options import add_gradebook, gradebook, warn_of_extensions
from autograder.errors import UsageError, several
from autograder.folders import TABLE
from autograder.progress.overview import number

TEXT = """\
Shows what a class's table says, enters it into the gradebook, and makes a page of it.
The table is class.toml: exercises, weights, due dates, extensions, what lateness costs, what counts, and
tasks that proved faulty, whose points go to all who handed in: 05_scorers = {full_points = ["score_behind"]}.
Due dates and extensions are entered into the gradebook, for what has been graded, as `grade` does too; run `grade`
afterwards to have penalties and points computed again. A page for learners, syllabus.md, is made from the table,
without extensions.

examples:
  python -m autograder syllabus
"""
PAGE = Path("syllabus.md")


def add_options(parser: argparse.ArgumentParser) -> None:
    add_gradebook(parser)


def run(options: argparse.Namespace) -> int:
    table = read(options.root)
    if table is None:
        raise UsageError(f"{options.root} has no {TABLE}; `new-class` makes a class, which has one.")
    rows = exercises(options.root, table)
    warn_of_extensions(options)
    path = options.root / PAGE
    path.write_text(page(table, rows), encoding="utf-8")
    print("\n".join(columns(rows, "<>>")))
    for student, later in sorted(table.extensions.items()):
        print(f"\n{student} has more time: " + ", ".join(f"{name} {local(table, due)}" for name, due in later.items()))
    entered = enter(options, table)
    print("\n".join(["", *rules(table), f"learners' page  {path}", *entered]))
    return OK


def enter(options: argparse.Namespace, table: ClassTable) -> list[str]:
    """Enters the deadlines of what is in the gradebook; says which these are, and where."""
    from autograder.gradebook.deadlines import enter_deadlines

    book = gradebook(options)
    if not book.exists():
        return []
    with book.open() as opened:
        names = [row.name for row in opened.assignments if enter_deadlines(opened, table, row.name)]
    later = {name for name, weighted in table.exercises.items() if weighted.due} - {*names}
    when = f"; once graded: {several(sorted(later))}" if later else ""
    return [f"entered into    {book}: {several(sorted(names)) or 'nothing yet'}{when}"]


def exercises(root: Path, table: ClassTable) -> list[tuple[str, ...]]:
    """The rows of the table, with the titles that the exercises have."""
    from autograder.assignments.assignment import load
    from autograder.assignments.script import read_script, scripts
    from autograder.gradebook.full_points import faulty_tasks

    titles = {path.stem: str(read_script(path).metadata.course["title"]) for path in scripts(root)}
    for name in (name for name, weighted in table.exercises.items() if weighted.full_points):
        faulty_tasks(table, load(root, name))  # that there are such tasks
    rows: list[tuple[str, ...]] = [("exercise", "due", "weight", "title")]
    for name, weighted in table.exercises.items():
        rows.append((name, local(table, weighted.due), number(weighted.weight), titles[name]))
    return rows


def local(table: ClassTable, due: datetime.datetime | None) -> str:
    return f"{due.astimezone(zoneinfo.ZoneInfo(table.time_zone)):%Y-%m-%d %H:%M}" if due else "–"


def rules(table: ClassTable) -> list[str]:
    """What counts and what lateness costs, in sentences."""
    some = table.best and table.best < len(table.exercises)
    counted = f"the best {table.best} of {len(table.exercises)} exercises count" if some else "every exercise counts"
    late = f"each day begun after an exercise is due costs {number(table.late)} per cent of its points"
    faulty = {name: weighted.full_points for name, weighted in table.exercises.items() if weighted.full_points}
    return [
        f"In the total {counted}, by their weights.",
        f"Late work: {late if table.late else 'it costs nothing'}.",
        *(f"All who hand in {name} have all points of {several(tasks)}." for name, tasks in faulty.items()),
        f"Times are those of {table.time_zone}.",
    ]


def page(table: ClassTable, rows: list[tuple[str, ...]]) -> str:
    header, *body = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([f"# {table.name}", "", header, "|---|---|---:|---|", *body, "", *rules(table), ""])

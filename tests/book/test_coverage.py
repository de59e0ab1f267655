"""Every point that is taught has a page, an exercise and a check, and all three are there."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

from course.coverage import KINDS, Group, Row, asked, groups, held, pages, where
from course.exercises import Exercise, every

from book.prose import BOOK, ROOT

GROUPS, PAGES = groups(ROOT), pages(ROOT)
QUESTIONS = set().union(*(page.questions for page in PAGES.values()))
CELL = re.compile(r"^```\{code-cell\}.*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GUARD = re.compile(r"^\s*assert ", re.MULTILINE)


@cache
def exercises() -> dict[str, Exercise]:
    return every(ROOT)


@cache
def functions(file: str) -> set[str]:
    path = ROOT / "tests" / file
    tree = ast.parse(path.read_text(encoding="utf-8") if path.exists() else "")
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def missing(row: Row, group: Group) -> Iterator[object]:
    yield from (at for at in row.at if at[1] not in PAGES[at[0]].sections)
    yield from set(row.figures) - set().union(*(PAGES[page].labels for page, _ in row.at))
    yield from (task for task in row.tasks if task[1] not in exercises()[task[0]].tasks)
    yield from set(row.questions) - QUESTIONS
    for name, task in row.tasks:
        for module, function in (check.split(".") for check in exercises()[name].tasks[task].checks):
            if function not in import_module(f"autograder.tasks.{module}").check.tasks:
                yield module, function
    yield from (test for test in row.tests if test[1] not in functions(test[0]))
    cells = [cell for page, heading in row.at for cell in CELL.findall(PAGES[page].sections.get(heading, ""))]
    if row.guarded and not any(map(GUARD.search, cells)):
        yield "no section that is named has an assertion in a cell"
    if row.kind == "shown" and not (row.figures or cells):
        yield "nothing to see: name a figure or a table, or a section with a cell that is run"
    if not (row.point.strip() and where(row, group) and asked(row, group, PAGES, exercises())):
        yield "an empty cell"
    if not held(row, exercises()).replace("a person, by the rubric", "").strip("; "):
        yield "only a person holds it; name a test or a guard"


def test_sections_figures_tasks_questions_checks_tests_and_words_of_each_point_are_there() -> None:
    rows = [(f"{group.name}: {row.point}", row, group) for group in GROUPS.values() for row in group.rows]
    assert {point: gone for point, row, group in rows if (gone := list(missing(row, group)))} == {}


def test_every_chapter_teaches_and_shows_on_the_page_and_every_exercise_builds() -> None:
    assert {path.stem for path in BOOK.glob("[01]*_*.md")} <= set(GROUPS)
    assert re.findall(r"^```\{coverage\} (\w+)$", PAGES["coverage"].text, re.MULTILINE) == list(GROUPS)
    for name, group in GROUPS.items():
        kinds = {row.kind for row in group.rows}
        assert kinds <= set(KINDS)
        if name[0].isdigit():
            assert {"taught", "shown"} <= kinds or name == "16_translator"  # which puts together what others teach
            assert ("built" in kinds) == bool(group.exercise)


def test_every_task_and_every_question_belongs_to_a_point() -> None:
    rows = [row for group in GROUPS.values() for row in group.rows]
    tasks = {(name, task) for name, exercise in exercises().items() for task in exercise.tasks}
    assert {task for row in rows for task in row.tasks} == tasks
    assert {label for row in rows for label in row.questions} == QUESTIONS


def test_a_misconception_is_corrected_in_a_box_of_each_section_named() -> None:
    rows = GROUPS["misconceptions"].rows
    assert len(rows) == 10
    for row in rows:
        for page, heading in row.at:
            assert "```{misconception} " in PAGES[page].sections[heading], f"{row.point}: {page}/{heading}"
        assert any(f"```{{misconception}} {row.point}" in PAGES[page].text for page, _ in row.at), row.point


def test_points_of_an_exercise_are_those_of_its_cells() -> None:
    """What the table of exercises says, counted another way: from the text of the scripts."""
    for name, exercise in exercises().items():
        text = (ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8")
        marks = re.findall(r'^# %% .*?(check|question)="\w+" points=(\d+)( hidden=true)?', text, re.MULTILINE)
        assert exercise.points == sum(int(points) for _, points, _ in marks)
        assert exercise.hidden == sum(int(points) for _, points, hidden in marks if hidden)
        assert exercise.in_words == sum(int(points) for kind, points, _ in marks if kind == "question")
        if stated := re.search(r"\*\*Points:\*\* (\d+)", text):
            assert exercise.points == int(stated[1])

"""Every point that is taught has a page, an exercise and a check, and all three are there."""

import ast
import re
import sys
from functools import cache
from importlib import import_module

import pytest
from prose import BOOK, ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from course.coverage import KINDS, Group, Row, asked, groups, held, pages, where
from course.exercises import every

GROUPS, PAGES, EXERCISES = groups(ROOT), pages(ROOT), every(ROOT)
ROWS = [pytest.param(row, group, id=f"{group.name}:{row.point}") for group in GROUPS.values() for row in group.rows]
CELL = re.compile(r"^```\{code-cell\}.*?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
GUARD = re.compile(r"^\s*assert ", re.MULTILINE)

every_row = pytest.mark.parametrize(("row", "group"), ROWS)


@cache
def functions(file: str) -> set[str]:
    tree = ast.parse((ROOT / "tests" / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@every_row
def test_its_sections_stand_on_their_pages(row: Row, group: Group) -> None:
    missing = [f"{page}/{heading}" for page, heading in row.at if heading not in PAGES[page].sections]
    assert missing == []


@every_row
def test_its_figures_stand_on_those_pages(row: Row, group: Group) -> None:
    labels = set().union(*(PAGES[page].labels for page, _ in row.at))
    assert set(row.figures) <= labels


@every_row
def test_its_tasks_and_questions_are_asked(row: Row, group: Group) -> None:
    questions = set().union(*(page.questions for page in PAGES.values()))
    assert [f"{name}/{task}" for name, task in row.tasks if task not in EXERCISES[name].tasks] == []
    assert set(row.questions) <= questions


def defined(module: str, name: str) -> bool:
    return name in import_module(f"autograder.tasks.{module}").check.tasks


@every_row
def test_what_holds_it_is_there(row: Row, group: Group) -> None:
    for name, task in row.tasks:
        for check in EXERCISES[name].tasks[task].checks:
            module, function = check.split(".")
            assert defined(module, function)
    assert [test for test in row.tests if test[1] not in functions(test[0])] == []
    if row.guarded:
        cells = [cell for page, heading in row.at for cell in CELL.findall(PAGES[page].sections[heading])]
        assert any(GUARD.search(cell) for cell in cells), "no section that is named has an assertion in a cell"


@every_row
def test_no_cell_is_empty(row: Row, group: Group) -> None:
    assert row.point.strip()
    assert where(row, group)
    assert asked(row, group, PAGES, EXERCISES)
    by_people = "a person, by the rubric"
    assert held(row, EXERCISES).replace(by_people, "").strip("; "), "only a person holds it; name a test or a guard"


def test_every_chapter_is_covered_and_shown_on_the_page() -> None:
    chapters = {path.stem for path in BOOK.glob("[01]*_*.md")}
    assert chapters <= set(GROUPS)
    named = re.findall(r"^```\{coverage\} (\w+)$", PAGES["coverage"].text, re.MULTILINE)
    assert named == list(GROUPS)


def test_every_task_and_every_question_in_words_is_named() -> None:
    named = {pair for group in GROUPS.values() for row in group.rows for pair in row.tasks}
    assert {(name, task) for name, exercise in EXERCISES.items() for task in exercise.tasks} == named


def test_every_self_check_question_belongs_to_a_point() -> None:
    named = {label for group in GROUPS.values() for row in group.rows for label in row.questions}
    assert set().union(*(page.questions for page in PAGES.values())) == named


def test_chapters_teach_and_show_and_exercises_build() -> None:
    for name, group in GROUPS.items():
        kinds = {row.kind for row in group.rows}
        assert kinds <= set(KINDS)
        if name[0].isdigit():
            assert {"taught", "shown"} <= kinds
            assert ("built" in kinds) == bool(group.exercise)


def test_what_is_said_to_be_shown_can_be_seen() -> None:
    """A point that is shown names a figure or a table, or a section with a cell that is run."""
    for group in GROUPS.values():
        for row in (row for row in group.rows if row.kind == "shown"):
            run = any(CELL.search(PAGES[page].sections[heading]) for page, heading in row.at)
            assert row.figures or run, row.point


def test_a_misconception_is_corrected_in_a_box_of_each_section_named() -> None:
    rows = GROUPS["misconceptions"].rows
    assert len(rows) == 10
    for row in rows:
        for page, heading in row.at:
            assert "```{misconception} " in PAGES[page].sections[heading], f"{row.point}: {page}/{heading}"
        assert any(f"```{{misconception}} {row.point}" in PAGES[page].text for page, _ in row.at), row.point


def test_points_of_an_exercise_are_those_of_its_cells() -> None:
    """What the table of exercises says, counted another way: from the text of the scripts."""
    for name, exercise in EXERCISES.items():
        text = (ROOT / "solutions" / f"{name}.py").read_text(encoding="utf-8")
        marks = re.findall(r'^# %% .*?(check|question)="\w+" points=(\d+)( hidden=true)?', text, re.MULTILINE)
        assert exercise.points == sum(int(points) for _, points, _ in marks)
        assert exercise.hidden == sum(int(points) for _, points, hidden in marks if hidden)
        assert exercise.in_words == sum(int(points) for kind, points, _ in marks if kind == "question")
        if said := re.search(r"\*\*Points:\*\* (\d+)", text):
            assert exercise.points == int(said[1])

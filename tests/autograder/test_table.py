"""The table of ``grade`` has the gradebook's points: of all that is graded, by whomever, penalties taken off."""

import json

import nbformat
import pytest
from small_course import FakeJudge, make

from autograder.__main__ import main
from autograder.gradebook.book import Book

NAME = "02_words"
CELLS = {
    "why": (nbformat.v4.new_markdown_cell, "It saturates.", {"solution": True, "points": 2}),
    "x": (nbformat.v4.new_code_cell, "x = 0", {"grade": False, "solution": True}),
    "x_right": (nbformat.v4.new_code_cell, "assert x == 1\n0.5", {"locked": True, "points": 10}),
}


@pytest.fixture
def notebook():
    plain = {"schema_version": 3, "grade": True, "locked": False, "solution": False, "task": False}
    cells = [
        make_cell(source, id=name, metadata={"nbgrader": {**plain, "grade_id": name, **settings}})
        for name, (make_cell, source, settings) in CELLS.items()
    ]
    return nbformat.v4.new_notebook(cells=cells)


@pytest.fixture
def grade(notebook, tmp_path, capsys, monkeypatch):
    """Grades Ada's work by the command → what it printed; her answer in words is her own."""
    root = make(tmp_path / "course")
    (root / "nbgrader_config.py").write_text('c = get_config()\nc.LateSubmissionPlugin.penalty_method = "zero"\n')
    source, work = root / "build" / "source" / NAME, tmp_path / "submitted" / "ada" / NAME
    for folder in (source, work):
        folder.mkdir(parents=True)
    (source / f"{NAME}.ipynb").write_text(nbformat.writes(notebook))
    notebook.cells[0].source = "Because."
    (work / f"{NAME}.ipynb").write_text(nbformat.writes(notebook))
    (work / "timestamp.txt").write_text("2026-11-20 12:00:00 UTC")
    monkeypatch.setattr("autograder.judging.judge.Judge", FakeJudge)
    output = tmp_path / "out"

    def grade(*options):
        arguments = ["--root", str(root), "--output", str(output), "--workers", "1", *options]
        assert main(["grade", str(tmp_path / "submitted"), *arguments]) == 0
        return capsys.readouterr().out

    grade.book = Book.below(output)
    return grade


def line(out):
    return next(one for one in out.splitlines() if one.startswith("ada"))


def test_what_a_person_reads_counts_among_the_points_that_can_be_had(grade):
    assert "10 / 12  an answer needs manual grading" in line(grade())


def test_points_by_hand_are_in_it(grade):
    grade()
    with grade.book.open() as gradebook:
        given = gradebook.find_grade("why", NAME, NAME, "ada")
        given.manual_score, given.needs_manual_grade = 2, False
        gradebook.db.commit()
    assert line(grade()).endswith("12 / 12")


def test_what_lateness_costs_is_off(grade):
    grade()
    with grade.book.open() as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-11-01 12:00:00 UTC")
    assert "0 / 12  10 taken off for lateness" in line(grade())


def test_programs_get_the_same(grade):
    (one,) = json.loads(grade("--json"))["submissions"]
    assert (one["points"], one["max_points"]) == (10, 10)
    assert one["gradebook"] == {"score": 10, "max_score": 12, "penalty": 0, "waits": True}

from nbconvert.filters import markdown2html

from autograder.finding import Finding
from autograder.gradebook.summary import plain, stopped_cells, summary_cell
from autograder.records.verdict import CellResult, CheckVerdict, Verdict


def verdict(**changes):
    checks = [
        CheckVerdict("one", 1.5, 2.0, "partial", Finding(got="`x`: half | right")),
        CheckVerdict("two", 1.0, 1.0, "passed"),
    ]
    return Verdict(**({"status": "failed", "seed": 1, "checks": checks, "cells": []} | changes))


def test_points_come_first():
    assert summary_cell(verdict()).source.startswith("**2.5 of 3 points.** Some checks did not pass.")


def test_a_message_stays_in_its_column():
    rendered = markdown2html(summary_cell(verdict()).source)
    assert "<code>x</code>: half | right</td>" in rendered
    assert rendered.count("<td") == 6


def test_markup_of_a_learner_is_text():
    text = "<script>alert(1)</script> [a](javascript:b) ![c](d) *e* $f$ `g` # h"
    rendered = markdown2html(plain(text))
    assert "<script" not in rendered
    assert "<a " not in rendered
    assert "<img" not in rendered
    assert "<em>" not in rendered
    assert "$" not in plain(text)


def test_stopped_cells_are_named_once():
    cells = [CellResult("cell 2", "timeout"), CellResult("cell 21", "timeout"), CellResult("cell 3", "ok")]
    assert stopped_cells(verdict(cells=cells, notes=["cell 21 did not finish."])) == ["cell 2 ran out of time."]

import json
import math
from contextlib import closing

import pytest
from graded_class import NAME, verdict
from nbgrader.api import Gradebook

from autograder.errors import UsageError
from autograder.gradebook import summary
from autograder.gradebook.database import GradebookError
from autograder.judging.state import GradedCopies, State
from autograder.report.classwork import assignments, classwork
from autograder.report.findings import findings

BLANK = ["first: not written yet.", "x (other sizes): not written yet.", "x: not written yet."]


@pytest.fixture
def found(graded):
    return lambda **class_: findings(classwork(graded(**class_), NAME))


def test_scores_are_the_gradebooks_with_manual_points_and_penalty(graded):
    output = graded(ada=verdict([1, 1, 1]), ben=verdict([1, 0, 0]), late={"ada": 0.5})
    with Gradebook(f"sqlite:///{output / 'gradebook.db'}") as book:
        book.find_grade("second", NAME, NAME, "ben").manual_score = 0.75
        book.db.commit()
    assert findings(classwork(output, NAME)).scores == {"ada": 2.5, "ben": 1.75}


def test_a_manual_score_is_no_disagreement(graded):
    output = graded(ben=verdict([1, 0, 0]))
    with Gradebook(f"sqlite:///{output / 'gradebook.db'}") as book:
        book.find_grade("second", NAME, NAME, "ben").manual_score = 1
        book.db.commit()
    assert findings(classwork(output, NAME)).attention == ()


def test_statuses_are_counted(found):
    one = found(ada=verdict([1, 1, 1]), ben=verdict([1, 0, 1]), cy=verdict([0, 1, 1]))
    assert one.statuses == {"failed": 2, "ok": 1}


def test_an_item_counts_who_passed_and_who_did_not(found):
    messages = ["", "y: not written yet.", ""]
    one = found(ada=verdict([1, 1, 1]), ben=verdict([0.5, 0, 1]), cy=verdict([1, 0, 1], messages=messages))
    counts = [(item.passed, item.partial, item.failed, item.unwritten) for item in one.items]
    assert counts == [(2, 1, 0, 0), (1, 0, 1, 1), (3, 0, 0, 0)]


def test_an_items_mistakes_leave_out_what_was_not_written(found):
    messages = ["", "y: not written yet.", ""]
    one = found(ada=verdict([1, 0, 1]), cy=verdict([1, 0, 1], messages=messages))
    assert [mistake.students for mistake in one.items[1].mistakes] == [("ada",)]


@pytest.mark.parametrize("status", ["unreadable", "tampered"])
def test_work_that_says_nothing_of_the_checks_does_not_count_but_needs_a_person(found, status):
    one = found(ada=verdict([1, 1, 1]), eve=verdict([0, 0, 0], status, notes=["why it is so."]))
    assert one.counted == 1
    assert one.attention[0][0] == "eve"
    assert "why it is so." in one.attention[0][1]


def test_blank_work_is_named_and_does_not_count(found):
    one = found(ada=verdict([1, 1, 1]), omar=verdict([0, 0, 0], messages=BLANK))
    assert (one.blank, one.counted) == (("omar",), 1)


def test_who_needs_a_manual_grade_needs_a_person(found):
    one = found(ada=verdict([1, 1, 1]), ben=verdict([1, 1, 1]), manual=["ben"])
    assert one.attention == (("ben", "needs a manual grade."),)


def test_points_given_elsewhere_are_told(found):
    one = found(ada=verdict([1, 1, 1]), automatic={"ada": [0, 0, 1]})
    (told,) = one.attention
    assert told[0] == "ada"
    assert "1 automatic points, the stored verdict 3" in told[1]


def test_work_graded_elsewhere_has_its_points_and_no_verdict(found):
    one = found(ada=verdict([1, 1, 1]), automatic={"zoe": [1, 1, 0]})
    assert one.scores["zoe"] == 2
    assert one.statuses["no stored verdict"] == 1
    assert one.attention[0][0] == "zoe"


def show(output, student, one):
    """Lays the graded notebook where nbgrader has it."""
    path = output / "autograded" / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"cells": [{"metadata": {"verdict": summary.summary_cell(one).metadata.verdict}}]}))


def test_work_graded_by_formgrader_is_known_from_its_notebook(graded):
    output = graded(automatic={"zoe": [1, 1, 0]})
    show(output, "zoe", verdict([1, 1, 0]))
    one = findings(classwork(output, NAME))
    assert (one.statuses, one.counted, one.attention) == ({"failed": 1}, 1, ())
    assert one.items[2].mistakes[0].students == ("zoe",)


def test_what_formgrader_graded_last_is_what_counts(graded):
    output = graded(ada=verdict([1, 1, 1]), automatic={"ada": [1, 1, 0]})
    show(output, "ada", verdict([1, 1, 0]))
    assert findings(classwork(output, NAME)).statuses == {"failed": 1}


@pytest.mark.parametrize("text", ["", "[]", '{"cells": []}', '{"cells": [{"metadata": {"verdict": {"checks": [1]}}}]}'])
def test_a_strange_notebook_is_no_verdict(graded, text):
    output = graded(automatic={"zoe": [1, 1, 0]})
    show(output, "zoe", verdict([1, 1, 0]))
    (output / "autograded" / "zoe" / NAME / f"{NAME}.ipynb").write_text(text)
    assert findings(classwork(output, NAME)).statuses == {"no stored verdict": 1}


def test_a_damaged_gradebook_is_told(graded):
    output = graded(ada=verdict([1, 1, 1]))
    (output / "gradebook.db").write_bytes(b"nonsense" * 1000)
    with pytest.raises(GradebookError):
        classwork(output, NAME)


def test_a_verdict_by_other_checks_does_not_count(found):
    old = verdict([1, 1, 1])
    old.checks[0] = old.checks[0].__class__("older", 1.0, 2.0, "partial")
    one = found(ada=verdict([1, 1, 1]), ben=verdict([1, 0, 1]), cy=old)
    assert one.counted == 2
    assert [student for student, _ in one.attention] == ["cy"]


def test_those_who_handed_in_nothing_are_named(found):
    assert found(ada=verdict([1, 1, 1]), enrolled=["max"]).missing == ("max",)


def test_repairs_are_grouped(found):
    notes = ["cell 3 was lost.", "cell 3 was lost."]
    one = found(ada=verdict([1, 1, 1], notes=notes[:1]), ben=verdict([1, 1, 1], notes=notes[1:]))
    assert [(note.diagnosis, note.students) for note in one.notes] == [("cell 3 was lost", ("ada", "ben"))]


def test_times_are_those_of_judging(found):
    one = found(ada=verdict([1, 1, 1], seconds=0.5), ben=verdict([1, 1, 1], seconds=0))
    assert one.seconds == {"ada": 0.5}
    assert one.slowest["ada"] == "cell 7"


def test_the_record_is_json_without_nan(found):
    text = json.dumps(found(ada=verdict([1, 1, 1])).record(), allow_nan=False)
    assert json.loads(text)["items"][0]["item_rest"] is None


def test_an_unreadable_class_has_findings_too(found):
    one = found(ada=verdict([0, 0, 0], "unreadable", notes=["empty."]))
    assert one.counted == 0
    assert math.isnan(one.items[0].difficulty)


def test_nothing_graded_is_said(tmp_path, graded):
    with pytest.raises(UsageError, match="no folder"):
        assignments(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="run `python -m autograder grade` first"):
        assignments(tmp_path)
    with pytest.raises(UsageError, match="graded: 01_small"):
        classwork(graded(ada=verdict([1, 1, 1])), "02_other")


def test_looking_makes_no_gradebook(tmp_path):
    with pytest.raises(UsageError, match="nothing was graded"):
        assignments(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_broken_mark_or_verdict_is_no_error(graded):
    output = graded(ada=verdict([1, 1, 1]), ben=verdict([1, 1, 1]))
    with closing(State(output)) as state:
        staged = GradedCopies(state)
        staged.mark(NAME, "ada", "\x00../../etc")
        staged.mark(NAME, "ben", "")
    assert findings(classwork(output, NAME)).statuses == {"no stored verdict": 2}

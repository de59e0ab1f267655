"""What a class's report says of its learners, of each check and of each mistake."""

import json
import math
from contextlib import closing

import pytest
from graded_class import NAME, verdict

from autograder.errors import UsageError
from autograder.finding import KINDS, UNWRITTEN, Finding
from autograder.gradebook import summary
from autograder.gradebook.database import GradebookError
from autograder.report.class_report import class_report
from autograder.report.classwork import assignments, classwork
from autograder.report.mistakes import grouped
from autograder.store.state import GradedCopies, State
from tests.gradebooks import opened

AFTER = "the mask comes after the softmax"


@pytest.fixture(scope="session")
def report(whole_class):
    return class_report(classwork(whole_class, NAME))


def test_scores_are_the_gradebooks_and_statuses_are_counted_the_most_frequent_first(report):
    expected = {"ada": 2.5, "ben": 2.25, "cy": 2, "dee": 0, "eve": 0, "gil": 3, "hal": 1, "ian": 3, "omar": 0, "zoe": 2}
    assert report.scores == expected
    counts = {"ok": 4, "failed": 3, "unreadable": 1, "tampered": 1, "no stored verdict": 1}
    assert report.statuses == counts
    assert list(report.statuses)[:2] == ["ok", "failed"]


def test_each_check_counts_who_passed_did_not_or_wrote_nothing_and_no_work_that_says_nothing_of_it(report):
    counts = {item.check: (item.passed, item.partial, item.failed, item.unwritten) for item in report.items}
    assert counts == {"first": (4, 1, 0, 0), "second": (3, 0, 1, 1), "third": (5, 0, 0, 0)}
    assert [mistake.students for mistake in report.items[1].mistakes] == [("ben",)]
    assert (report.counted, report.blank, report.missing) == (5, ("omar",), ("max",))


def test_who_needs_a_person_is_named_repairs_are_grouped_and_times_are_those_of_judging(report):
    reason_of = dict(report.attention)
    reasons = {"dee": "The file is empty.", "eve": "It reached out.", "hal": "1 automatic points, the stored verdict 3"}
    assert [student for student, _ in report.attention] == ["dee", "eve", "gil", "hal", "ian", "zoe"]
    assert {name: reason_of[name] for name, reason in reasons.items() if reason not in reason_of[name]} == {}
    assert reason_of["gil"] == "needs a manual grade."
    assert list(report.reasons.items())[-1] == ("needs a manual grade.", ["gil"])  # it may be the whole class
    notes = [(note.diagnosis, note.students) for note in report.notes]
    assert notes == [("cell 3 was lost", ("ada", "cy")), ("It reached out", ("eve",))]
    assert (report.seconds["ada"], "ben" in report.seconds, report.slowest["ada"]) == (0.5, False, "cell 7")


def test_a_class_of_one_is_json_without_nan_and_an_unreadable_one_has_findings_too(graded):
    text = json.dumps(class_report(classwork(graded(ada=verdict([1, 1, 1])), NAME)).record(), allow_nan=False)
    assert json.loads(text)["items"][0]["item_rest"] is None
    report = class_report(classwork(graded(ada=verdict([0, 0, 0], "unreadable", notes=["empty."])), NAME))
    assert report.counted == 0
    assert math.isnan(report.items[0].difficulty)


def show(output, student, shown):
    """Lays the graded notebook where nbgrader has it."""
    path = output / "autograded" / student / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    record = summary.summary_cell(shown, {}).metadata.verdict
    path.write_text(json.dumps({"cells": [{"metadata": {"verdict": record}}]}))
    return path


def test_what_formgrader_graded_last_is_what_counts(graded):
    output = graded(ada=verdict([1, 1, 1]), automatic={"ada": [1, 1, 0], "zoe": [1, 1, 0]})
    for student in ("ada", "zoe"):
        path = show(output, student, verdict([1, 1, 0]))
    report = class_report(classwork(output, NAME))
    assert (report.statuses, report.counted, report.attention) == ({"failed": 2}, 2, ())
    assert report.items[2].mistakes[0].students == ("ada", "zoe")
    for strange in ("", "[]", '{"cells": []}', '{"cells": [{"metadata": {"verdict": {"checks": [1]}}}]}'):
        path.write_text(strange)
        assert class_report(classwork(output, NAME)).statuses == {"failed": 1, "no stored verdict": 1}, strange


def test_damage_and_broken_marks_are_no_traceback_nothing_graded_is_told_and_looking_makes_none(
    graded, tmp_path, whole_class
):
    output = graded(ada=verdict([1, 1, 1]), ben=verdict([1, 1, 1]))
    with closing(State(output)) as state:
        staged = GradedCopies(state)
        staged.mark(NAME, "ada", "\x00../../etc")
        staged.mark(NAME, "ben", "")
    assert class_report(classwork(output, NAME)).statuses == {"no stored verdict": 2}
    (output / "gradebook.db").write_bytes(b"nonsense" * 1000)
    with pytest.raises(GradebookError):
        classwork(output, NAME)
    with pytest.raises(UsageError, match="no folder"):
        assignments(tmp_path / "nowhere")
    with pytest.raises(UsageError, match=r"nothing was graded.*run `python -m autograder grade` first"):
        assignments(tmp_path)
    with pytest.raises(UsageError, match="graded: 01_small"):
        classwork(whole_class, "02_other")
    assert list(tmp_path.iterdir()) == []


def test_who_was_taken_out_of_the_gradebook_is_not_in_the_report(graded):
    output = graded(ada=verdict([1, 1, 1]), ben=verdict([1, 1, 0]))
    with opened(output) as book:
        book.remove_student("ben")  # as `nbgrader db student remove` does
    report = class_report(classwork(output, NAME))
    assert (report.submissions, report.missing, list(report.scores)) == (1, (), ["ada"])


def finding(task="masking.softmax", mistake="mask_after", got="0.1 at [3, 0]", why=AFTER, **fields):
    return Finding(task=task, mistake=mistake, what="weights", got=got, why=why, sure="values", **fields)


NO_IDS = [Finding(got="does not hold: x"), Finding(got="does not hold: x"), Finding(got="no")]
FREQUENT = [finding(mistake=kind, why=kind) for kind in "abb"]
NAMELESS = {"got": "raised NameError: name … is not defined", "mistake": "raised.NameError"}  # of a hidden case
UNDEFINED = {name: NAMELESS | {"got": f"raised NameError: name '{name}' is not defined"} for name in "FG"}
OVERFLOW = [finding(mistake="raised.RuntimeError", why=f"it was given query ({size}, 3)") for size in (4, 12)]
GROUPS = {  # what was found: (of each learner, the mistakes that it makes)
    "a visible and a hidden case": ([finding(), finding(got="wrong", case="one sentence")], [(AFTER, ("ada", "ben"))]),
    "one id in two tasks": ([finding(), finding(task="masking.attend")], [(AFTER, ("ada",)), (AFTER, ("ben",))]),
    "an exception is its class": (OVERFLOW, [("raised RuntimeError", ("ada", "ben"))]),
    "an undefined name that all have": (
        [finding(**fields) for fields in (UNDEFINED["F"], UNDEFINED["F"], NAMELESS)],
        [("raised NameError: name 'F' is not defined", ("ada", "ben", "cy"))],
    ),
    "several": ([finding(**fields) for fields in UNDEFINED.values()], [("raised NameError", ("ada", "ben"))]),
    "without a task": (
        [Finding(mistake="not_defined", what=what, got="not defined") for what in ("A", "B", "B")],
        [("B: not defined", ("ben", "cy")), ("A: not defined", ("ada",))],
    ),
    "of two results": (
        [Finding(task="t", mistake="shape", what=what) for what in ("keys", "scores")],
        [("wrong shape", ("ada", "ben"))],
    ),
    "an instructor's check without ids": (NO_IDS, [("does not hold: x", ("ada", "ben")), ("no", ("cy",))]),
    "the most frequent first": ([*FREQUENT, Finding()], [("b", ("ben", "cy")), ("a", ("ada",))]),
    **{
        kind: (
            [finding(mistake=kind, got=got) for got in ("shape (4, 7)", "shape (2, 9)")],
            [(f"weights: {words}", ("ada", "ben"))],
        )
        for kind, words in KINDS.items()
    },
}


def test_findings_are_grouped_into_mistakes():
    groups = {}
    for name, (pairs, _) in GROUPS.items():
        mistakes = grouped(zip(("ada", "ben", "cy", "dee"), pairs, strict=False))
        groups[name] = [(mistake.diagnosis, mistake.students) for mistake in mistakes]
    assert groups == {name: expected for name, (_, expected) in GROUPS.items()}


def test_a_mistake_has_its_id_an_example_and_each_student_once_and_notes_are_grouped_word_for_word():
    (mistake,) = grouped([("ada", finding()), ("ada", finding(case="float64"))])
    assert (mistake.id, mistake.count, mistake.example) == ("mask_after", 1, f"weights: 0.1 at [3, 0]; {AFTER}.")
    assert mistake.label == f"`softmax`: {AFTER}"
    (blank,) = grouped([("ada", Finding(task="t", mistake=UNWRITTEN, what="scores", got="not written yet"))])
    assert blank.id == UNWRITTEN
    notes = [("ada", "cell 3 was lost."), ("ben", "cell 3 was lost."), ("cy", "cell 4 was lost.")]
    first, second = grouped((student, Finding(got=note)) for student, note in notes)
    assert (first.diagnosis, first.students, second.count) == ("cell 3 was lost", ("ada", "ben"), 1)

import pytest

from autograder.report.mistakes import UNWRITTEN, abstract, diagnosis, grouped, grouped_notes

AFTER = "the mask comes after the softmax, so the real tokens no longer share all of the 1."


def test_visible_and_hidden_wordings_of_one_mistake_are_one():
    seen = f"weights: 0.004465 at [3, 0], expected 1; {AFTER}"
    hidden = f"weights (a batch of one sentence): wrong values, expected those of the equation; {AFTER}"
    assert diagnosis(seen) == diagnosis(hidden)
    assert diagnosis(seen).startswith("the mask comes after the softmax")


def test_without_a_why_the_finding_is_the_diagnosis():
    one = "scores: shape (4, 7, 1), expected (batch=4, keys=7)."
    other = "scores (other sizes): shape (2, 9, 1), expected (batch=2, keys=9)."
    assert diagnosis(one) == diagnosis(other) == "scores: shape (…), expected (…)"


def test_different_mistakes_stay_apart():
    messages = ["scores: NaN, expected finite numbers.", "context: NaN, expected finite numbers."]
    assert diagnosis(messages[0]) != diagnosis(messages[1])


def test_an_exception_is_its_class_and_text_without_line_and_arguments():
    one = "scores: raised RuntimeError: size 4 must match 7, at your line `q @ k`; it was given query (4, 3)."
    other = "scores: raised RuntimeError: size 12 must match 9, at your line `query@keys`; it was given query (12, 3)."
    assert diagnosis(one) == diagnosis(other) == "raised RuntimeError: size … must match …"


def test_what_was_not_written_is_one_group_whatever_the_check():
    assert diagnosis("attend (it, or what it calls) (a batch of one sentence): not written yet.") == UNWRITTEN
    assert diagnosis("context: not written yet.") == UNWRITTEN


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("shape (3,)", "shape (…)"),
        ("at [1, 3]", "at [1, 3]".replace("1, 3", "…")),
        ("-1.5e-07 and .5 and nan", "… and … and …"),
        ("dtype torch.float64, conv1d, x2", "dtype torch.float64, conv1d, x2"),
        ("(batch=1, value_size=3)", "(…)"),
        ("within 10 s", "within … s"),
    ],
)
def test_abstract_takes_out_numbers_and_shapes_alone(text, expected):
    assert abstract(text) == expected


def test_the_most_frequent_comes_first_with_its_students():
    messages = [("ada", "s: 1 at [0]; a."), ("ben", "s: 2 at [1]; b."), ("cy", "s: 3 at [1]; b."), ("dee", "")]
    first, second = grouped(messages)
    assert (first.diagnosis, first.students, first.example) == ("b", ("ben", "cy"), "s: 2 at [1]; b.")
    assert (second.diagnosis, second.count) == ("a", 1)


def test_numbers_stay_where_all_say_the_same():
    (only,) = grouped([("ada", f"weights: 0.1 at [3, 0], expected 1; {AFTER}"), ("ben", f"weights (x): no; {AFTER}")])
    assert only.diagnosis == AFTER.rstrip(".")


def test_python_s_names_of_cells_are_left_out():
    (only,) = grouped([("ada", "x: not defined; SyntaxError: expected ':' (<ipython-input-1-06b48ed8b0f2>, line 4).")])
    assert only.diagnosis == "SyntaxError: expected ':' (the cell, line 4)"


def test_what_was_not_tried_again_is_the_same_mistake():
    first = "Scorer did not finish within 10 s; is there a loop that never ends?"
    assert diagnosis(f"Scorer: not tried again: {first}") == diagnosis(first)


def test_notes_are_grouped_whole():
    (only,) = grouped_notes([("ada", "cell 3 was lost: a; b."), ("ben", "cell 4 was lost: a; b.")])
    assert (only.diagnosis, only.students) == ("cell … was lost: a; b", ("ada", "ben"))


def test_a_student_counts_once_for_a_mistake():
    (only,) = grouped([("ada", "s: 1 at [0]; a."), ("ada", "s: 2 at [4]; a.")])
    assert only.count == 1


@pytest.mark.parametrize("message", ["", " ", ":", ": ", ";", "a: ; ", "((((", "…" * 9, "<script>: 1; <b>2</b>"])
def test_any_text_has_a_diagnosis(message):
    assert isinstance(diagnosis(message), str)

import pytest

from autograder.finding import KINDS, UNWRITTEN, Finding
from autograder.report.findings import grouped, grouped_notes

AFTER = "the mask comes after the softmax"


def found(task="masking.softmax", mistake="mask_after", got="0.1 at [3, 0]", why=AFTER, **fields):
    return Finding(task=task, mistake=mistake, what="weights", got=got, why=why, sure="values", **fields)


def test_the_visible_and_the_hidden_finding_of_one_mistake_are_one():
    (only,) = grouped([("ada", found()), ("ben", found(got="wrong values", case="one sentence"))])
    assert (only.id, only.diagnosis, only.students) == ("mask_after", AFTER, ("ada", "ben"))


def test_one_id_in_two_tasks_is_two_mistakes():
    assert len(grouped([("ada", found()), ("ben", found(task="masking.attend"))])) == 2


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_general_kind_is_told_without_the_numbers_of_one_learner(kind):
    (only,) = grouped(
        [("ada", found(mistake=kind, got="shape (4, 7)")), ("ben", found(mistake=kind, got="shape (2, 9)"))]
    )
    assert only.diagnosis == f"weights: {KINDS[kind]}"
    assert only.count == 2


def test_an_exception_is_its_class():
    one, other = (found(mistake="raised.RuntimeError", why=f"it was given query ({n}, 3)") for n in (4, 12))
    (only,) = grouped([("ada", one), ("ben", other)])
    assert only.diagnosis == "raised RuntimeError"


def test_a_check_of_an_instructor_without_ids_is_grouped_by_what_it_says():
    said = [
        ("ada", Finding(got="does not hold: x")),
        ("ben", Finding(got="does not hold: x")),
        ("cy", Finding(got="no")),
    ]
    first, second = grouped(said)
    assert (first.diagnosis, first.count, second.diagnosis) == ("does not hold: x", 2, "no")


def test_the_most_frequent_comes_first_with_its_students_and_an_example():
    said = [
        ("ada", found(mistake="a", why="a")),
        ("ben", found(mistake="b", why="b")),
        ("cy", found(mistake="b", why="b")),
    ]
    first, second = grouped([*said, ("dee", Finding())])
    assert (first.id, first.students, first.example) == ("b", ("ben", "cy"), "weights: 0.1 at [3, 0]; b.")
    assert (second.id, second.count) == ("a", 1)


def test_a_student_counts_once_for_a_mistake():
    (only,) = grouped([("ada", found()), ("ada", found(case="float64"))])
    assert only.count == 1


def test_what_was_not_written_is_known_by_its_id():
    (only,) = grouped([("ada", Finding(task="t", mistake=UNWRITTEN, what="scores", got="not written yet"))])
    assert only.id == UNWRITTEN


def test_notes_are_grouped_word_for_word():
    first, second = grouped_notes(
        [("ada", "cell 3 was lost."), ("ben", "cell 3 was lost."), ("cy", "cell 4 was lost.")]
    )
    assert (first.diagnosis, first.students, second.count) == ("cell 3 was lost", ("ada", "ben"), 1)

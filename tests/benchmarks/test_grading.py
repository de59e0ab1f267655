import pytest

from benchmarks.grading import engines
from benchmarks.grading.answers import exercise
from benchmarks.grading.classes import generated
from benchmarks.grading_speed import KINDS, Workspace, _halves

NAME = "06_masking"


@pytest.fixture(scope="module")
def of():
    return exercise(NAME, 6)


@pytest.mark.parametrize("kind", KINDS)
def test_a_class_is_of_one_kind_and_its_answers_differ(of, kind):
    submissions = list(generated([of], 5, kinds={kind: 1}))
    assert {one.kind for one in submissions} == {kind}
    assert len({one.text for one in submissions}) == 5
    most = sum(max(one.points for one in tried) for tried in of.tasks.values())
    assert all(one.points == {"solved": most, "blank": 0}.get(kind, one.points) for one in submissions)


@pytest.mark.sandbox
@pytest.mark.parametrize("kind", [*KINDS, "mixed"])
def test_our_command_grades_the_class_and_memory_is_seen(tmp_path, of, kind):
    watch = Workspace(tmp_path, of).grade("ours", kind, 3)
    assert watch.seconds > 0
    assert watch.peak > 100
    assert len(engines.points(tmp_path / "ours" / "grades" / "gradebook.db")) == 3


@pytest.mark.sandbox
def test_wrong_grades_stop_the_benchmark(tmp_path, monkeypatch, of):
    monkeypatch.setattr(engines, "points", lambda gradebook: {"learner00000": 21.0})
    with pytest.raises(RuntimeError, match="wrong points"):
        Workspace(tmp_path, of).grade("ours", "solved", 1)


def test_memory_is_compared_between_the_two_middle_quarters():
    assert _halves([9, 9, 1, 1, 2, 2, 9, 9]) == (1, 2)

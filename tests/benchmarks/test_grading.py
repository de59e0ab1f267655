import pytest

from benchmarks.grading import engines
from benchmarks.grading.exercise import CHECKS, POINTS, expected_points, is_wrong, source_notebook, student, submission
from benchmarks.grading_speed import Field, _halves


def test_the_exercise_has_six_checks_and_twenty_points():
    assert list(CHECKS) == list(POINTS)
    assert (len(POINTS), sum(POINTS.values())) == (6, 20)
    given = [cell.metadata.nbgrader.points for cell in source_notebook().cells if cell.metadata.nbgrader.grade]
    assert given == list(POINTS.values())


@pytest.mark.parametrize("number", range(12))
def test_each_learner_is_right_where_the_benchmark_says_so(number):
    namespace: dict = {}
    points = 0
    for cell in submission(number).cells:
        source = cell.source.replace("%matplotlib inline", "").replace("import matplotlib.pyplot as plt", "")
        if not cell.metadata.nbgrader.grade:
            exec(source, namespace)
            continue
        try:
            exec(source, namespace)
            points += cell.metadata.nbgrader.points
        except AssertionError:
            pass
    assert points == expected_points(number)


def test_learners_differ_and_some_are_wrong():
    texts = {"".join(cell.source for cell in submission(number).cells) for number in range(30)}
    assert len(texts) == 30
    assert 0 < sum(any(is_wrong(number).values()) for number in range(30)) < 30


@pytest.mark.sandbox
def test_our_command_grades_the_class_and_memory_is_seen(tmp_path):
    watch = Field(tmp_path).grade("ours", 3)
    assert watch.seconds > 0
    assert watch.peak > 100
    assert set(engines.points(tmp_path / "ours" / "grades" / "gradebook.db")) == {student(n) for n in range(3)}


@pytest.mark.sandbox
def test_wrong_grades_stop_the_benchmark(tmp_path, monkeypatch):
    monkeypatch.setattr("benchmarks.grading_speed.expected_points", lambda number: 21)
    with pytest.raises(RuntimeError, match="wrong points"):
        Field(tmp_path).grade("ours", 1)


def test_memory_is_compared_between_the_two_middle_quarters():
    assert _halves([9, 9, 1, 1, 2, 2, 9, 9]) == (1, 2)

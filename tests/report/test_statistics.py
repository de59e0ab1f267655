import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from autograder.report import statistics

SHARES = st.sampled_from([0.0, 0.5, 1.0])
READINGS = [
    *((1.0, math.nan, "Everybody", False), (0.0, math.nan, "Nobody passed", True), (0.5, -0.1, "worse here", True)),
    *((0.5, 0.1, "hardly", None), (0.5, 0.25, "a little", None), (0.5, 0.6, "tells strong work from weak.", False)),
    (math.nan, math.nan, "Nobody attempted", None),
]


@st.composite
def classes(draw, most=8):
    students, checks = draw(st.integers(2, most)), draw(st.integers(2, 4))
    points = draw(arrays(float, (students, checks), elements=SHARES))
    weights = draw(arrays(float, (checks,), elements=st.sampled_from([1.0, 2.0, 0.5])))
    return points, weights


def pearson(xs, ys):
    n = len(xs)
    mean_x, mean_y = sum(xs) / n, sum(ys) / n
    covariance = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    spread = math.sqrt(sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys))
    return covariance / spread if spread > 1e-9 else math.nan


def totals(points, weights, without=None):
    rows = []
    for row in points:
        rows.append(sum(float(p * w) for c, (p, w) in enumerate(zip(row, weights, strict=True)) if c != without))
    return rows


@given(classes())
def test_each_statistic_is_what_a_slow_count_gives(example):
    points, weights = example
    columns, whole = points.T.tolist(), totals(points, weights)
    expected = [sum(column) / len(points) for column in columns]
    assert statistics.difficulty(points) == pytest.approx(expected)
    expected = [pearson(column, totals(points, weights, without)) for without, column in enumerate(columns)]
    assert statistics.item_rest(points, weights) == pytest.approx(expected, nan_ok=True)
    expected = [pearson(column, whole) for column in columns]
    assert statistics.point_biserial(points, weights) == pytest.approx(expected, nan_ok=True)


@settings(max_examples=40)
@given(classes(most=6))
def test_upper_lower_is_the_mean_over_every_order_of_the_tied(example):
    points, weights = example
    total, seats = totals(points, weights), max(1, round(0.27 * len(points)))
    every = map(list, itertools.permutations(range(len(points))))
    orders = [order for order in every if all(total[a] >= total[b] - 1e-12 for a, b in itertools.pairwise(order))]
    differences = [points[order[:seats]].mean(0) - points[order[-seats:]].mean(0) for order in orders]
    expected = sum(differences) / len(differences)
    assert statistics.upper_lower(points, weights) == pytest.approx(expected, abs=1e-12)


def test_without_spread_or_without_a_class_there_is_nan_and_no_warning():
    points = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.5]])
    assert math.isnan(statistics.item_rest(points, np.ones(2))[0])
    assert all(math.isnan(end) for end in statistics.interval(0.5, 3))
    nobody = np.zeros((0, 3))
    for statistic in (statistics.item_rest, statistics.point_biserial, statistics.upper_lower):
        assert np.isnan(statistic(nobody, np.ones(3))).all()
    assert np.isnan(statistics.difficulty(nobody)).all()
    assert math.isnan(statistics.reliability(nobody, np.ones(3)))


def test_the_interval_holds_its_promise():
    generator = np.random.default_rng(5)
    truth, students = 0.4, 20
    held = 0
    for _ in range(2000):
        x = generator.normal(size=students)
        y = truth * x + math.sqrt(1 - truth**2) * generator.normal(size=students)
        low, high = statistics.interval(statistics.correlation(x, y), students)
        held += low <= truth <= high
    assert 0.93 < held / 2000 < 0.97


def test_alpha_of_checks_that_are_copies_is_one_and_of_independent_ones_near_zero():
    column = np.array([0.0, 1.0, 1.0, 0.5])
    assert statistics.reliability(np.stack([column] * 3, 1), np.ones(3)) == pytest.approx(1)
    independent = (np.random.default_rng(3).random((4000, 5)) < 0.5).astype(float)
    assert abs(statistics.reliability(independent, np.ones(5))) < 0.1


def test_a_check_is_told_in_words_and_a_suspect_is_one_that_a_person_should_look_at():
    readings = {word: statistics.reading(p, r) for p, r, word, _ in READINGS}
    assert {word: text for word, (text, _) in readings.items() if word not in text} == {}
    suspects = {word: readings[word][1] for *_, word, suspect in READINGS if suspect is not None}
    assert suspects == {word: suspect for _, _, word, suspect in READINGS if suspect is not None}

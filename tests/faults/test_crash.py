"""Killed at random moments, the grading ends the same."""

import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from tests.faults.crash import Grading, crash, soak
from tests.faults.processes import adopt_orphans
from tests.faults.small_class import KINDS

LONG = [pytest.mark.long("crash and soak"), pytest.mark.sandbox, pytest.mark.timeout(1800)]
SIX = list(KINDS)[:6]


def disturbed(way, scratch, course, judge, kinds, kills):
    """Faults, and how many kills hit, in a process that adopts orphans, below which is nothing of other tests."""
    with ProcessPoolExecutor(1, get_context("fork"), adopt_orphans) as pool:
        return pool.submit(disturb, way, scratch / "class", course, judge, kinds, kills).result()


def disturb(way, scratch, course, judge, kinds, kills):
    grading = Grading(scratch, course, judge, kinds)
    return way(grading, kills, random.Random(9)), grading.killed.total()


@pytest.mark.parametrize(
    ("judge", "kinds", "kills"),
    [("fake", SIX[:3:2], 1), *(pytest.param(judge, SIX, 8, marks=LONG) for judge in ("fake", "sandbox"))],
)
def test_a_grading_killed_at_random_moments_ends_as_an_undisturbed_one(course, tmp_path, judge, kinds, kills):
    assert disturbed(crash, tmp_path, course, judge, kinds, kills) == ([], kills)


@pytest.mark.sandbox
@pytest.mark.long("crash and soak")
@pytest.mark.timeout(1800)
def test_under_fire_everybody_gets_the_points_that_they_deserve(course, tmp_path):
    faults, killed = disturbed(soak, tmp_path, course, "sandbox", random.Random(1).sample([*KINDS, *SIX * 7], 59), 3)
    assert faults == []
    assert killed >= 2  # the last may come after the end

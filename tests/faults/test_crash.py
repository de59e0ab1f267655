"""Killed at random moments, the grading ends the same."""

import random
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from tests.faults.crash import Grading, crash, growth, soak
from tests.faults.processes import adopt_orphans
from tests.faults.small_class import KINDS, differences

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


def test_what_differs_or_is_left_is_found(output, whole, rows):
    assert differences(output, whole) == []
    page = next((output / "feedback").rglob("*.html"))
    page.write_text(page.read_text().replace("</body>", "x</body>"))
    (output / ".seed.17").write_text("")
    rows("DELETE FROM verdict WHERE number = (SELECT min(number) FROM verdict)")
    assert sorted(fault.split(" ", 1)[1] for fault in differences(output, whole)) == ["differs", "differs", "was left"]


def test_growth_is_what_stays():
    busy = [random.Random(number).choice([4, 10, 20]) for number in range(200)]
    leak = [count + number / 20 for number, count in enumerate(busy)]  # below what comes and goes
    burst = [count + (20 if number % 2 and number > 150 else 0) for number, count in enumerate(busy)]
    assert growth(leak) > 4 >= growth(burst)
    assert growth([0, 50, 90] + 98 * [100]) == 0  # what is held from the start

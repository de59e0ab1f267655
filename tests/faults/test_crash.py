"""Killed at random moments, the grading ends the same; `crash` and `soak` as commands kill it as often as you like."""

import random
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from multiprocessing import get_context

import psutil
import pytest

from autograder.judging.state import State
from tests.faults.crash import Campaign
from tests.faults.processes import adopt_orphans, below, kill_tree
from tests.faults.small_class import KINDS, differences
from tests.faults.soak import Soak, draw, growth

LONG = [pytest.mark.long("crash and soak"), pytest.mark.sandbox, pytest.mark.timeout(1800)]


def apart(function, *arguments):
    """What it returns in a process that adopts orphans, below which is nothing of other tests."""
    with ProcessPoolExecutor(1, get_context("fork"), adopt_orphans) as pool:
        return pool.submit(function, *arguments).result()


def crash(scratch, course, judge, kinds, kills):
    campaign = Campaign(scratch / "class", course, judge, random.Random(9), kinds)
    return campaign.fight(kills), campaign.killed.total()


def soak(scratch, course, kinds, kills):
    grading = Soak(scratch / "class", course, kinds, random.Random(1), kills)
    return grading.run(), grading.killed.total()


@pytest.mark.parametrize(
    ("judge", "kinds", "kills"),
    [
        ("fake", ["right", "wrong"], 1),
        pytest.param("fake", list(KINDS)[:6], 8, marks=LONG),
        pytest.param("sandbox", list(KINDS)[:6], 8, marks=LONG),
    ],
)
def test_a_grading_killed_at_random_moments_ends_as_an_undisturbed_one(course, tmp_path, judge, kinds, kills):
    assert apart(crash, tmp_path, course, judge, kinds, kills) == ([], kills)


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("kinds", "kills"),
    [(["right", "wrong", "kills"], 1), pytest.param(draw(60, random.Random(1)), 3, marks=LONG)],
    ids=["three", "sixty"],
)
def test_under_fire_everybody_gets_the_points_that_they_deserve(course, tmp_path, kinds, kills):
    faults, killed = apart(soak, tmp_path, course, kinds, kills)
    assert faults == []
    assert killed >= kills - 1  # the last may come after the end


def test_what_differs_or_is_left_is_found(output, whole):
    assert differences(output, whole) == []
    page = next((output / "feedback").rglob("*.html"))
    page.write_text(page.read_text().replace("</body>", "x</body>"))
    (output / ".seed.17").write_text("")
    with closing(State(output)) as state, state.change() as rows:
        rows.execute("DELETE FROM verdict WHERE number = (SELECT min(number) FROM verdict)")
    assert sorted(fault.split(" ", 1)[1] for fault in differences(output, whole)) == ["differs", "differs", "was left"]


def test_a_tree_is_killed_whole():
    line = (
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=-1); print(1); p.wait()"
    )
    process = psutil.Popen([sys.executable, "-uc", line], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "1\n"
    children = below(process)
    assert len(children) == 1
    kill_tree(process)
    process.communicate()
    gone, alive = psutil.wait_procs(children, timeout=60)
    assert (len(gone), alive) == (1, [])


BUSY = [random.Random(number).choice([4, 10, 20]) for number in range(200)]


@pytest.mark.parametrize(
    ("values", "most", "is_more"),
    [
        ([100 + 0.1 * number for number in range(200)], 7, True),
        ([count + number / 20 for number, count in enumerate(BUSY)], 4, True),
        ([0, 50, 90] + 98 * [100], 0, False),  # what is held from the start
        ([count + (20 if number % 2 and number > 150 else 0) for number, count in enumerate(BUSY)], 4, False),
    ],
    ids=["leak", "leak below what comes and goes", "start", "burst"],
)
def test_growth_is_what_stays(values, most, is_more):
    assert (growth(values) > most) is is_more

"""A class under fire, at a thirtieth of its size; `python -m tests.faults.soak --submissions 1000` is the real one."""

import json
import random
import subprocess
import sys

import pytest

from tests.faults.crash import ROOT
from tests.faults.gauge import Gauge
from tests.faults.soak_class import KINDS, make_class

SUBMISSIONS = 30


@pytest.mark.long
@pytest.mark.sandbox
@pytest.mark.timeout(900)
def test_under_fire_everybody_gets_the_points_that_they_deserve():
    command = [sys.executable, "-m", "tests.faults.soak", "--submissions", str(SUBMISSIONS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    figures = json.loads(done.stdout.partition("\n")[2])
    assert sum(figures["kinds"].values()) == SUBMISSIONS
    assert sum(figures["killed"].values()) > 0


def test_a_class_has_learners_of_every_kind(course, tmp_path):
    kinds = make_class(course, tmp_path, SUBMISSIONS, random.Random(1))
    assert set(kinds.values()) == set(KINDS)
    assert len(kinds) == len(list(tmp_path.iterdir())) == SUBMISSIONS
    assert make_class(course, tmp_path / "again", SUBMISSIONS, random.Random(1)) == kinds


def gauge(values, name="memory"):
    made = Gauge()
    made.done = list(range(len(values)))
    made.values[name] = values
    return made


def test_a_leak_is_seen_as_growth():
    assert gauge([100 + 0.1 * number for number in range(101)]).growth("memory") == pytest.approx(8)


def test_what_is_held_from_the_start_is_no_growth():
    assert gauge([0, 50, 90] + 98 * [100]).growth("memory") == pytest.approx(0, abs=1e-9)


def test_a_process_that_stays_is_seen_and_a_burst_at_the_end_is_not():
    busy = [random.Random(number).choice([4, 10, 20]) for number in range(200)]
    assert gauge([count + number / 20 for number, count in enumerate(busy)], "processes").growth("processes") > 4
    burst = [count + (20 if number % 2 and number > 150 else 0) for number, count in enumerate(busy)]
    assert gauge(burst, "processes").growth("processes") <= 4

"""Killed at random moments, the grading ends the same; `python -m tests.faults.crash` kills it fifty times."""

import random
import shutil
import subprocess
import sys
from collections import Counter
from contextlib import closing

import psutil
import pytest

from autograder.judging.state import State
from autograder.judging.store import Store
from tests.autograder.test_store import VERDICT
from tests.faults.crash import ROOT, Campaign, moment
from tests.faults.processes import below, kill_tree

KILLS = 8


@pytest.mark.long
@pytest.mark.sandbox
@pytest.mark.timeout(900)
def test_a_grading_killed_at_random_moments_ends_as_an_undisturbed_one():
    command = [sys.executable, "-m", "tests.faults.crash", "--kills", str(KILLS)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "0 faults"


@pytest.fixture
def campaign(tmp_path):
    """A campaign whose undisturbed run was of one verdict."""
    campaign = Campaign.__new__(Campaign)
    campaign.scratch, campaign.temporary = tmp_path, tmp_path / "tmp"
    campaign.kills, campaign.moments, campaign.faults, campaign.runs = Counter(), Counter(), [], 1
    campaign.chance = random.Random(1)
    campaign.temporary.mkdir()
    return campaign


@pytest.fixture
def graded(course, pair, tmp_path, campaign):
    from tests.faults import power
    from tests.faults.small_class import outcome

    power.grade(course, pair, tmp_path / "out")
    campaign.whole = outcome(tmp_path / "out")
    return tmp_path / "out"


def test_what_differs_or_is_left_is_found(campaign, graded):
    """The test above must be able to fail."""
    shutil.copytree(graded, graded.with_name("same"))
    campaign.compare(graded.with_name("same"))
    assert campaign.faults == []
    page = next((graded / "feedback").rglob("*.html"))
    page.write_text(page.read_text().replace("</body>", "x</body>"))
    (graded / ".seed.17").write_text("")
    (campaign.temporary / "tmpabc").write_text("")
    with closing(State(graded)) as state, state.change() as rows:
        rows.execute("DELETE FROM verdict WHERE number = (SELECT min(number) FROM verdict)")
    campaign.compare(graded)
    assert sorted(fault.split(" ")[3] for fault in campaign.faults) == ["differs", "differs", "was", "was"]


def test_the_moment_is_told_from_what_is_there(tmp_path):
    assert moment(tmp_path) == "before the first verdict"
    with Store(tmp_path) as store:
        store.put("a", VERDICT)
    assert moment(tmp_path) == "judging"


def test_a_tree_is_killed_whole():
    line = (
        "import subprocess, sys; p = subprocess.Popen([sys.executable, '-c', 'input()'], stdin=-1); print(1); p.wait()"
    )
    process = subprocess.Popen([sys.executable, "-uc", line], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "1\n"
    children = below(psutil.Process(process.pid))["other"]
    assert len(children) == 1
    kill_tree(psutil.Process(process.pid))
    process.communicate()
    gone, alive = psutil.wait_procs(children, timeout=10)
    assert (len(gone), alive) == (1, [])

"""A cgroup for each submission, where one is delegated; without a kernel that does, its files are played by a folder."""

import os
import threading
import time
from pathlib import Path

import pytest

from autograder.records.job import Limits
from autograder.sandbox import cgroup
from autograder.sandbox.cgroup import VARIABLE, Cgroup, delegated
from autograder.sandbox.host import cgroups


@pytest.fixture
def parent(tmp_path, monkeypatch):
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (tmp_path / "cgroup.procs").write_text("")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_the_one_that_is_named_is_used(parent):
    assert delegated() == parent
    assert str(parent) in cgroups()


@pytest.mark.parametrize("controllers", ["", "memory", "cpu pids"])
def test_one_that_does_not_hand_down_what_is_needed_is_refused(parent, controllers):
    (parent / "cgroup.subtree_control").write_text(controllers)
    with pytest.raises(OSError, match="with memory and pids"):
        delegated()


def test_our_own_cgroups_parent_is_used_if_it_serves(parent, monkeypatch):
    monkeypatch.delenv(VARIABLE)
    monkeypatch.setattr(cgroup, "our_own", lambda: parent / "leaf")
    assert delegated() == parent
    (parent / "cgroup.subtree_control").write_text("")
    assert delegated() is None
    monkeypatch.setattr(cgroup, "our_own", lambda: None)
    assert delegated() is None


def test_the_limits_are_written_and_the_process_is_put_in(parent):
    made = Cgroup(parent, Limits(memory=2**30, processes=20))
    made.add(4242)
    files = {path.name: path.read_text() for path in made.path.iterdir()}
    assert files == {
        "memory.max": str(2**30),
        "memory.swap.max": "0",
        "memory.oom.group": "1",
        "pids.max": "24",
        "cgroup.procs": "4242",
    }


def test_an_end_by_the_kernel_is_told_as_memory(parent):
    made = Cgroup(parent, Limits())
    (made.path / "memory.events").write_text("low 0\noom 1\noom_kill 3\n")
    assert made.end() == "memory"
    (made.path / "memory.events").write_text("low 0\noom 0\noom_kill 0\n")
    assert made.end() == ""
    assert (made.path / "cgroup.kill").read_text() == "1"


def test_it_is_removed_once_its_last_process_is_gone(parent):
    made = Cgroup(parent, Limits())
    for file in made.path.iterdir():
        file.unlink()  # as the kernel does
    last = made.path / "last"
    last.mkdir()
    threading.Timer(0.2, last.rmdir).start()
    start = time.monotonic()
    made.write = lambda name, value: None
    made.end()
    assert not made.path.exists()
    assert time.monotonic() - start < 2


@pytest.mark.sandbox
def test_the_supervisor_of_a_submission_is_put_in_before_the_submission_starts(parent, learner):
    one = learner()
    (made,) = parent.glob("submission-*")
    supervisor = int((made / "cgroup.procs").read_text())
    assert supervisor == one.session.supervisor
    assert Path(f"/proc/{supervisor}/task/{supervisor}/children").read_text().split()
    assert os.getpid() != supervisor

"""Whose a process is, and who waited, as the warden reads it from /proc: here from a /proc of our making."""

import socket

import pytest

from autograder.sandbox import warden
from autograder.sandbox.warden import Process, Tree

ROOT, INIT = 10, 1


@pytest.fixture
def tree(monkeypatch):
    """A tree whose root is process 10; ``show(seconds, listed, later)`` lets time pass and says what is there."""
    near, far = socket.socketpair()
    tree = Tree(near)
    tree.root = ROOT
    state = {"now": tree.looked, "listed": {}, "later": {}}

    def process(name):
        number = int(name)
        return state["listed"].pop(number, None) or state["later"].get(number)

    def show(seconds, listed, later=()):
        state["now"] += seconds
        state["listed"] = {one.number: one for one in listed}
        state["later"] = {one.number: one for one in later}

    monkeypatch.setattr(warden.os, "listdir", lambda place: [str(number) for number in state["listed"]])
    monkeypatch.setattr(warden.time, "monotonic", lambda: state["now"])
    monkeypatch.setattr(tree, "process", process)
    tree.show = show
    yield tree
    near.close()
    far.close()


def process(number, parent, state="S", cpu=0.0):
    return Process(number, parent, state, "0", cpu, 1)


def numbers(tree):
    return sorted(process.number for process in tree.look())


def test_all_below_the_root_are_its_own_and_nobody_else(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(11, ROOT), process(12, 11), process(20, INIT)])
    assert numbers(tree) == [ROOT, 11, 12]


def test_a_strangers_orphan_is_not_ours(tree):
    """Its parent, 21, died after the list was made; it fell to its own root, 20."""
    before = [process(INIT, 0), process(ROOT, INIT), process(20, INIT), process(22, 21)]
    tree.show(1, before, later=[process(22, 20), process(20, INIT), process(INIT, 0)])
    assert numbers(tree) == [ROOT]


def test_our_own_orphan_is_ours(tree):
    before = [process(INIT, 0), process(ROOT, INIT), process(12, 11)]
    tree.show(1, before, later=[process(12, ROOT)])
    assert numbers(tree) == [ROOT, 12]


def test_a_parent_born_meanwhile_is_asked(tree):
    before = [process(INIT, 0), process(ROOT, INIT), process(20, INIT), process(12, 30), process(22, 31)]
    tree.show(1, before, later=[process(30, ROOT), process(31, 20)])
    assert numbers(tree) == [ROOT, 12]


def test_a_process_that_is_gone_is_nobodys(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(12, 11)])
    assert numbers(tree) == [ROOT]


def test_a_chain_that_always_breaks_counts_as_ours(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(12, 11)], later=[process(12, 11)])
    assert numbers(tree) == [ROOT, 12]


def test_whoever_of_the_tree_could_have_gone_on_has_waited(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT, "R"), process(11, ROOT)])
    tree.look()
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(11, ROOT, "R")])
    tree.look()
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(11, ROOT)])  # both sleep
    tree.look()
    assert tree.waited == pytest.approx(2.0)


def test_work_side_by_side_is_no_debt(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT, "R", 1.0), process(11, ROOT, "R", 1.0)])
    tree.look()
    tree.show(1, [process(INIT, 0), process(ROOT, INIT, "R", 1.0), process(11, ROOT, "R", 1.0)])
    tree.look()
    assert tree.waited == pytest.approx(1.0, abs=2 * warden.CHECK_SECONDS)


def test_a_name_of_any_bytes_can_be_read(tree, tmp_path):
    (tmp_path / "stat").write_bytes(b"7 (\xff\xfe) S 1 ")
    assert tree.read(str(tmp_path / "stat")).rpartition(")")[2] == " S 1 "

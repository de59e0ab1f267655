"""Whose a process is, and who waited, as the supervisor reads it from /proc: here from a /proc of our making."""

import socket

import pytest

from autograder.sandbox import supervisor
from autograder.sandbox.supervisor import Process, Tree

ROOT, INIT = 10, 1


@pytest.fixture
def tree(monkeypatch):
    """A tree whose root is process 10; ``show(seconds, listed, later)`` lets time pass and says what is there.

    ``later`` is how processes are when they are read again, if that is not as they were; None for one that is gone.
    """
    near, far = socket.socketpair()
    tree = Tree(near)
    tree.root = ROOT
    state = {"now": tree.looked, "listed": [], "later": {}}

    def process(name):
        number = int(name)
        found = state["later"].get(number) if number in state["read"] else state["listed"].get(number)
        state["read"].add(number)
        return found

    def show(seconds, listed, later=()):
        state["now"] += seconds
        state["read"] = set()
        state["listed"] = {one.number: one for one in listed}
        state["later"] = state["listed"] | dict(later)

    monkeypatch.setattr(supervisor.os, "listdir", lambda place: [str(number) for number in state["listed"]])
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: state["now"])
    monkeypatch.setattr(tree, "process", process)
    tree.show = show
    yield tree
    near.close()
    far.close()


def later(*processes):
    return {one.number: one for one in processes}


def process(number, parent, state="S", cpu=0.0, threads=1):
    return Process(number, parent, state, "0", cpu, threads)


def numbers(tree):
    return sorted(process.number for process in tree.look())


def test_all_below_the_root_are_its_own_and_nobody_else(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(11, ROOT), process(12, 11), process(20, INIT)])
    assert numbers(tree) == [ROOT, 11, 12]


def test_a_strangers_orphan_is_not_ours(tree):
    """Its parent, 21, died after the list was made; it fell to its own root, 20."""
    before = [process(INIT, 0), process(ROOT, INIT), process(20, INIT), process(22, 21)]
    tree.show(1, before, later=later(process(22, 20), process(20, INIT), process(INIT, 0)))
    assert numbers(tree) == [ROOT]


def test_our_own_orphan_is_ours(tree):
    before = [process(INIT, 0), process(ROOT, INIT), process(12, 11)]
    tree.show(1, before, later=later(process(12, ROOT)))
    assert numbers(tree) == [ROOT, 12]


def test_a_parent_born_meanwhile_is_asked(tree):
    before = [process(INIT, 0), process(ROOT, INIT), process(20, INIT), process(12, 30), process(22, 31)]
    tree.show(1, before, later=later(process(30, ROOT), process(31, 20)))
    assert numbers(tree) == [ROOT, 12]


def test_a_process_that_is_gone_is_nobodys(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(12, 11)], later={12: None})
    assert numbers(tree) == [ROOT]


def test_a_chain_that_always_breaks_counts_as_ours(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(12, 11)], later=later(process(12, 11)))
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
    assert tree.waited == pytest.approx(1.0, abs=2 * supervisor.CHECK_SECONDS)


def test_a_child_that_is_buried_meanwhile_counts_once(tree):
    """It is listed with its time; when its parent is read again, that has the child's too."""
    tree.show(1, [process(INIT, 0), process(ROOT, INIT, "S", 1.0), process(11, ROOT, "R", 2.0)])
    tree.look()
    assert tree.cpu_seconds == 3.0
    listed = [process(INIT, 0), process(11, ROOT, "R", 2.0), process(ROOT, INIT, "S", 3.0)]
    tree.show(1, listed, later={11: None})
    tree.look()
    assert tree.cpu_seconds == 3.0


def test_a_parent_is_read_before_its_child(tree, monkeypatch):
    chain = [process(13, 12), process(12, 11), process(11, ROOT), process(ROOT, INIT), process(INIT, 0)]
    tree.show(1, chain)
    assert [one.number for one in tree.look()] == [ROOT, 11, 12, 13]


def test_a_number_that_has_changed_hands_is_not_ours(tree):
    stranger = Process(11, 20, "R", "later", 50.0, 1)
    tree.show(1, [process(INIT, 0), process(ROOT, INIT), process(11, ROOT)], later={11: stranger})
    assert numbers(tree) == [ROOT]
    assert tree.cpu_seconds == 0.0


def test_time_that_is_nowhere_for_a_moment_is_not_forgotten(tree):
    tree.show(1, [process(INIT, 0), process(ROOT, INIT, "S", 1.0), process(11, ROOT, "R", 2.0)], later={11: None})
    tree.look()
    tree.show(1, [process(INIT, 0), process(ROOT, INIT, "S", 3.0)])
    tree.look()
    tree.show(1, [process(INIT, 0), process(ROOT, INIT, "S", 1.0)])
    tree.look()
    assert tree.cpu_seconds == 3.0


@pytest.mark.parametrize(
    ("processes", "waited"),
    [
        ([process(ROOT, INIT, "D")], 1.0),
        ([process(ROOT, INIT, "D"), process(11, ROOT)], 0.0),
        ([process(ROOT, INIT, "D", threads=2)], 0.0),
        ([process(ROOT, INIT, "D"), process(11, ROOT, "R")], 1.0),
    ],
    ids=["for the disk", "for its child", "for its thread", "for a child that waits for others"],
)
def test_who_waits_in_the_kernel_may_wait_for_its_own(tree, processes, waited):
    tree.show(1, [process(INIT, 0), *processes])
    tree.look()
    assert tree.waited == waited


def test_a_name_of_any_bytes_can_be_read(tree, tmp_path):
    (tmp_path / "stat").write_bytes(b"7 (\xff\xfe) S 1 ")
    assert tree.read(str(tmp_path / "stat")).rpartition(")")[2] == " S 1 "

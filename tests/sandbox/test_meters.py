"""What is counted of a submission's processes, as read from a /proc and a cgroup of our making."""

import os
import socket
import threading
from types import SimpleNamespace

import pytest
from learners import children

from autograder.records.job import Limits
from autograder.sandbox import cgroup, memory_meter, supervisor
from autograder.sandbox.cgroup import VARIABLE, Cgroup, delegated
from autograder.sandbox.host import cgroups
from autograder.sandbox.memory_meter import MemoryMeter, in_a_socket, measure
from autograder.sandbox.supervisor import Process, Tree, exceeded_limit

ROOT, INIT = 10, 1


@pytest.fixture
def tree(monkeypatch, line):
    """A tree whose root is process 10; ``show(listed, later)`` lets a second pass and says what is there.

    ``later`` is how processes are when they are read again, if that is not as they were; None for one that is gone.
    """
    tree = Tree(line[0])
    tree.root = ROOT
    state = SimpleNamespace(now=tree.looked, listed={}, later={}, read=set())

    def read(name):
        number = int(name)
        process = (state.later if number in state.read else state.listed).get(number)
        state.read.add(number)
        return process

    def show(listed, later):
        listed = {process.number: process for process in (at(INIT, 0), *listed)}
        vars(state).update(now=state.now + 1, read=set(), listed=listed, later=listed | later)
        return [process.number for process in tree.look()]

    monkeypatch.setattr(supervisor.os, "listdir", lambda place: [str(number) for number in state.listed])
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: state.now)
    monkeypatch.setattr(tree, "process", read)
    tree.show = show
    return tree


def at(number, parent, state="S", cpu=0.0, threads=1, started="0"):
    return Process(number, parent, state, started, cpu, threads)


ROOTED = [at(ROOT, INIT), at(11, ROOT), at(12, 11)]
BORN = {30: at(30, ROOT), 31: at(31, 20)}
BELONGS = {  # what is listed; how it is when it is read again; whose are ours
    "all below the root and nobody else": ([*ROOTED, at(20, INIT)], {}, [ROOT, 11, 12]),
    "a parent is read before its child": ([at(13, 12), *ROOTED[::-1]], {}, [ROOT, 11, 12, 13]),
    "a stranger's orphan: parent 21 died meanwhile": ([ROOTED[0], at(20, INIT), at(22, 21)], {22: at(22, 20)}, [ROOT]),
    "our own orphan": ([at(ROOT, INIT), at(12, 11)], {12: at(12, ROOT)}, [ROOT, 12]),
    "parents born meanwhile": ([ROOTED[0], at(20, INIT), at(12, 30), at(22, 31)], BORN, [ROOT, 12]),
    "one that is gone is nobody's": ([at(ROOT, INIT), at(12, 11)], {12: None}, [ROOT]),
    "a chain that always breaks": ([at(ROOT, INIT), at(12, 11)], {}, [ROOT, 12]),
    "a number that has changed hands": (ROOTED[:2], {11: at(11, 20, "R", 50.0, started="later")}, [ROOT]),
}


@pytest.mark.parametrize("case", BELONGS)
def test_whose_a_process_is(tree, case):
    listed, later, ours = BELONGS[case]
    assert tree.show(listed, later) == ours
    assert tree.cpu_seconds == 0.0


WORKS = [at(ROOT, INIT, "S", 1.0), at(11, ROOT, "R", 2.0)]
ONE_GOES_ON = [[at(ROOT, INIT, "R"), at(11, ROOT)], [at(ROOT, INIT), at(11, ROOT, "R")]]
BURIES = [at(11, ROOT, "R", 2.0), at(ROOT, INIT, "S", 3.0)]
COUNTED = {  # looks, a second apart: what is listed, and what is otherwise when it is read again; waited; used
    "whoever could have gone on has waited, unless all sleep": ([*ONE_GOES_ON, ROOTED[:2]], {}, 2.0, 0.0),
    "work side by side is no debt": ([[at(ROOT, INIT, "R", 1.0), at(11, ROOT, "R", 1.0)]] * 2, {}, 1.0, 2.0),
    "a child buried once listed, whose time its parent has too": ([WORKS, BURIES], {11: None}, 0.0, 3.0),
    "time that is nowhere for a moment": ([WORKS, BURIES[1:], [at(ROOT, INIT, "S", 1.0)]], {11: None}, 0.0, 3.0),
    "one that waits in the kernel, as for the disk": ([[at(ROOT, INIT, "D")]], {}, 1.0, 0.0),
    "one that waits in the kernel, maybe for its child": ([[at(ROOT, INIT, "D"), at(11, ROOT)]], {}, 0.0, 0.0),
    "one that waits in the kernel, maybe for its thread": ([[at(ROOT, INIT, "D", threads=2)]], {}, 0.0, 0.0),
    "one that waits for a child that waits for others": ([[at(ROOT, INIT, "D"), at(11, ROOT, "R")]], {}, 1.0, 0.0),
}


@pytest.mark.parametrize("case", COUNTED)
def test_what_a_tree_has_used_and_how_long_it_has_waited(tree, case):
    looks, later, waited, used = COUNTED[case]
    for listed in looks:
        tree.show(listed, later)
    assert tree.waited == pytest.approx(waited, abs=2 * supervisor.CHECK_SECONDS)
    assert tree.cpu_seconds == used


def test_a_name_of_any_bytes_can_be_read(tree, tmp_path):
    (tmp_path / "stat").write_bytes(b"7 (\xff\xfe) S 1 ")
    assert tree.read(str(tmp_path / "stat")).rpartition(")")[2] == " S 1 "


def test_memory_is_named_where_filling_it_took_all_processor_time():
    memory = SimpleNamespace(over=lambda numbers, limit: True)
    tree = SimpleNamespace(look=list, cpu_seconds=Limits().cpu_seconds + 1, memory=memory)
    assert exceeded_limit(tree, Limits()) == "memory"


KB = 1024
LARGE, SMALL = 4000, 40  # resident, in kB
PSS = 200  # of process 1; twice that of process 2; process 3 hides
STATUS = "Name:\tpython\nVmPeak:\t 9999 kB\nVmRSS:\t {} kB\nRssAnon:\t7 kB\nVmPTE:\t 2 kB\nVmSwap:\t 3 kB\nThreads: 1\n"
ROLLUP = "Rss: 4000 kB\nPss:  {} kB\nPss_Dirty: 7 kB\nSwap: 90 kB\nSwapPss: 3 kB"
TABLES = {f"{n}/status": STATUS.format(size - 5) for n, size in ((1, LARGE), (2, LARGE), (3, SMALL))}
TABLES |= {f"{n}/smaps_rollup": ROLLUP.format(PSS * n - 5) for n in (1, 2)}


def read(path):
    if path not in TABLES:
        raise FileNotFoundError(path)
    return TABLES[path]


@pytest.fixture
def meter(line, monkeypatch):
    """Our end of the line, at the other a meter at work, for which a supervisor waits however busy the machine is."""
    monkeypatch.setattr(memory_meter, "WAIT_SECONDS", None)
    near, far = line
    thread = threading.Thread(target=measure, args=(far, read))
    thread.start()
    yield near
    near.shutdown(socket.SHUT_RDWR)
    thread.join()


def is_unasked(far):
    far.setblocking(False)
    with pytest.raises(BlockingIOError):
        far.recv(64)


def weighs(line, processes, weight, read=read):
    """Whether the processes are over any limit below this weight alone."""
    meter = MemoryMeter(line, read)
    return (meter.over(processes, weight), meter.over(processes, weight - 1)) == (False, True)


def test_what_is_resident_is_enough_to_know_that_it_is_not_too_much(line):
    near, far = line
    assert not MemoryMeter(near, read).over([1, 3, 77], (LARGE + SMALL) * KB)
    is_unasked(far)


WEIGHED = {  # processes, sockets, what waits in each of which is in no process, and what they weigh, in kB
    "shared pages once": ([1, 2], 0, 3 * PSS),
    "one that hides in full": ([1, 3], 0, PSS + SMALL),
    "no sockets": ([1], 0, PSS),
    "each socket as full": ([1], 3, PSS + 3 * in_a_socket() // KB),
}


@pytest.mark.parametrize("case", WEIGHED)
def test_what_counts_and_how_often(meter, case):
    processes, sockets, weight = WEIGHED[case]
    files = TABLES | {"net/sockstat": f"sockets: used {sockets}\nTCP: inuse 1 orphan 0 tw 0 alloc 3 mem 2\n"}
    assert weighs(meter, processes, weight * KB, lambda path: files[path] if path in files else read(path))


def test_whoever_is_not_to_be_weighed_has_too_much_in_the_end(line, monkeypatch):
    near, far = line
    now = [100.0]
    monkeypatch.setattr(memory_meter, "WAIT_SECONDS", 0.01)
    monkeypatch.setattr(memory_meter, "time", SimpleNamespace(monotonic=lambda: now[0]))
    asking = MemoryMeter(near, read)
    for seconds, is_over in ((0, False), (memory_meter.HELD_SECONDS, False), (0.1, True)):
        now[0] += seconds
        assert asking.over([1], 0) is is_over
    assert far.recv(64) == b"1"
    is_unasked(far)  # again
    asking.answer.close()


def test_an_answer_that_comes_late_is_taken_by_the_supervisor_that_asked(line, monkeypatch):
    near, far = line
    monkeypatch.setattr(memory_meter, "HELD_SECONDS", float("inf"))
    first, other = MemoryMeter(near, read), MemoryMeter(near, read)
    assert not first.over([1], 1000)
    assert not other.over([2], 1000)
    for expected, weight in ((b"1", b"1001"), (b"2", b"999")):
        question, (answer,), _, _ = socket.recv_fds(far, 64, 1)
        assert question == expected
        with socket.socket(fileno=answer) as answers:
            answers.send(weight)
    assert not other.over([2], 1000)
    assert first.over([1], 1000)


def test_a_memory_meter_outlives_a_supervisor_that_does_not_wait(meter):
    MemoryMeter(meter, read).ask([1, 2]).close()
    assert weighs(meter, [1, 2], 3 * PSS * KB)


def test_without_a_memory_meter_the_supervisor_reads_itself(line):
    near, far = line
    far.close()
    assert weighs(near, [1, 2], 3 * PSS * KB)


@pytest.fixture
def parent(tmp_path, monkeypatch):
    """A cgroup that is delegated to us: without a kernel that does, its files are played by a folder."""
    (tmp_path / "cgroup.subtree_control").write_text("cpu memory pids\n")
    (tmp_path / "cgroup.procs").write_text("")
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    return tmp_path


def test_the_one_that_is_named_is_used_and_else_our_own_ones_parent_if_it_hands_down_enough(parent, monkeypatch):
    assert delegated() == parent
    assert str(parent) in cgroups()
    monkeypatch.setattr(cgroup, "current_cgroup", lambda: parent / "leaf")
    for controllers in ("", "memory", "cpu pids"):
        (parent / "cgroup.subtree_control").write_text(controllers)
        monkeypatch.setenv(VARIABLE, str(parent))
        with pytest.raises(OSError, match="with memory and pids"):
            delegated()
        monkeypatch.delenv(VARIABLE)
        assert delegated() is None
    (parent / "cgroup.subtree_control").write_text("memory pids")
    assert delegated() == parent
    monkeypatch.setattr(cgroup, "current_cgroup", lambda: None)
    assert delegated() is None


def test_the_limits_are_written_and_the_process_is_put_in(parent):
    group = Cgroup(parent, Limits(memory=2**30, processes=20))
    group.add(4242)
    written = {"memory.max": str(2**30), "memory.swap.max": "0", "memory.oom.group": "1", "pids.max": "24"}
    assert {path.name: path.read_text() for path in group.path.iterdir()} == written | {"cgroup.procs": "4242"}


@pytest.mark.parametrize(("kills", "ended"), [(3, "memory"), (0, "")])
def test_an_end_by_the_kernel_is_told_as_memory(parent, kills, ended):
    group = Cgroup(parent, Limits())
    (group.path / "memory.events").write_text(f"low 0\noom 1\noom_kill {kills}\n")
    assert group.end() == ended
    assert (group.path / "cgroup.kill").read_text() == "1"


def test_it_is_removed_once_its_last_process_is_gone(parent, monkeypatch):
    group, waits = Cgroup(parent, Limits()), []
    for file in group.path.iterdir():
        file.unlink()  # as the kernel does
    last = group.path / "last"
    last.mkdir()

    def sleep(seconds):
        waits.append(seconds)
        if len(waits) == 3:
            last.rmdir()

    monkeypatch.setattr(cgroup.time, "sleep", sleep)
    group.write = lambda name, value: None
    group.end()
    assert not group.path.exists()
    assert len(waits) == 3


@pytest.mark.sandbox
def test_the_supervisor_of_a_submission_is_put_in_before_the_submission_starts(parent, learner):
    supervisor = learner().session.supervisor
    (group,) = parent.glob("submission-*")
    assert int((group / "cgroup.procs").read_text()) == supervisor != os.getpid()
    assert children(supervisor)

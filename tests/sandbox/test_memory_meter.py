"""What a submission weighs is found without waiting for it."""

import os
import socket
import threading
import time

import pytest
from learners import GIVEN, ROOT

from autograder.records.job import Limits
from autograder.sandbox import memory_meter
from autograder.sandbox.memory_meter import MemoryMeter, in_one_socket, measure, read_here, resident, share, start_meter
from autograder.sandbox.sandboxes import Sandbox

KB = 1024
LARGE, SMALL = 4000, 40  # resident, in kB
STATUS = (
    "Name:\tpython\nVmPeak:\t 9999 kB\nVmRSS:\t {} kB\nRssAnon:\t 7 kB\nVmPTE:\t 2 kB\nVmSwap:\t 3 kB\nThreads:\t1\n"
)
FILES = {f"{n}/status": STATUS.format(size - 5) for n, size in ((1, LARGE), (2, LARGE), (3, SMALL))}
FILES |= {
    f"{n}/smaps_rollup": f"Rss: 4000 kB\nPss:  {200 * n - 5} kB\nPss_Dirty: 7 kB\nSwap: 90 kB\nSwapPss: 3 kB"
    for n in (1, 2)
}


def read(path):
    if path not in FILES:
        raise FileNotFoundError(path)
    return FILES[path]


@pytest.fixture
def line():
    near, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with near, far:
        yield near, far


@pytest.fixture
def patient(monkeypatch):
    """A supervisor waits for the answer, however busy the machine is."""
    monkeypatch.setattr(memory_meter, "WAIT_SECONDS", None)


@pytest.fixture
def meter(line, patient):
    """Our end of the line, at the other a meter at work."""
    near, far = line
    thread = threading.Thread(target=measure, args=(far, read))
    thread.start()
    yield near
    near.shutdown(socket.SHUT_RDWR)
    thread.join()


def test_what_is_resident_is_enough_to_know_that_it_is_not_too_much(line):
    near, far = line
    assert not MemoryMeter(near, read).over([1, 3, 77], (LARGE + SMALL) * KB)
    far.setblocking(False)
    with pytest.raises(BlockingIOError):
        far.recv(64)


@pytest.mark.parametrize("sockets", [0, 3])
def test_each_socket_counts_as_full(meter, sockets):
    """What waits in one is in no process."""
    files = FILES | {"net/sockstat": f"sockets: used {sockets}\nTCP: inuse 1 orphan 0 tw 0 alloc 3 mem 2\n"}

    def weighs(number, limit):
        return MemoryMeter(meter, lambda path: files[path]).over([number], limit)

    limit = 200 * KB + sockets * in_one_socket()
    assert not weighs(1, limit)
    assert weighs(1, limit - 1)


def test_shared_pages_count_once(meter):
    assert not MemoryMeter(meter, read).over([1, 2], 600 * 1024)
    assert MemoryMeter(meter, read).over([1, 2], 600 * 1024 - 1)


def test_a_process_that_hides_counts_in_full(meter):
    assert not MemoryMeter(meter, read).over([1, 3], 200 * 1024 + SMALL * KB)
    assert MemoryMeter(meter, read).over([1, 3], 200 * 1024 + SMALL * KB - 1)


def test_whoever_is_not_to_be_weighed_has_too_much_in_the_end(line, monkeypatch):
    monkeypatch.setattr(memory_meter, "HELD_SECONDS", 3.0)
    one = MemoryMeter(line[0], read)
    assert not one.over([1], 0)
    start = time.monotonic()
    while not one.over([1], 0):
        assert time.monotonic() - start < 30
    assert line[1].recv(64) == b"1"
    line[1].setblocking(False)
    with pytest.raises(BlockingIOError):
        line[1].recv(64)  # asked once
    one.answer.close()


def test_an_answer_that_comes_late_is_taken_by_the_supervisor_that_asked(line, monkeypatch):
    near, far = line
    monkeypatch.setattr(memory_meter, "HELD_SECONDS", float("inf"))
    one, other = MemoryMeter(near, read), MemoryMeter(near, read)
    assert not one.over([1], 1000)
    assert not other.over([2], 1000)
    for expected, weight in ((b"1", b"1001"), (b"2", b"999")):
        question, (answer,), _, _ = socket.recv_fds(far, 64, 1)
        assert question == expected
        with socket.socket(fileno=answer) as answers:
            answers.send(weight)
    assert not other.over([2], 1000)
    assert one.over([1], 1000)


def test_a_memory_meter_outlives_a_supervisor_that_does_not_wait(meter):
    MemoryMeter(meter, read).ask([1, 2]).close()
    assert MemoryMeter(meter, read).over([1, 2], 600 * 1024 - 1)


def test_without_a_memory_meter_the_supervisor_reads_itself(line):
    near, far = line
    far.close()
    assert MemoryMeter(near, read).over([1, 2], 600 * 1024 - 1)
    assert not MemoryMeter(near, read).over([1, 2], 600 * 1024)


def test_a_memory_meter_of_ones_own(patient):
    near = start_meter(lambda: None)
    with near:
        limit = share(os.getpid(), read_here)
        assert 0 < limit <= resident(os.getpid(), read_here)
        assert MemoryMeter(near, read_here).over([os.getpid()], limit // 2)


@pytest.mark.sandbox
def test_forks_without_pause_do_not_hold_up_the_supervisor(learner):
    bomb = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
    with Sandbox(ROOT, GIVEN, Limits(processes=48, memory=400 * 2**20)) as sandbox:
        one = learner(sandbox)
        one.start(bomb)
        one.session.control_socket.settimeout(30)
        assert one.session.control_socket.recv(64) in (b"processes", b"memory")

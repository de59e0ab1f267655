"""Whatever a request does to the process that reads it, it costs that request alone."""

import errno
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace

import psutil
import pytest
from small_course import ROOT

from autograder.sandbox import box, bubblewrap
from autograder.sandbox import reader as reading
from autograder.sandbox.reader import PassedLimit, Reader, ReaderFailed, RequestLimits

MISBEHAVING = replace(box.READING, modules=(*box.READING.modules, "tests/sandbox/misbehaving.py"))
FEW = RequestLimits(cpu_seconds=1, wall_seconds=120, address_space=2**30, answer=2**16)


@pytest.fixture(params=[pytest.param("in a box", marks=pytest.mark.sandbox), "outside", "refused"])
def reader(request, monkeypatch, tmp_path):
    """One in a box; and where bubblewrap is not installed, or is not allowed to make one."""
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    monkeypatch.setitem(reading.TASKS, "misbehave", "tests.sandbox.misbehaving")
    if request.param != "in a box":
        refused = tmp_path / "bwrap"
        refused.write_text("#!/bin/sh\nexit 1\n")
        refused.chmod(0o755)
        bwrap = str(refused) if request.param == "refused" else None
        monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: bwrap)
    reader = Reader(MISBEHAVING)
    yield reader
    reader.close()


def worker(reader):
    """The process that forks."""
    started = psutil.Process(reader.box.process.pid)
    processes = [started, *started.children(recursive=True)]
    return next(process for process in processes if process.name().startswith("python"))


def ask(reader, words, common="", limits=FEW):
    return reader.ask("misbehave", words.encode(), common, limits)


def test_what_requests_have_in_common_is_made_ready_once_for_each(reader):
    answers = [ask(reader, f"say {number}", f"text {number % 6}") for number in range(13)]
    assert answers == [[f"TEXT {number % 6}", str(number)] for number in range(13)]
    assert ask(reader, "say x") == [None, "x"]


@pytest.mark.parametrize(
    ("does", "error", "message"),
    [
        ("spin", PassedLimit, "took more than 1 s of processor time"),
        ("eat", PassedLimit, "took more than 1024 MiB of memory"),
        ("crash", PassedLimit, "crashed Python itself"),
        ("deep", PassedLimit, "met something that is nested too deeply"),
        ("talk", PassedLimit, "gave more than 0 MiB"),
        ("fail", ReaderFailed, "ValueError: of ours"),  # an error of ours is no limit
    ],
)
def test_a_request_that_passes_a_limit_or_fails_costs_itself_alone(reader, does, error, message):
    assert ask(reader, "say before", "text") == ["TEXT", "before"]
    before = reader.box.process.pid
    with pytest.raises(error, match=message):
        ask(reader, does)
    assert ask(reader, "say after", "text") == ["TEXT", "after"]
    assert reader.box.process.pid == before


def test_a_machine_that_gives_no_time_or_starts_no_process_is_not_the_requests_fault(reader, monkeypatch):
    def refused(*arguments, **options):
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    with pytest.raises(ReaderFailed, match="did not answer within 1 s"):
        ask(reader, "sleep", limits=RequestLimits(wall_seconds=1))
    reader.close()
    monkeypatch.setattr(box.subprocess, "Popen", refused)
    with pytest.raises(ReaderFailed, match="Resource temporarily unavailable"):
        ask(reader, "say x")


def test_nobody_waits_for_another(reader):
    ask(reader, "say x")
    failed = []

    def spin():
        with suppress(ReaderFailed):  # it is killed at the end
            ask(reader, "spin", limits=RequestLimits(cpu_seconds=300, wall_seconds=300))
        failed.append(True)

    threads = [threading.Thread(target=spin, daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert [ask(reader, f"say {number}")[1] for number in range(5)] == list("01234")
    assert not failed
    while len(failed) < len(threads):  # the first of two tries is lost, and then the second
        reader.kill()
        time.sleep(0.05)
    for thread in threads:  # one that is left would start another process
        thread.join()


def test_a_fork_writes_nothing_reaches_nobody_and_holds_nothing_open(reader, tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        for does in (f"write {tmp_path / 'file'}", f"send {listener.getsockname()[1]}"):
            with pytest.raises(ReaderFailed, match=r"OSError|FileNotFound|PermissionError|ConnectionRefused|signal 25"):
                ask(reader, does)
    assert not (tmp_path / "file").exists() or not (tmp_path / "file").read_text()
    assert ask(reader, "interfaces") in (["lo"], [])
    assert ask(reader, "descriptors") <= 5  # three that lead nowhere, the connection, and the folder that lists them


def test_a_process_that_was_killed_or_hangs_is_replaced_and_a_fork_of_whoever_asks_has_its_own(reader, monkeypatch):
    monkeypatch.setattr(reading, "GRACE_SECONDS", 0.5)
    for number, limits in {signal.SIGKILL: FEW, signal.SIGSTOP: RequestLimits(wall_seconds=8)}.items():
        ask(reader, "say x", "text")
        os.kill(worker(reader).pid, number)
        assert ask(reader, "say y", "text", limits) == ["TEXT", "y"]
    assert ask(reader, "say x")[1] == "x"
    before = reader.box.process.pid
    child = os.fork()
    if not child:
        ok = ask(reader, "say y")[1] == "y" and reader.box.process.pid != before
        reader.close()
        os._exit(0 if ok else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert ask(reader, "say z")[1] == "z"
    assert reader.box.process.pid == before


@pytest.mark.sandbox
def test_a_box_shows_no_task_no_reference_and_none_of_our_files():
    line = bubblewrap.command(ROOT, (), reading.LIMITS, [], purpose=box.READING)
    shown = [path for option, path, *_ in zip(line, line[1:], line[2:], strict=False) if option == "--ro-bind"]
    assert str(ROOT / "autograder" / "submissions") in shown
    hidden = [ROOT, *(ROOT / "autograder" / room for room in ("tasks", "checking")), ROOT / "seq2seq"]
    assert [path for path in shown if any(str(folder) == path for folder in hidden)] == []


def test_it_ends_with_whoever_asks():
    program = (
        "import os, signal\nfrom autograder.sandbox.reader import READER\n"
        "READER.prepare('read')\nprint(READER.box.process.pid, flush=True)\nos.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    with suppress(psutil.NoSuchProcess):
        reader = psutil.Process(int(done.stdout))
        while reader.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.05)

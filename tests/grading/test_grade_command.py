"""How the command ``grade`` says how far it is, is interrupted, and ends."""

import errno
import os
import signal
from contextlib import nullcontext
from types import SimpleNamespace
from unittest.mock import Mock

import pytest

from autograder import __main__ as command
from autograder.commands.grade import _first_message
from autograder.commands.progress import Bar
from autograder.grading.gradebook_stream import deferred_interrupts
from autograder.notebook_files.content import Content
from autograder.notebook_files.which_notebook import chosen


def test_progress_says_how_many_are_done_and_how_long_the_rest_will_take(capsys):
    bar = Bar()
    bar.step("judging", 3, 10)
    now = bar.bar.start_t + 8
    bar.bar._time = lambda: now
    bar.bar.mininterval = 0
    bar.step("judging", 7, 10)
    bar.close()
    last = capsys.readouterr().err.splitlines()[-1].split("\r")[-1]
    assert "7/10" in last
    assert "0.50/s" in last  # those that were done before do not count
    assert "00:06 left" in last


def test_the_choice_among_copies_stands_in_the_table_before_what_a_check_says():
    copy = "a-Copy1.ipynb"
    contents = {"a.ipynb": Content(answers=2, stubs=1), copy: Content(answers=2, digest="x")}
    choice = chosen([*contents], "a", contents.get)
    checks = [SimpleNamespace(cell="a", message="wrong", points=0)]
    verdict = SimpleNamespace(status="failed", checks=checks, notes=choice.notes, cells=[])
    assert _first_message(verdict) == f"Only {copy!r} was graded"


@pytest.mark.parametrize("number", [signal.SIGINT, None])
def test_an_interrupt_inside_comes_when_the_block_is_left(number):
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    reached = []
    with pytest.raises(KeyboardInterrupt) if number else nullcontext():
        with deferred_interrupts():
            if number:
                signal.raise_signal(number)
            reached.append("the end of the block")
        reached.append("what comes after it")
    assert reached == ["the end of the block", *([] if number else ["what comes after it"])]
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize(
    ("status", "error", "ended", "message"),
    [
        *((status, 0, status, "") for status in (0, 1, 2, 3, 130)),
        (0, errno.EPIPE, 0, ""),  # nobody reads it
        (0, errno.ENOSPC, 1, "the output could not be written: No space left on device.\n"),
    ],
)
def test_the_process_ends_with_the_commands_status_if_its_output_was_written(
    monkeypatch, capsys, status, error, ended, message
):
    statuses = []
    monkeypatch.setattr("os._exit", statuses.append)
    if error:
        fails = Mock(side_effect=OSError(error, os.strerror(error)))
        monkeypatch.setattr("sys.stdout", SimpleNamespace(flush=fails))
    command.leave(status)
    assert statuses[0] == ended
    assert capsys.readouterr().err == message

import errno
import io
import os

import pytest

from autograder import __main__ as command


class Broken(io.StringIO):
    """A standard output whose end has an error."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def flush(self):
        raise OSError(self.number, os.strerror(self.number))


@pytest.fixture
def left(monkeypatch):
    """left(status): the status that the process ends with."""

    def left(status):
        ended = []
        monkeypatch.setattr("os._exit", ended.append)
        command.leave(status)
        return ended[0]

    return left


@pytest.mark.parametrize("status", [0, 1, 2, 3, 130])
def test_the_status_is_the_commands(left, status):
    assert left(status) == status


def test_an_output_that_nobody_reads_is_no_error(left, monkeypatch):
    monkeypatch.setattr("sys.stdout", Broken(errno.EPIPE))
    assert left(0) == 0


def test_an_output_that_could_not_be_written_is_one_line_and_status_1(left, monkeypatch, capsys):
    monkeypatch.setattr("sys.stdout", Broken(errno.ENOSPC))
    assert left(0) == 1
    assert capsys.readouterr().err == "the output could not be written: No space left on device.\n"

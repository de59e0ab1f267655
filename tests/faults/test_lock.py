"""Two grading runs on one output: the second is refused, and what a killed run leaves is nobody's."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.judging.disk import StoreError, locked

ROOT = Path(__file__).resolve().parents[2]
HOLD = "import sys; from pathlib import Path; from autograder.judging.disk import locked\n"
HOLD += "with locked(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock on tmp_path / "out"."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "out")]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "held\n"
    yield process
    process.kill()
    process.communicate()


def test_a_second_run_is_refused_and_told_who_is_first(holder, tmp_path):
    with pytest.raises(StoreError, match=rf"being written by another grading run \(process {holder.pid} on \S+ since"):
        locked(tmp_path / "out").__enter__()


def test_a_refusal_leaves_the_first_run_its_lock(holder, tmp_path):
    for _ in range(2):
        with pytest.raises(StoreError, match="another grading run"):
            locked(tmp_path / "out").__enter__()


def test_a_killed_run_holds_nothing(holder, tmp_path):
    os.kill(holder.pid, signal.SIGKILL)
    holder.wait()
    assert (tmp_path / "out" / "lock").exists()
    with locked(tmp_path / "out"):
        assert str(os.getpid()) in (tmp_path / "out" / "lock").read_text()
    assert not (tmp_path / "out" / "lock").exists()


def test_a_run_that_is_done_lets_go(holder, tmp_path):
    holder.communicate("")
    with locked(tmp_path / "out"):
        pass


@pytest.mark.parametrize("text", ["", "process 1 on here\n", "\0" * 1000])
def test_a_file_that_nobody_holds_is_taken_over(tmp_path, text):
    (tmp_path / "lock").write_text(text)
    with locked(tmp_path):
        assert (tmp_path / "lock").read_text().startswith(f"process {os.getpid()} ")


def test_another_output_is_free(holder, tmp_path):
    with locked(tmp_path / "other"):
        pass


def test_it_leaves_no_folder_that_was_made_for_it_alone(tmp_path):
    with locked(tmp_path / "new" / "out"):
        assert (tmp_path / "new" / "out" / "lock").exists()
    assert list(tmp_path.iterdir()) == []


def test_a_folder_with_something_in_it_stays(tmp_path):
    with locked(tmp_path / "out"):
        (tmp_path / "out" / "seed").write_text("1\n")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["seed"]


def test_a_link_in_its_place_is_not_followed(tmp_path):
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with pytest.raises(StoreError, match="lock is a link, expected a file or nothing: remove it"):
        locked(tmp_path).__enter__()
    assert (tmp_path / "precious").read_text() == "kept"

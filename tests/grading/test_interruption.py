"""Ctrl-C on a run whose submissions never end, with the real sandbox."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from machines import wait_for
from small_course import NAME

from autograder.judging.store import Store

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.sandbox


def tree(process: int) -> dict[int, str]:
    """Process id → command line, of all that a process started, directly or not."""
    found = {}
    with suppress(FileNotFoundError, ProcessLookupError):  # one that has ended meanwhile
        for task in Path(f"/proc/{process}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                with suppress(FileNotFoundError, ProcessLookupError):
                    found[child] = Path(f"/proc/{child}/cmdline").read_text().replace("\0", " ")
                    found |= tree(child)
    return found


def alive(processes) -> list[int]:
    def state(process):
        try:
            return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return "gone"

    return [process for process in processes if state(process) not in ("gone", "Z", "X")]


def stored(output):
    with Store(output) as store:
        return store.all_keys()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_an_interrupted_run_ends_at_once_leaves_no_process_and_keeps_what_was_judged(course, solved, tmp_path, number):
    for student, code in {"ada": "return x + x", "ben": "while True: pass", "cas": "while True: pass"}.items():
        folder = tmp_path / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(solved.replace("return x + x", code), encoding="utf-8")
    line = [sys.executable, "-m", "autograder", "grade", str(tmp_path / "submitted"), "--root", str(course)]
    run = subprocess.Popen(
        [*line, "--output", str(tmp_path / "out"), "--workers", "2"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # as from a terminal: Ctrl-C goes to the whole group
    )
    output = tmp_path / "out"
    wait_for(lambda: (output / "state.db").is_file() and stored(output), run)
    started = tree(run.pid)
    assert any("sandbox" in command for command in started.values())
    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # what other processes make everything slower by
    start = time.monotonic()
    os.killpg(run.pid, number) if number == signal.SIGINT else os.kill(run.pid, number)
    _, err = run.communicate(timeout=30)
    assert time.monotonic() - start < 3 * busy
    wait_for(lambda: not alive(started))
    assert time.monotonic() - start < 5 * busy
    assert len(stored(output)) == 1
    if number == signal.SIGINT:
        assert run.returncode == 130
        assert "Traceback" not in err
        assert err.splitlines()[-1].endswith(
            "grade: interrupted; what was judged is kept, run the same command to continue."
        )

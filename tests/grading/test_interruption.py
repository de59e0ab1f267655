"""Ctrl-C on a run whose submissions never end, with the real sandbox."""

import os
import signal
import subprocess
import sys

import psutil
import pytest
from machines import ROOT, wait_for

from autograder.store.verdicts import Store

pytestmark = pytest.mark.sandbox


LONG = pytest.mark.long("crash and soak")


def stored(output):
    with Store(output) as store:
        return store.all_keys()


def is_alive(process):
    try:
        return process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@pytest.mark.parametrize(
    "number",
    [signal.SIGINT, *(pytest.param(number, marks=LONG) for number in (signal.SIGKILL, signal.SIGTERM))],
)
def test_an_interrupted_run_ends_at_once_leaves_no_process_and_keeps_what_was_judged(
    course, solved, hand_in, tmp_path, number
):
    for student, code in {"ada": "return x + x", "ben": "while True: pass", "cas": "while True: pass"}.items():
        folder = hand_in(student, solved.replace("return x + x", code))
    output = tmp_path / "out"
    line = [sys.executable, "-m", "autograder", "grade", str(folder), "--root", str(course), "--workers", "2"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    # In a session of its own as from a terminal: Ctrl-C goes to the whole group.
    run = subprocess.Popen([*line, "--output", str(output)], cwd=ROOT, start_new_session=True, **pipes)
    wait_for(lambda: (output / "state.db").is_file() and stored(output), run)
    processes = psutil.Process(run.pid).children(recursive=True)
    assert any("autograder.sandbox.worker" in process.cmdline() for process in processes)
    os.killpg(run.pid, number) if number == signal.SIGINT else os.kill(run.pid, number)
    _, err = run.communicate()
    wait_for(lambda: not any(map(is_alive, processes)))
    assert len(stored(output)) == 1  # it has not waited for the others, which would have got a verdict then
    if number == signal.SIGINT:
        assert run.returncode == 130
        assert "Traceback" not in err
        message = "grade: interrupted; what was judged is kept, run the same command to continue.\n"
        assert err.endswith(message)

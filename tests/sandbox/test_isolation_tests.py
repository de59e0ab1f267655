"""The sandbox keeps its promises, each tried for real, and fails closed."""

import os
import time
from pathlib import Path

import pytest

from autograder.records.job import Limits
from autograder.sandbox import bubblewrap
from autograder.sandbox.bubblewrap import command
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import Sandbox
from autograder.sandbox.self_test import ENDLESS, PROMISES, probe
from autograder.sandbox.wire import Closed, Deadline

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.sandbox


def test_doctor_finds_every_promise_kept():
    findings = list(probe(ROOT, "bubblewrap"))
    assert [finding for finding in findings if finding.status == "broken"] == []
    assert sum(finding.status == "kept" for finding in findings) == len(PROMISES)


def test_given_modules_can_be_imported(run):
    assert run("from seq2seq.scorer import Scorer\nprint(Scorer.__name__)") == "Scorer"


@pytest.mark.parametrize(
    "module", ["seq2seq.scorers", "seq2seq.attention", "autograder.judging.judge", "autograder.tasks.scorers"]
)
def test_the_answers_and_the_judge_cannot_be_imported(run, module):
    assert run(f"import {module}") == "ModuleNotFoundError"


def test_the_project_is_not_on_disk(run):
    assert run(f"import os\nprint([p for p in os.listdir({str(ROOT)!r}) if p != '.venv'])") in (
        "[]",
        "FileNotFoundError",
    )


def test_no_secret_of_the_environment_is_in_the_box(run):
    source = "import os, glob\nseen = str(os.environ) + ''.join(open(p, errors='replace').read() for p in glob.glob('/proc/*/environ'))\n"
    assert run(source + "print('hunter2' in seen)") == "False"


def test_garbage_is_collected_as_anywhere(run):
    assert run("import gc\nprint(gc.isenabled(), gc.get_freeze_count() > 0)") == "True True"


def ended(sandbox):
    """How a busy submission ends; an idle one may see its wire closed first, and end by itself."""
    session = sandbox.open()
    session.wire.send({"op": "run", "cell": "cell", "source": ENDLESS})
    return session.end()


def test_a_box_can_be_begun_before_it_is_waited_for():
    sandbox = Sandbox(ROOT, (), Limits())
    sandbox.begin()
    begun = sandbox.begun
    with sandbox:
        assert sandbox.box is begun
        assert ended(sandbox) == "killed"
    with sandbox:  # and once more, from nothing
        assert sandbox.box is not begun
        assert ended(sandbox) == "killed"


def test_magics_work(run):
    assert run("%matplotlib inline\nx = !echo hello\nprint(x[0])") == "hello"


def test_a_picture_is_captured(box):
    session = box.open()
    session.wire.send(
        {"op": "run", "cell": "c", "source": "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()"}
    )
    outputs = session.wire.receive()["outputs"]
    session.end()
    assert "image/png" in outputs[-1]["data"]


def test_html_and_javascript_are_not_shown(run, box):
    session = box.open()
    source = "from IPython.display import HTML, Javascript, display\ndisplay(HTML('<script>alert(1)</script>'))\nJavascript('x')"
    session.wire.send({"op": "run", "cell": "c", "source": source})
    outputs = session.wire.receive()["outputs"]
    session.end()
    assert all(set(output["data"]) <= {"text/plain", "image/png"} for output in outputs)


def test_one_submission_leaves_nothing_to_the_next(run):
    leave = """
import os, builtins, torch
for top in ("/tmp", "/dev/shm", "/", "/course", "/dev", "/var/tmp", "/run"):
    try:
        open(os.path.join(top, "left_behind"), "w").write("the answer")
    except OSError:
        pass
builtins.left = torch.left = 1
"""
    look = """
import os, builtins, torch
found = [top for top, _, names in os.walk("/") if "left_behind" in names and not top.startswith("/usr")]
print(found, hasattr(builtins, "left"), hasattr(torch, "left"))
"""
    run(leave)
    assert run(look) == "[] False False"


def test_a_daemon_does_not_outlive_its_submission(box):
    name = f"late{os.getpid()}"
    source = f"""
import ctypes, os, time
for _ in range(5):
    if not os.fork():
        os.setsid()
        ctypes.CDLL(None).prctl(15, b"{name}", 0, 0, 0)  # PR_SET_NAME
        time.sleep(1000)
time.sleep(0.3)
"""

    def alive():
        return sum(path.read_text().strip() == name for path in Path("/proc").glob("[0-9]*/comm"))

    session = box.open()
    session.wire.send({"op": "run", "cell": "c", "source": source})
    session.wire.receive()
    assert alive() == 5
    session.end()
    deadline = time.monotonic() + 5
    while alive() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive() == 0


def test_a_submission_cannot_signal_its_supervisor_or_the_worker(run):
    source = (
        "import os, signal\nkilled = []\nfor pid in range(2, 300):\n    try:\n        os.kill(pid, signal.SIGKILL)\n"
    )
    source += "        killed.append(pid)\n    except OSError:\n        pass\nprint(killed)"
    assert run(source) == "[]"
    assert run("print('alive')") == "alive"


def test_closing_every_descriptor_harms_the_submission_alone(box, run):
    session = box.open()
    session.wire.send({"op": "run", "cell": "c", "source": "import os\nos.closerange(0, 1000)"})
    with pytest.raises(Closed):
        session.wire.receive(Deadline(10))
    session.end()
    assert run("print('alive')") == "alive"


def test_files_are_limited_in_size(run):
    assert run("open('/tmp/big', 'wb').write(bytes(200 * 2**20))") == "OSError"


def test_printed_text_is_cut(box):
    session = box.open()
    session.wire.send({"op": "run", "cell": "c", "source": "for _ in range(300):\n    print('x' * 100_000)"})
    outputs = session.wire.receive(Deadline(20))["outputs"]
    session.end()
    assert sum(len(output["text"]) for output in outputs) < 2 * 2**20
    assert "cut here" in outputs[-1]["text"]


def test_an_exit_is_an_error_of_the_cell_alone(run):
    assert run("quit()") in ("", "SystemExit")
    assert run("import sys\nsys.exit(3)") == "SystemExit"


def test_without_bubblewrap_nothing_starts_and_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: None)
    with pytest.raises(SandboxUnavailable, match="apt-get install bubblewrap"):
        Sandbox(ROOT, (), Limits()).__enter__()


def test_a_bubblewrap_that_is_refused_says_why(monkeypatch, tmp_path):
    refused = tmp_path / "bwrap"
    refused.write_text("#!/bin/sh\necho 'bwrap: setting up uid map: Permission denied' >&2\nexit 1\n")
    refused.chmod(0o755)
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: str(refused))
    with pytest.raises(SandboxUnavailable, match="uid map: Permission denied"):
        Sandbox(ROOT, (), Limits()).__enter__()


def test_a_given_module_that_does_not_exist_is_named():
    with pytest.raises(SandboxUnavailable, match=r"seq2seq/nonsense\.py"):
        command(ROOT, ("seq2seq/nonsense.py",), Limits(), 3)


def test_a_submission_that_cannot_be_shut_in_is_a_fault_of_ours():
    more_files_than_allowed = Limits(open_files=2**40)
    with (
        Sandbox(ROOT, (), more_files_than_allowed) as sandbox,
        pytest.raises(SandboxUnavailable, match="could not be confined"),
    ):
        sandbox.open()

"""Podman and docker behind the same interface: what they are asked for, and that a submission runs in what they give.

Most of it with a stand-in for the engine; the rest with podman itself, where it is installed and has the image.
"""

import ast
import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from learners import GIVEN, ROOT

from autograder.records.job import Limits
from autograder.sandbox import containers
from autograder.sandbox.box import ENGINE
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import STARTS, ColdSandbox, Sandbox
from autograder.sandbox.wire import Closed

pytestmark = pytest.mark.sandbox


def play_engines(monkeypatch, tmp_path):
    """Stands in for both engines; what they are asked goes to the file ``log``."""
    for engine in ("podman", "docker"):
        (tmp_path / engine).write_text(
            f"#!{sys.executable}\n" + Path(__file__).with_name("engine.py").read_text("utf-8")
        )
        (tmp_path / engine).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ENGINE_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("ENGINE_VENV", sys.prefix)
    monkeypatch.setenv("ENGINE_BASE", sys.base_prefix)
    monkeypatch.delenv(containers.OPTIONS_VARIABLE, raising=False)


@pytest.fixture
def asked(monkeypatch, tmp_path):
    """Stands in for both engines; returns what they have been asked so far."""
    play_engines(monkeypatch, tmp_path)
    return lambda: [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]


def pairs(arguments):
    return list(itertools.pairwise(arguments))


@pytest.mark.parametrize("start", [STARTS["docker"], STARTS["podman-cold"]])
def test_a_submission_runs_in_a_container_of_its_own(asked, learner, start):
    with ColdSandbox(ROOT, GIVEN, Limits(), start) as sandbox:
        one, other = learner(sandbox), learner(sandbox)
        assert (
            one("from seq2seq.scorer import Scorer\nopen('/tmp/left', 'w').close()\nprint(Scorer.__name__)") == "Scorer"
        )
        assert other("import os\nprint(os.path.exists('/tmp/left'))") == "False"
        assert one.end() in ("killed", "exit 0")  # it may have seen the wire close before
    names = [dict(pairs(line))["--name"] for line in asked() if line[0] == "run"]
    assert len(set(names)) == 2


def test_the_engine_is_asked_for_every_restriction(asked, monkeypatch):
    monkeypatch.setattr(containers, "START_SECONDS", 1)
    limits = Limits(memory=2**30, processes=20)
    line = containers.command("docker", Path("/s"), limits, "name", True, [])
    wanted = {
        ("--network", "none"), ("--cap-drop", "ALL"), ("--security-opt", "no-new-privileges"), ("--ipc", "private"),
        ("--pids-limit", "36"), ("--memory", str(2**31)), ("--memory-swap", str(2**31)), ("--cpus", "1"),
        ("--user", "65534:65534"), ("--pull", "never"), ("--volume", "/s:/shared:ro"),
    }  # fmt: skip
    assert wanted <= set(pairs(line))
    assert {"--rm", "--read-only"} <= set(line)
    assert [value for option, value in pairs(line) if option == "--volume"] == ["/s:/shared:ro"]
    assert not any("privileged" in word or word == "--cap-add" for word in line if word != "no-new-privileges")


def test_as_root_podman_is_given_users_that_own_nothing(monkeypatch):
    monkeypatch.setattr(containers.os, "geteuid", lambda: 0)
    assert ("--uidmap", "0:100000:65536") in pairs(containers.for_podman())
    monkeypatch.setattr(containers.os, "geteuid", lambda: 1000)
    assert "--uidmap" not in containers.for_podman()


def test_only_the_given_modules_are_shared_and_they_go_with_the_box(asked):
    box = containers.start("docker", ROOT, GIVEN, Limits(), cold=True).wait()
    shared = Path(box.left.name, "shared")
    files = {str(path.relative_to(shared)) for path in shared.rglob("*") if path.is_file()}
    assert files - {"socket"} == {f"course/{name}" for name in (*ENGINE, *GIVEN)}
    assert oct(Path(box.left.name).stat().st_mode)[-3:] == "700"
    box.stop()
    assert not shared.exists()


def test_a_container_that_does_not_listen_is_killed_by_its_name(asked, learner, monkeypatch):
    monkeypatch.setattr("autograder.sandbox.box.STOP_SECONDS", 0.2)
    with ColdSandbox(ROOT, (), Limits(), STARTS["docker"]) as sandbox:
        box = sandbox.box
        os.kill(box.process.pid, 19)  # SIGSTOP
        box.stop()
    assert asked()[-1][0] == "kill"
    assert box.process.returncode is not None


@pytest.mark.parametrize("start", [STARTS["podman"], STARTS["docker"]])
def test_what_the_engine_says_is_passed_on(asked, monkeypatch, start):
    monkeypatch.setenv("ENGINE_FAILS", "Error: localhost/autograder: image not known")
    with pytest.raises(SandboxUnavailable, match="image not known"), Sandbox(ROOT, (), Limits(), start):
        pass


def test_an_engine_that_is_not_installed_is_named(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxUnavailable, match="docker is not installed"):
        containers.start("docker", ROOT, (), Limits(), cold=True)


IMAGE = os.environ.get(containers.IMAGE_VARIABLE, containers.IMAGE)


def has_image():
    if shutil.which("podman") is None:
        return False
    return subprocess.run(["podman", "image", "exists", IMAGE], capture_output=True).returncode == 0


@pytest.fixture(scope="module", params=["warm", "cold"])
def real(request):
    if not has_image():
        pytest.skip(f"needs podman and the image {IMAGE}: see containers/README.md")
    limits = Limits(processes=16, memory=700 * 2**20)
    if request.param == "warm":
        with Sandbox(ROOT, GIVEN, limits, STARTS["podman"]) as sandbox:
            yield sandbox
    else:
        with ColdSandbox(ROOT, GIVEN, limits, STARTS["podman-cold"]) as sandbox:
            yield sandbox


def test_in_podman_two_submissions_have_nothing_in_common(real, learner):
    leave = (
        "import os\nmade = []\n"
        "for top, folders, _ in os.walk('/'):\n"
        "    if top.startswith('/proc'):\n        folders.clear()\n        continue\n"
        "    try:\n        open(os.path.join(top, 'left_behind'), 'w').close()\n        made.append(top)\n"
        "    except OSError:\n        pass\nprint(sorted(made))"
    )
    look = (
        "import os\nprint([top for top, _, names in os.walk('/') if 'left_behind' in names and top[:5] != '/proc'],"
        " [pid for pid in range(2, 400) if os.path.exists(f'/proc/{pid}/environ') and 'hunter2' in open(f'/proc/{pid}/environ').read()])"
    )
    one, other = learner(real), learner(real)
    places = ast.literal_eval(one(leave))
    assert {"/tmp", "/dev/shm"} <= set(places)
    assert all(place.startswith(("/tmp", "/dev/shm", "/dev/mqueue")) for place in places)
    assert other(look) == "[] []"


def test_in_podman_there_is_no_network_and_no_privilege(real, learner):
    attempt = (
        "import ctypes, os, socket\nlibc = ctypes.CDLL(None, use_errno=True)\n"
        "print([name for _, name in socket.if_nameindex()], libc.unshare(0x10000000), libc.mount(b'x', b'/tmp', b'tmpfs', 0, None),"
        " libc.ptrace(16, 1, 0, 0), os.access('/shared/course', os.W_OK), os.path.exists('/root/.ssh'))"
    )
    assert learner(real)(attempt) == "['lo'] -1 -1 -1 False False"


def test_in_podman_memory_is_limited(real, learner):
    one = learner(real)
    one.start("import time\nx = []\nwhile True:\n    x.append(bytearray(10_000_000))")
    with pytest.raises(Closed):
        one.answer()
    assert one.end() in ("memory", "signal 9", "killed")


def test_in_podman_a_submission_cannot_harm_its_supervisor(real, learner):
    one = learner(real)
    kill = "import os, signal\nfor number in (signal.SIGSTOP, signal.SIGKILL):\n    try:\n        os.kill(1, number)\n    except OSError:\n        pass\nprint('done')"
    assert one(kill) == "done"
    one.start("while True:\n    pass")
    assert one.end() in ("killed", "exit 0")  # it may have seen the wire close before

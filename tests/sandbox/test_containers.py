"""Podman and docker behind the same interface: what they are asked for, and that a submission runs in what they give.

With a stand-in for the engine; test_doctor.py tries podman itself, where it is installed and has the image.
"""

import itertools
import json
import os
import signal
import sys
from pathlib import Path

import pytest
from learners import GIVEN, ROOT

from autograder.records.job import Limits
from autograder.sandbox import containers
from autograder.sandbox.box import ENGINE
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import STARTS, ColdSandbox, Sandbox

pytestmark = pytest.mark.sandbox


@pytest.fixture
def asked(monkeypatch, tmp_path):
    text = f"#!{sys.executable}\n" + Path(__file__).with_name("engine.py").read_text("utf-8")
    for engine in ("podman", "docker"):
        (tmp_path / engine).write_text(text)
        (tmp_path / engine).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("ENGINE_LOG", str(tmp_path / "log"))
    monkeypatch.setenv("ENGINE_VENV", sys.prefix)
    monkeypatch.setenv("ENGINE_BASE", sys.base_prefix)
    monkeypatch.delenv(containers.OPTIONS_VARIABLE, raising=False)
    return lambda: [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]


def pairs(arguments):
    return list(itertools.pairwise(arguments))


IMPORT = "from seq2seq.scorer import Scorer\nopen('/tmp/left', 'w').close()\nprint(Scorer.__name__)"
ORPHAN = """
import os, time
if not os.fork():
    if not os.fork():
        while time.process_time() < 5:
            pass
        open('/tmp/done', 'w').close()
    os._exit(0)
while not os.path.exists('/tmp/done'):
    time.sleep(0.1)
print('went on')
"""


def test_a_submission_runs_in_a_container_of_its_own_where_its_orphans_count_too(asked, learner, monkeypatch):
    monkeypatch.setattr("autograder.sandbox.box.STOP_SECONDS", 0.2)
    with ColdSandbox(ROOT, GIVEN, Limits(cpu_seconds=2.0, processes=48), STARTS["podman-cold"]) as sandbox:
        first, other = learner(sandbox), learner(sandbox)
        assert first(IMPORT) == "Scorer"
        assert other("import os\nprint(os.path.exists('/tmp/left'))") == "False"
        check_its_folder_and_its_end(first, asked)
        assert other(ORPHAN) == "cpu"  # though there are no namespaces inside
    names = [dict(pairs(line))["--name"] for line in asked() if line[0] == "run"]
    assert len(set(names)) == 2


def check_its_folder_and_its_end(submission, asked):
    """It has the given modules alone, and is killed by its name if it does not listen."""
    box = submission.session.box
    top = Path(box.left.name)
    files = {str(path.relative_to(top)) for path in top.rglob("*") if path.is_file()}
    assert files - {"shared/socket"} == {f"shared/course/{name}" for name in (*ENGINE, *GIVEN)}
    assert oct(top.stat().st_mode)[-3:] == "700"
    os.kill(box.process.pid, signal.SIGSTOP)
    assert submission.end() in ("killed", "exit 0")  # it may have seen the wire close before
    assert asked()[-1] == ["kill", dict(pairs(asked()[0]))["--name"]]
    assert box.process.returncode is not None
    assert not (top / "shared").exists()


def test_the_engine_is_asked_for_every_restriction():
    limits = Limits(memory=2**30, processes=20)
    line = containers.command("docker", Path("/s"), limits, "name", ["-c", "pass"])
    options = {"--network": "none", "--cap-drop": "ALL", "--security-opt": "no-new-privileges", "--ipc": "private"}
    options |= {"--pids-limit": "36", "--memory": str(2**31), "--memory-swap": str(2**31), "--cpus": "1"}
    options |= {"--user": "65534:65534", "--pull": "never", "--volume": "/s:/shared:ro"}
    assert options.items() <= set(pairs(line))
    assert {"--rm", "--read-only"} <= set(line)
    assert [value for option, value in pairs(line) if option == "--volume"] == ["/s:/shared:ro"]
    assert not any("privileged" in word or word == "--cap-add" for word in line if word != "no-new-privileges")


def test_an_image_is_looked_through_in_a_container_like_a_submissions(asked):
    assert containers.search("docker", ROOT, "import sys\nprint(open(sys.argv[1]).read())", "7 8").strip() == "7 8"
    assert {("--network", "none"), ("--user", "65534:65534")} <= set(pairs(asked()[0]))


def test_as_root_podman_is_given_users_that_own_nothing(monkeypatch):
    for user, is_given in ((0, True), (1000, False)):
        monkeypatch.setattr(containers.os, "geteuid", lambda user=user: user)
        assert (("--uidmap", "0:100000:65536") in pairs(containers.for_podman())) is is_given


def test_what_the_engine_says_is_passed_on_and_one_that_is_not_installed_is_named(asked, monkeypatch):
    monkeypatch.setenv("ENGINE_FAILS", "Error: localhost/autograder: image not known")
    for name in ("podman", "docker"):
        with pytest.raises(SandboxUnavailable, match="image not known"), Sandbox(ROOT, (), Limits(), STARTS[name]):
            pass
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(SandboxUnavailable, match="docker is not installed"):
        containers.start("docker", ROOT, (), Limits(), cold=True)

"""The sandbox is chosen by name, on the command line or by a variable."""

from functools import partial

import pytest
from learners import GIVEN, ROOT

from autograder.__main__ import parser
from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job, Limits
from autograder.sandbox import bubblewrap, sandboxes
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import NAMES, VARIABLE, ColdSandbox, Sandbox, chosen


@pytest.fixture(autouse=True)
def no_choice(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")


def test_bubblewrap_unless_said_otherwise():
    assert chosen() == "bubblewrap"


@pytest.mark.parametrize("name", NAMES)
def test_every_name_has_a_sandbox_with_and_without_a_gpu(name):
    assert isinstance(sandboxes.sandbox(name, ROOT, (), Limits()), ColdSandbox)
    assert isinstance(sandboxes.sandbox(name, ROOT, (), Limits(), gpu=True), ColdSandbox)


def test_a_name_that_there_is_not_is_told_with_those_that_there_are(monkeypatch):
    monkeypatch.setenv(VARIABLE, "firejail")
    with pytest.raises(SandboxUnavailable, match=r"'firejail'; choose one of bubblewrap, podman, podman-cold, docker"):
        chosen()


@pytest.mark.parametrize("line", [["grade", "x"], ["check", "x.ipynb"], ["doctor"]])
def test_the_option_chooses_for_the_processes_that_judge(line):
    parser().parse_args([*line, "--sandbox", "docker"])
    assert chosen() == "docker"


def test_docker_and_podman_cold_are_always_cold():
    assert [name for name in NAMES if isinstance(sandboxes.sandbox(name, ROOT, (), Limits()), Sandbox)] == [
        "bubblewrap",
        "podman",
    ]


@pytest.mark.sandbox
def test_a_cold_box_serves_one_submission_and_the_next_gets_another(learner):
    with ColdSandbox(ROOT, GIVEN, Limits(), bubblewrap.start) as sandbox:
        one, other = learner(sandbox), learner(sandbox)
        assert one("import os, torch\ntorch.left = 1\nopen('/tmp/left', 'w').close()\nprint(os.getpid())") == "1"
        assert (
            other("import os, torch\nprint(hasattr(torch, 'left'), os.listdir('/tmp'), os.listdir('/proc'))")
            == "False [] []"
        )
        assert one.end() in ("killed", "exit 0")  # it may have seen the wire close before
        assert other("print('alive')") == "alive"


@pytest.mark.sandbox
def test_a_fork_that_has_used_a_cold_box_does_not_lead_the_next_into_it(learner):
    with ColdSandbox(ROOT, GIVEN, Limits(), bubblewrap.start) as sandbox:
        first = sandbox.box
        learner(sandbox).end()
        assert sandbox.box is first  # as in a process whose fork has opened it
        assert learner(sandbox)("print('alive')") == "alive"


@pytest.mark.sandbox
def test_a_gpu_box_without_devices_says_so(monkeypatch, tmp_path):
    monkeypatch.setattr(bubblewrap, "DEVICES", tmp_path)
    with pytest.raises(SandboxUnavailable, match="asks for a GPU"):
        bubblewrap.start(ROOT, (), Limits(), cold=True, gpu=True)


@pytest.mark.sandbox
def test_a_gpu_box_has_its_devices_and_any_address_space(monkeypatch, learner, tmp_path):
    """With /dev/null in the place of a device: what is bound is bound, whatever drives it."""
    (tmp_path / "nvidia0").symlink_to("/dev/null")
    monkeypatch.setattr(bubblewrap, "DEVICES", tmp_path)
    with ColdSandbox(ROOT, GIVEN, Limits(), partial(bubblewrap.start, gpu=True)) as sandbox:
        look = "import os, resource, torch\nprint(os.path.exists('/dev/nvidia0'), resource.getrlimit(resource.RLIMIT_AS)[0],"
        one = learner(sandbox)
        assert one(look + " torch.cuda.is_initialized())") == "True -1 False"
        assert one(PRY) == "True True []"


# CUDA reads /proc, so that it is there; of other processes it shows nothing.
PRY = """
import os
others = [pid for pid in os.listdir("/proc") if pid.isdigit() and pid != os.readlink("/proc/self")]
print(os.path.exists("/proc/self/maps"), len(others) > 0, [os.listdir(f"/proc/{pid}") for pid in others if os.listdir(f"/proc/{pid}")])
"""


@pytest.mark.sandbox
def test_cuda_works_in_a_gpu_box(learner):
    torch = pytest.importorskip("torch")
    if not torch.cuda.is_available():
        pytest.skip("needs an NVIDIA GPU")
    with sandboxes.sandbox("bubblewrap", ROOT, GIVEN, Limits(), gpu=True) as sandbox:
        source = "import torch\nx = torch.ones(3, device='cuda', requires_grad=True)\n(x * 2).sum().backward()\nprint(x.grad.sum().item())"
        assert learner(sandbox)(source) == "6.0"


@pytest.mark.sandbox
def test_an_assignment_that_may_use_a_gpu_is_judged_cold_and_to_the_same_points():
    cells = (Cell("code", "code", "f = abs"), Cell("check", "check", "assert f(-1) == 1", 1.0))
    verdicts = []
    for gpu in (False, True):
        with Judge((), ROOT, gpu=gpu) as judge:
            verdicts += [judge.run(Job(cells, seed=0)) for _ in range(2)]
    assert [verdict.status for verdict in verdicts] == ["ok"] * 4
    assert [verdict.points for verdict in verdicts] == [1.0] * 4

"""No way of using the processor goes uncounted, holds up the evaluation, or takes more than one program's share."""

import resource
import time

import pytest
from learners import GIVEN, ROOT

from autograder.records.job import Limits
from autograder.sandbox import confinement, self_test
from autograder.sandbox.sandboxes import STARTS, ColdSandbox, Sandbox
from autograder.sandbox.wire import Closed

pytestmark = pytest.mark.sandbox

SECONDS = 1.0
BURN = "end = time.process_time() + {}\n{}while time.process_time() < end:\n{}    pass\n"
WAYS = {"waited for": 0, "ignored": 1}  # SIG_DFL, SIG_IGN


@pytest.fixture(scope="module")
def brief():
    with Sandbox(ROOT, GIVEN, Limits(processes=48, cpu_seconds=SECONDS)) as sandbox:
        yield sandbox


def ended(one, source):
    one.start(source)
    try:
        return one.answer()
    except Closed:
        return one.end()


@pytest.mark.parametrize("way", WAYS)
def test_children_that_live_a_moment_count(learner, brief, way):
    """They would use four times what is allowed."""
    _, source, _ = self_test.ENDED["limit: CPU time, of short-lived processes"]
    assert "signal(17, 1)" in source
    assert ended(learner(brief), source.replace("signal(17, 1)", f"signal(17, {WAYS[way]})")) == "cpu"


def test_a_child_counts_once(learner, brief):
    """Seen at work, and then in what its parent has buried."""
    burn = BURN.format("0.3", " " * 4, " " * 4)
    source = f"import os, time\nfor _ in range(2):\n    if not os.fork():\n        {burn.replace(chr(10), chr(10) + '    ')}\n        os._exit(0)\n    os.wait()\nprint('fine')"
    assert learner(brief)(source) == "fine"


def test_who_waits_for_its_own_child_is_not_kept_waiting_by_others(learner):
    one = learner()
    one.start(self_test.VFORK)
    calm = 0
    while calm < 3:  # until then it may be others indeed
        before = one.session.waited()
        time.sleep(0.5)
        since = one.session.waited() - before
        calm = calm + 1 if since < 0.1 else 0


def test_no_right_to_real_time_is_inherited(monkeypatch):
    """As a service may have that runs the grader."""
    limits = {}
    monkeypatch.setattr(confinement.resource, "setrlimit", lambda which, both: limits.update({which: both}))
    confinement.set_limits(Limits())
    assert limits[resource.RLIMIT_RTPRIO] == limits[resource.RLIMIT_NICE] == (0, 0)


def test_a_submission_is_the_first_to_go_where_memory_runs_out(learner):
    one = learner()
    one("import os")
    children = f"/proc/{one.session.supervisor}/task/{one.session.supervisor}/children"
    with open(children) as file:
        (submission,) = file.read().split()
    with open(f"/proc/{submission}/oom_score_adj") as file:
        assert file.read() == "1000\n"


@pytest.fixture
def container(monkeypatch, tmp_path):
    """A cold box without namespaces of its own inside, as docker gives."""
    from test_containers import play_engines

    play_engines(monkeypatch, tmp_path)
    with ColdSandbox(ROOT, GIVEN, Limits(cpu_seconds=4.0, processes=48), STARTS["docker"]) as sandbox:
        yield sandbox


def test_an_orphan_in_a_container_counts_too(container, learner):
    orphan = "import os, time\nif not os.fork():\n    if not os.fork():\n        while time.process_time() < 5:\n            pass\n        open('/tmp/done', 'w').close()\n    os._exit(0)\nwhile not os.path.exists('/tmp/done'):\n    time.sleep(0.1)\nprint('went on')"
    assert ended(learner(container), orphan) == "cpu"

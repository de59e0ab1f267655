"""The judge's own process: what it keeps between submissions, what a busy machine takes, what is half said."""

import ast
import io
import json
import resource
import socket
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest
from small_course import ROOT, FakeJudge, NoSandbox

from autograder.judging import answer_client, evaluation, judge_limits, judge_server
from autograder.judging import judge as judge_module
from autograder.judging.answer_client import BUSY_SECONDS, LEAST, AnswerClient, AnswerLost, Budget
from autograder.judging.evaluation import Evaluation
from autograder.judging.judge import Judge
from autograder.judging.judge_cache import JudgeCache
from autograder.judging.judge_limits import Overrun, bounded
from autograder.judging.judge_server import ForkedEvaluation
from autograder.records.job import Cell, Job, Limits
from autograder.records.verdict import Verdict
from autograder.sandbox.box import Box
from autograder.sandbox.errors import KILLED, REMEDY, SandboxUnavailable
from autograder.sandbox.session import Session
from autograder.submissions.submission import Submission

TOTAL = 30.0
SHORT = Limits(cell_seconds=1.0, total_seconds=1.0)
LITTLE = b"waited %.3f" % (LEAST / 2)
WAITED = {(): 0.1, (b"waited 0.000",): 0.1, (b"waited 0.400",): 0.5, (b"waited 0.400", b"waited 0.800"): 0.9}
WAITED |= {(LITTLE,): 0.1, (b"memory",): 0.1}


@pytest.fixture
def judges(monkeypatch):
    """Every judge that is started, with whether it was ended."""
    started = []

    class Counted(FakeJudge):
        ended = False

        def __enter__(self):
            started.append(self)
            return self

        def __exit__(self, *reason):
            self.ended = True

    monkeypatch.setattr("autograder.judging.judge.Judge", Counted)
    return started


@pytest.fixture
def cache():
    cache = JudgeCache()
    yield cache
    cache.close()


def test_a_second_call_finds_the_first_ones_judge_and_a_changed_course_gets_a_new_one(
    cache, judges, assignment, course, solved
):
    for _ in range(3):
        cache.prepare(assignment, course)
        assert cache.verdict(Submission.read(solved.encode(), assignment), 1).status == "ok"
    assert len(judges) == 1
    module = course / "seq2seq" / "fresh.py"
    module.write_text("x = 1\n")
    try:
        cache.prepare(assignment, course)
    finally:
        module.unlink()
    assert [judge.ended for judge in judges] == [True, False]


def test_an_idle_judge_ends_and_the_next_call_starts_one(judges, assignment, course, solved):
    cache = JudgeCache(idle=0.05)
    cache.prepare(assignment, course)
    while not judges[0].ended:
        time.sleep(0.01)
    cache.prepare(assignment, course)
    assert cache.verdict(Submission.read(solved.encode(), assignment), 1).status == "ok"
    cache.close()


def test_without_a_sandbox_nothing_stays_of_an_earlier_judge(cache, judges, monkeypatch, assignment, course):
    cache.prepare(assignment, course)
    monkeypatch.setattr("autograder.judging.judge.Judge", NoSandbox)
    for _ in range(2):
        with pytest.raises(SandboxUnavailable):
            cache.prepare(assignment, course)
    assert judges[0].ended


@pytest.fixture
def serve(monkeypatch, tmp_path):
    """Serves so many jobs, of which the one numbered ``bad`` spoils the box; returns answers and the jobs begun."""

    def serve(count, bad=None):
        def examine(sandbox, job, writing):
            (tmp_path / str(job.seed)).touch()
            writing.send_bytes(json.dumps({"verdict": str(job.seed)}).encode())
            sys.exit(judge_server.SPOILED if job.seed == bad else judge_server.FREE)

        answers = []
        lines = "".join(json.dumps(asdict(Job((), number))) + "\n" for number in range(count))
        monkeypatch.setattr(judge_server, "examine", examine)
        monkeypatch.setattr(judge_server.sys, "stdin", io.StringIO(lines))
        judge_server.serve(None, answers.append)
        return [int(answer["verdict"]) for answer in answers], sorted(int(path.name) for path in tmp_path.iterdir())

    return serve


def test_jobs_are_answered_in_order_up_to_one_that_spoiled_the_box_and_with_the_second_causes_are_told(
    serve, monkeypatch
):
    assert serve(4, bad=1) == ([0, 1], [0, 1])
    prepared = []
    monkeypatch.setattr(judge_server, "prepare_checks", lambda job, what="ACCEPT": prepared.append((job.seed, what)))
    assert serve(3) == ([0, 1, 2], [0, 1, 2])
    assert prepared == [(0, "ACCEPT"), (1, "ACCEPT"), (1, "DIAGNOSE"), (2, "ACCEPT")]


def test_half_an_answer_is_none(monkeypatch, tmp_path):
    """Of a judge that was killed while it spoke; whoever asks tries another."""
    ready, halves = json.dumps({"ready": "yes"}), tmp_path / "halves.py"
    program = f"import sys\nsys.stdin.readline()\nprint({ready!r}, flush=True)\nsys.stdin.readline()\n"
    halves.write_text(program + 'sys.stdout.write(\'{"verdict": "{\')')
    start = judge_module.subprocess.Popen
    monkeypatch.setattr(judge_module.subprocess, "Popen", lambda line, **more: start([line[0], str(halves)], **more))
    with Judge((), ROOT) as judge:
        assert judge.run(Job((Cell("check", "check", "1", 1.0),), 0)).status == "infrastructure"


def test_no_fork_has_to_import_what_an_evaluation_needs_and_nobody_carries_a_computer_algebra_system():
    """A module first imported in a fork is imported again for every submission."""
    tree = ast.parse(Path(judge_server.__file__).read_text(encoding="utf-8"))
    (fork,) = (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "examine")
    late = {node.module for node in ast.walk(fork) if isinstance(node, ast.ImportFrom) and node.col_offset}
    assert late, "nothing is imported late: this test can go"
    judge = "import sys, autograder.judging.judge_server as judge; judge.warm_up(''); print(*sys.modules)"
    work = "import autograder.sandbox.answers as box; box.Answers.warm_up(); import torch\n"
    work += "from autograder.vjp import pullback\nx = torch.ones(2, requires_grad=True)\npullback([x * 2], [x], [x])"
    line = [sys.executable, "-c", f"{judge}\n{work}\nprint(*sys.modules)"]
    first, second = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert late <= set(first.split())
    assert "sympy" not in second.split()


@pytest.fixture
def verdict(monkeypatch):
    """Of so many cells, each of which ends by a time-out, after which its processes need ``waited`` seconds to go."""

    def verdict(cells, waited):
        now = [1000.0]
        for module in (evaluation, answer_client):
            monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: now[0]))

        def request(budget, subject, **message):
            with budget.running():
                now[0] += waited
            raise AnswerLost("timeout", subject, waited)

        monkeypatch.setattr(
            evaluation, "AnswerClient", lambda *arguments: SimpleNamespace(request=partial(request, arguments[-1]))
        )
        cells = tuple(Cell(f"cell{number}", "code", "pass") for number in range(cells))
        sessions = SimpleNamespace(open=lambda: None)
        return Evaluation(sessions, Job(cells, 0, "", Limits(total_seconds=TOTAL))).verdict()

    return verdict


def test_the_next_cell_is_run_however_long_the_end_of_the_last_one_took_but_not_without_end(verdict):
    assert [cell.status for cell in verdict(2, TOTAL + 20).cells] == ["timeout", "timeout"]
    assert [cell.status for cell in verdict(6, BUSY_SECONDS / 2).cells] == 3 * ["timeout"] + 3 * ["not run"]


@pytest.fixture
def link():
    """A link with a call's seconds, ours, to a process whose supervisor says of each question what it is given."""
    threads = []

    def link(seconds, *replies):
        wire, _far = socket.socketpair()
        control_socket, supervisor = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        last = next((word.split()[1].decode() for word in reversed(replies) if word.startswith(b"waited ")), "0")

        def answer():
            with _far, supervisor:
                for word in replies:
                    if supervisor.recv(16) == b"waited":
                        supervisor.send(word)
                while supervisor.recv(16):
                    supervisor.send(f"waited {last}".encode())
                supervisor.send(b"killed")

        threads.append(threading.Thread(target=answer))
        threads[-1].start()
        session = Session(wire, control_socket, SimpleNamespace(spoiled=""))
        return AnswerClient(session, seconds, Budget(TOTAL))

    yield link
    for thread in threads:
        thread.join()


@pytest.mark.parametrize(("replies", "seconds"), WAITED.items())
def test_a_deadline_is_put_off_by_what_others_took_and_what_passed_a_limit_is_late_because_of_it(
    link, replies, seconds
):
    client = link(0.1, *replies)
    start = time.monotonic()
    with pytest.raises(AnswerLost) as lost:
        client.request("cell")
    assert lost.value.reason == ("memory" if b"memory" in replies else "timeout")
    assert time.monotonic() - start >= seconds
    assert client.budget.busy_left == pytest.approx(BUSY_SECONDS - (seconds - 0.1), abs=0.01)


def test_what_no_exception_stops_costs_its_submission_alone(monkeypatch):
    endless = SimpleNamespace(verdict=lambda: sum(range(10**15)))
    monkeypatch.setattr(judge_limits, "PROCESSOR_SECONDS", 0)
    monkeypatch.setattr("autograder.judging.evaluation.Evaluation", lambda sandbox, job: endless)
    forked = ForkedEvaluation(None, Job((Cell("dear", "check", "assert sum(f()) > 0", 1.0),), 0, "", SHORT))
    verdict = Verdict.from_json(forked.answer()["verdict"])
    assert (verdict.status, verdict.points) == ("timeout", 0.0)
    assert "kept the grader busy" in verdict.checks[0].message
    assert not forked.reap()


def test_a_loop_of_the_judges_own_is_ended_and_its_process_is_bounded(monkeypatch):
    with pytest.raises(Overrun), bounded(0.2):
        any(False for _ in iter(int, 1))
    with bounded(1000):  # and so is the limit with its end
        pass
    limits = {}
    monkeypatch.setattr(resource, "setrlimit", lambda what, pair: limits.update({what: pair[0]}))
    judge_limits.bound_process(SHORT)
    assert limits[resource.RLIMIT_CPU] == 11
    assert judge_limits.MEMORY < limits[resource.RLIMIT_AS] < 2**40


@pytest.mark.parametrize(("ends", "remedy"), [("kill -9 $$", KILLED), ("kill -15 $$", KILLED), ("exit 1", REMEDY)])
def test_a_box_that_something_ends_while_it_starts_is_not_a_missing_bubblewrap(ends, remedy):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen(["sh", "-c", ends])
    theirs.close()
    with pytest.raises(SandboxUnavailable) as failure:
        Box(process, tempfile.TemporaryFile(), ours).wait()  # noqa: SIM115
    assert failure.value.remedy == remedy

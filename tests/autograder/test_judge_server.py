"""The judge's own process: one evaluation after another, none in a box where something is left of the one before."""

import ast
import io
import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from autograder.judging import forked_evaluation, judge_server
from autograder.judging import judge as judge_module
from autograder.judging.judge import Judge
from autograder.records.job import Cell, Job
from autograder.records.verdict import Verdict

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def serve(monkeypatch, tmp_path):
    """Serves so many jobs, of which the one numbered ``bad`` spoils the box; returns answers and the jobs begun."""

    def serve(count, bad=None):
        def examine(sandbox, job, writing):
            (tmp_path / str(job.seed)).touch()
            writing.send_bytes(json.dumps({"verdict": str(job.seed)}).encode())
            sys.exit(forked_evaluation.SPOILED if job.seed == bad else forked_evaluation.FREE)

        answers = []
        lines = "".join(json.dumps(asdict(Job((), number))) + "\n" for number in range(count))
        monkeypatch.setattr(forked_evaluation, "examine", examine)
        monkeypatch.setattr(judge_server.sys, "stdin", io.StringIO(lines))
        judge_server.serve(None, answers.append)
        return [int(answer["verdict"]) for answer in answers], sorted(int(path.name) for path in tmp_path.iterdir())

    return serve


def test_each_job_is_answered_in_order(serve):
    answers, begun = serve(3)
    assert answers == [0, 1, 2]
    assert begun == [0, 1, 2]


def test_the_job_after_one_that_spoiled_the_box_is_not_begun(serve):
    answers, begun = serve(4, bad=1)
    assert answers == [0, 1]
    assert begun == [0, 1]


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "source", ["assert answer(", "return 1", "x = " + "-" * 9000 + "1"], ids=["cut off", "return", "deep"]
)
def test_a_check_that_does_not_compile_is_told_and_stops_nobody(source):
    cells = (Cell("answer", "code", "answer = abs"), Cell("bad", "check", source, 1.0))
    with Judge((), ROOT) as judge:
        verdict = judge.run(Job((*cells, Cell("good", "check", "assert answer(-3) == 3", 2.0)), 5))
    assert [check.points for check in verdict.checks] == [0.0, 2.0]
    assert "the check could not use your answer" in verdict.checks[0].message


@pytest.mark.sandbox
def test_verdicts_are_the_same_every_time():
    source = "import torch\n\ndef answer(x):\n    return x * torch.ones(3)"
    check = "import torch\nassert torch.equal(answer(2.0), 2 * torch.ones(3))\nanswer(2.0).sum().item() / 2"
    job = Job((Cell("answer", "code", source), Cell("check", "check", check, 4.0)), 5)
    with Judge((), ROOT) as judge:
        verdicts = [judge.run(job) for _ in range(8)]
    assert {(verdict.status, verdict.points) for verdict in verdicts} == {("failed", 3.0)}
    assert len({json.dumps(plain(verdict)) for verdict in verdicts}) == 1


def plain(verdict: Verdict) -> dict[str, object]:
    """All of it but how long it took."""
    record = json.loads(verdict.to_json())
    record.pop("seconds", None)
    for cell in record["cells"]:
        cell.pop("seconds", None)
    return record


def test_what_tells_causes_is_made_with_the_second_submission(serve, monkeypatch):
    made = []
    monkeypatch.setattr(judge_server, "prepare_checks", lambda job, what="ACCEPT": made.append((job.seed, what)))
    serve(3)
    assert made == [(0, "ACCEPT"), (1, "ACCEPT"), (1, "DIAGNOSE"), (2, "ACCEPT")]


def test_half_an_answer_is_none(monkeypatch, tmp_path):
    """Of a judge that was killed while it spoke; whoever asks tries another."""
    court_of_halves = tmp_path / "halves.py"
    court_of_halves.write_text(
        "import json, sys\nsys.stdin.readline()\nprint(json.dumps({'ready': 'yes'}), flush=True)\n"
        'sys.stdin.readline()\nsys.stdout.write(\'{"verdict": "{\')'
    )
    start = judge_module.subprocess.Popen
    monkeypatch.setattr(
        judge_module.subprocess, "Popen", lambda line, **more: start([line[0], str(court_of_halves)], **more)
    )
    with Judge((), ROOT) as judge:
        assert judge.run(Job((Cell("check", "check", "1", 1.0),), 0)).status == "infrastructure"


def test_no_fork_has_to_import_what_an_evaluation_needs():
    """A module first imported in a fork is imported again for every submission."""
    tree = ast.parse(Path(forked_evaluation.__file__).read_text(encoding="utf-8"))
    late = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.col_offset}
    assert late, "nothing is imported late: this test can go"
    asked = "import sys, autograder.judging.judge_server as judge; judge.warm_up(''); print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    assert late <= set(run.stdout.split())

"""Submissions are read and rendered apart, give the same as here and now, and cost themselves alone."""

import ast
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress

import pytest
from small_course import NAME, ROOT, FakeJudge, hand_in_all

from autograder.gradebook import rendering
from autograder.gradebook.html import code_to_html, prose_to_html
from autograder.gradebook.rendering import Piece, rendered
from autograder.grading.grading_run import Run
from autograder.sandbox.reader import PassedLimit, ReaderFailed, RequestLimits
from autograder.submissions import limited_reading
from autograder.submissions.limited_reading import answer, read, submission_of
from autograder.submissions.submission import Submission

READS = {"read": {"limited_reading.py"}, "read_cells": {"submission.py"}}
READS |= {"prose_to_html": {"html.py"}, "code_to_html": {"html.py"}}


@pytest.fixture(autouse=True)
def _nothing_kept():
    limited_reading._cache.clear()
    rendering._cache.clear()


@pytest.fixture
def passes(monkeypatch):
    """passes("read", words): requests with such words in them pass a limit."""

    def passes(task, words):
        ask = limited_reading.READER.ask

        def asked(of, request, *arguments, **options):
            if of == task and words.encode() in request:
                raise PassedLimit("took more than 10 s of processor time")
            return ask(of, request, *arguments, **options)

        monkeypatch.setattr(limited_reading.READER, "ask", asked)

    return passes


def test_what_is_read_and_rendered_apart_is_what_is_here(assignment, solved, blank):
    notebook = json.loads(solved)
    notebook["cells"].insert(2, {"cell_type": "code", "source": "!pip install x", "metadata": {}, "outputs": []})
    for text in (solved, blank, json.dumps(notebook), "{", "", "\ufeff" + solved, "def double(x):\n    return 2 * x\n"):
        here = Submission.read(text.encode(), assignment)
        assert read(text.encode(), assignment, ("a note",)) == here.with_notes("a note")
    texts = ["# A\n\n$a_b$ <img src=x> `c`", "x" * 6_000, "", "```python\ny = 1\n```"]
    pieces = [Piece(kind, text) for text in texts for kind in ("prose", "code")]
    html = {"prose": prose_to_html, "code": code_to_html}
    assert rendered(pieces) == [html[piece.kind](piece.source) for piece in pieces]
    assert rendered(pieces) == rendered([*pieces][::-1])[::-1]


def page_of(tmp_path, student):
    return (tmp_path / "out" / "feedback" / student / NAME / f"{NAME}.html").read_text()


def test_what_passes_a_limit_costs_itself_alone(course, solved, tmp_path, passes):
    passes("read", "too much")
    notebook = json.loads(solved)
    notebook["cells"].append({"cell_type": "markdown", "id": "a", "metadata": {}, "source": "a **heavy** text"})
    works = {"ada": solved.replace("Small", "**light**"), "ben": solved.replace("x + x", "x + x  # too much")}
    folder = hand_in_all(tmp_path, works | {"cas": json.dumps(notebook)})
    passes("render", "**heavy**")
    graded = Run(course, tmp_path / "out", seed=1, maker=FakeJudge).grade(folder)
    ada, ben, cas = (work.verdict for work in graded)
    assert (ada.status, ben.status, cas.status) == ("ok", "unreadable", "ok")
    assert (ada.points, ben.points, cas.points) == (4.5, 0.0, 4.5)
    assert ben.notes[-1].startswith("Reading the notebook took more than 10 s of processor time; ")
    assert "took more than 10 s of processor time" in page_of(tmp_path, "ben")
    assert "<strong>light</strong>" in page_of(tmp_path, "ada")
    assert "<pre>a **heavy** text</pre>" in page_of(tmp_path, "cas")
    again = Run(course, tmp_path / "out", maker=FakeJudge).grade(folder)
    assert [work.reused for work in again] == [True] * 3


def test_a_limit_of_the_kernel_is_one_of_a_submission(assignment, monkeypatch):
    monkeypatch.setattr(limited_reading, "READ", RequestLimits(cpu_seconds=1))
    cells = [{"cell_type": "code", "source": f"x{number} = 1\n" + "y = 2\n" * 5_000} for number in range(1_900)]
    unreadable = read(json.dumps({"cells": cells}).encode(), assignment).unreadable
    assert "took more than 1 s of processor time" in unreadable
    assert read(b"{", assignment).unreadable.startswith("The file is not JSON")


@pytest.mark.parametrize("name", ["kind", "source", "grade_id", "number", "attachments", "stand_in"])
def test_what_is_no_submission_is_refused(assignment, solved, name):
    record = json.loads(json.dumps(answer(assignment, solved.encode())))
    assert submission_of(record, assignment) == Submission.read(solved.encode(), assignment)
    for value in (None, ["a"], {"a": 1}, "elsewhere" if name in ("kind", "grade_id") else 1.5):
        entries = [*record["entries"][:-1], record["entries"][-1] | {name: value}]
        with pytest.raises(ValueError, match=" is no "):
            submission_of(record | {"entries": entries}, assignment)
    for part in record:
        with pytest.raises(ValueError, match="'3' is no "):
            submission_of(record | {part: 3}, assignment)


def test_a_reader_that_fails_is_no_fault_of_the_learners(course, hand_in, solved, tmp_path, monkeypatch):
    def failed(*arguments, **options):
        raise ReaderFailed("the process that reads has ended")

    with monkeypatch.context() as patch:
        patch.setattr(limited_reading.READER, "ask", failed)
        (graded,) = Run(course, tmp_path / "out", seed=1, maker=FakeJudge).grade(hand_in("ada", solved))
    assert graded.verdict.status == "infrastructure"
    (graded,) = Run(course, tmp_path / "out", seed=1, maker=FakeJudge).grade(tmp_path / "submitted")
    assert graded.verdict.status == "ok"


def test_nothing_of_a_learners_is_read_or_rendered_elsewhere():
    """``Submission.read`` and the makers of HTML are called by what runs apart, and by nothing else."""
    calls = []
    for path in (ROOT / "autograder").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            of = getattr(getattr(node.func, "value", None), "id", "")
            is_ours = called in READS and (called != "read" or of == "Submission")
            if is_ours and path.name not in READS[called]:
                calls.append(f"{path.name}:{node.lineno} {called}")
    assert calls == []


HANGS = """
from dataclasses import replace
import autograder.judging.judge as judge
import autograder.sandbox.reader as reader
from autograder.sandbox.box import READING
from autograder.sandbox.reader import READER, RequestLimits
from tests.small_course import FakeJudge
judge.Judge, ask = FakeJudge, READER.ask
READER.purpose = replace(READING, modules=(*READING.modules, "tests/sandbox/misbehaving.py"))
reader.TASKS["misbehave"] = "tests.sandbox.misbehaving"
def hang(*request, **options):
    print("asked", flush=True)
    return ask("misbehave", b"sleep", limits=RequestLimits(wall_seconds=3600))
READER.ask = hang
"""
OURS = f"{HANGS}import sys\nfrom autograder.__main__ import main\nsys.exit(main())"
THEIRS = f"{HANGS}from nbgrader.apps.nbgraderapp import NbGraderApp\nNbGraderApp.launch_instance()"
COMMANDS = {
    "grade": (OURS, "{class_}", "--root", "{course}", "--output", "{class_}/../out"),
    "check": (OURS, f"{{class_}}/ada/{NAME}/{NAME}.ipynb", "--root", "{course}"),
    "autograde": (THEIRS, NAME, "--CourseDirectory.submitted_directory={class_}"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_ctrl_c_ends_a_command_whose_reader_hangs(course, tmp_path, hand_in, solved, command):
    program, *options = COMMANDS[command]
    course = shutil.copytree(course, tmp_path / "course", symlinks=True)  # nbgrader keeps its gradebook in there
    options = [option.format(course=course, class_=hand_in("ada", solved)) for option in options]
    (course / "nbgrader_config.py").write_text((ROOT / "nbgrader_config.py").read_text("utf-8"), encoding="utf-8")
    run = subprocess.Popen(
        [sys.executable, "-c", program, command, *options],
        cwd=course if command == "autograde" else ROOT,
        env=os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    try:
        assert any("asked" in line for line in iter(run.stdout.readline, ""))
        pressed = 0
        while run.poll() is None and pressed < 3:
            os.killpg(run.pid, signal.SIGINT)
            pressed += 1
            with suppress(subprocess.TimeoutExpired):
                run.wait(60)  # of a busy machine
        assert pressed <= 2
        assert run.returncode != 0
    finally:
        run.kill()
        run.communicate()

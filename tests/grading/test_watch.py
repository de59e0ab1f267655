"""``grade --watch``: what arrives is graded once it lies still, and Ctrl-C ends the wait without loss."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from machines import ROOT, wait_for
from small_course import NAME

from autograder.gradebook.book import FileBook
from autograder.gradebook.database import GradebookError
from autograder.grading import watch
from autograder.grading.grading_run import Run

PAGE = Path("out", "report", f"{NAME}.html")


@pytest.fixture
def pauses(monkeypatch):
    """What happens during each pause, one after another; then Ctrl-C."""
    steps = []

    def sleep(seconds):
        assert seconds == watch.PAUSE_SECONDS
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    monkeypatch.setattr(watch, "sleep", sleep)
    return steps


def nothing():
    pass


def table(out):
    """The learners in each table that was printed."""
    rounds, names = [], None
    for line in out.splitlines():
        if line.startswith("student "):
            rounds.append(names := [])
        elif NAME in line and names is not None and not line.startswith("out/"):
            names.append(line.split()[0])
    return rounds


def test_what_arrives_is_graded_once_it_lies_still_and_the_report_is_rewritten(
    command, pauses, hand_in, solved, blank, tmp_path
):
    pages = []

    def arrive(student, text):
        pages.append(PAGE.read_text() if PAGE.exists() else "")
        hand_in(student, text)

    def grow():  # it is still being written
        (tmp_path / "submitted" / "ben" / NAME / f"{NAME}.ipynb").write_text(solved)

    pauses += [nothing, lambda: arrive("ada", solved), nothing, nothing]
    pauses += [lambda: arrive("ben", "{"), grow, nothing, nothing, lambda: arrive("cas", blank), nothing]
    status, out, err = command("grade", "submitted", "--watch", "--output", "out")
    assert status == 0
    assert table(out) == [["ada"], ["ben"], ["cas"]]
    assert "1 submissions, 1 judged now" in out
    assert "3 submissions, 1 judged now, 2 unchanged since an earlier run." in out
    assert err.startswith("grade: watching submitted; Ctrl-C ends it.\n")
    assert ["ada" in pages[1], "ben" in pages[1], "ben" in pages[2]] == [True, False, True]
    assert "cas" in PAGE.read_text()
    assert out.count(f"{PAGE}  ") == 3


def test_ctrl_c_while_it_grades_is_told_and_the_next_run_goes_on(command, pauses, hand_in, solved, monkeypatch):
    hand_in("ada", solved)
    pauses += [nothing] * 3
    with monkeypatch.context() as patch:
        patch.setattr(Run, "verdicts", lambda *arguments: (_ for _ in ()).throw(KeyboardInterrupt))
        status, _, err = command("grade", "submitted", "--watch", "--output", "out")
    assert status == 130
    assert err.endswith("what was judged is kept, run the same command to continue.\n")
    pauses += [nothing] * 3
    assert table(command("grade", "submitted", "--watch", "--output", "out")[1]) == [["ada"]]


def test_what_stops_one_round_is_told_once_and_tried_again(command, pauses, hand_in, solved, monkeypatch):
    failures, examine = [GradebookError("the server is away.")] * 3, FileBook.examine

    def away(self):
        if failures:
            raise failures.pop()
        return examine(self)

    monkeypatch.setattr(FileBook, "examine", away)
    hand_in("ada", solved)
    pauses += [nothing] * 8
    status, out, err = command("grade", "submitted", "--watch", "--output", "out")
    assert status == 0
    assert table(out) == [["ada"]]
    assert err.count("the server is away. It is tried again until it works") == 1


def test_json_is_one_document_for_each_time(command, pauses, hand_in, solved):
    hand_in("ada", solved)
    pauses += [nothing] * 2
    status, out, err = command("grade", "submitted", "--watch", "--output", "out", "--json")
    assert status == 0
    assert [entry["student"] for entry in json.loads(out)["submissions"]] == ["ada"]
    assert str(PAGE) in err


def test_an_inbound_folder_is_nbgraders_and_for_watching(command, hand_in, solved, tmp_path):
    hand_in("ada", solved)
    for options in (["--inbound", tmp_path], ["--watch", "--inbound", tmp_path / "none"]):
        status, _, err = command("grade", "submitted", "--output", "out", *options)
        assert status == 2
        assert "EXCHANGE/COURSE/inbound" in err


@pytest.mark.sandbox
@pytest.mark.long("crash and soak")
def test_a_class_that_hands_in_through_the_exchange_is_graded_as_it_arrives(course, solved, tmp_path):
    exchange, home = tmp_path / "exchange", tmp_path / "home"
    inbound = exchange / "attention" / "inbound"
    inbound.mkdir(parents=True)
    home.mkdir()
    copy = tmp_path / "course"
    copy.mkdir()
    for path in course.iterdir():
        (copy / path.name).symlink_to(path)
    settings = ["c = get_config()", f"c.Exchange.root = {str(exchange)!r}", "c.CourseDirectory.course_id = 'attention'"]
    (copy / "nbgrader_config.py").write_text("\n".join(settings))

    def submit(student, moment):
        folder = inbound / f"{student}+{NAME}+2026-11-20 12:00:0{moment}.000000 UTC+abcdef"
        folder.mkdir()
        (folder / f"{NAME}.ipynb").write_text(solved)
        (folder / "timestamp.txt").write_text(f"2026-11-20 12:00:0{moment}.000000 UTC")

    line = [sys.executable, "-m", "autograder", "grade", "submitted", "--root", str(copy), "--output", "grades"]
    environment = os.environ | {"HOME": str(home), "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    run = subprocess.Popen(
        [*line, "--watch", "--inbound", str(inbound)], cwd=copy, env=environment, start_new_session=True, **pipes
    )
    page = copy / "grades" / "report" / f"{NAME}.html"
    submit("ada", 1)
    wait_for(page.is_file, run)
    submit("ben", 2)
    wait_for(lambda: "ben" in page.read_text(), run)
    wait_for(lambda: not (copy / "grades" / "lock").exists(), run)
    os.killpg(run.pid, signal.SIGINT)
    out, err = run.communicate()
    assert run.returncode in (0, 130), err
    assert "Traceback" not in err
    assert "claims to be submitted by ada but is owned by" in err
    assert table(out)[0] == ["ada"]

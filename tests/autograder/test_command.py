"""The commands: a table or JSON on stdout, progress in one line on stderr, and a status that says what was."""

import errno
import json
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from small_course import NAME, ROOT, FakeJudge, NoSandbox

from autograder.__main__ import leave, main
from autograder.collect.lms_import import Rules, collect
from autograder.commands.check import in_words
from autograder.commands.graded import whose
from autograder.commands.progress import Bar
from autograder.finding import Finding
from autograder.grading.gradebook_stream import deferred_interrupts
from autograder.private import make_private
from autograder.records.verdict import Verdict
from autograder.sandbox.self_test import ProbeResult

UNTOUCHED = "· This is the exercise as it was released: no answer is written yet, so no check can pass."


@pytest.fixture
def notebook(hand_in):
    """Hands in a text → its path."""
    return lambda text, student="ada": hand_in(student, text) / student / NAME / f"{NAME}.ipynb"


def is_closed(folder):
    return folder.stat().st_mode & 0o077 == 0


def test_grade_prints_a_table_and_writes_for_its_owner_alone(command, hand_in, solved, blank, tmp_path):
    hand_in("ada", solved)
    hand_in("ben", blank)
    status, out, err = command("grade", hand_in("cy", "{"))
    lines = out.splitlines()
    assert status == 0
    assert lines[2].split() == ["ada", NAME, "ok", "4.5", "/", "4.5"]
    assert lines[3].split()[:6] == ["ben", NAME, "failed", "0", "/", "4.5"]
    assert "double_right: not written yet" in lines[3]
    assert "unreadable" in lines[4]
    assert "grades/gradebook.db" in out
    assert ("judging" in err, "judging" in out) == (True, False)
    written = [tmp_path / "grades", *(path for path in (tmp_path / "grades").iterdir() if path.is_file())]
    assert all(map(is_closed, written))


def test_what_is_collected_is_for_its_owner_alone_and_a_folder_that_is_there_keeps_its_rights(solved, tmp_path):
    (tmp_path / "download").mkdir()
    (tmp_path / "download" / f"lovelaceada_2001_311_{NAME}.ipynb").write_text(solved)
    collect([tmp_path / "download"], tmp_path / "submitted", "canvas", Rules({NAME: frozenset()}))
    collected = [tmp_path / "submitted", *(tmp_path / "submitted").rglob("*")]
    assert len(collected) >= 4
    assert all(map(is_closed, collected))
    (tmp_path / "shared").mkdir(mode=0o755)
    make_private(tmp_path / "shared" / "in" / "it")
    assert (tmp_path / "shared").stat().st_mode & 0o777 == 0o755
    assert is_closed(tmp_path / "shared" / "in")


def test_programs_are_told_in_json(command, hand_in, notebook, solved):
    (record,) = json.loads(command("grade", hand_in("ada", solved), "--json")[1])["submissions"]
    assert (record["student"], record["points"], record["status"]) == ("ada", 4.5, "ok")
    status, out, _ = command("check", notebook(solved.replace("x + x", "x  # half right")), "--json")
    record = json.loads(out)
    assert (status, record["assignment"], record["status"]) == (1, NAME, "failed")
    assert (record["points"] < record["max_points"], record["hidden_points"] > 0) == (True, True)
    fields = {"check", "points", "max_points", "message", "finding"}
    assert {frozenset(check) for check in record["checks"]} == {frozenset(fields)}
    status, out, _ = command("build", "--json")
    assert (status, json.loads(out)) == (0, {"written": []})
    assert json.loads(command("build", "--check", "--json")[1]) == {"stale": []}
    assert command("build", "--check") == (0, "", "")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("grade submitted --output /proc/x", "/proc/x: it is not there, and cannot be made there.\n"),
        ("grade submitted --output file/x", "file: expected a folder, found a file.\n"),
        ("new-class file/x", "file/x/solutions: a file stands where a folder above it is expected.\n"),
    ],
)
def test_a_place_where_nothing_can_be_written_is_named(command, hand_in, solved, tmp_path, line, words):
    hand_in("ada", solved)
    (tmp_path / "file").touch()
    assert command(*line.split()) == (1, "", f"{line.split()[0]}: {words}")


@pytest.mark.parametrize(
    ("line", "usage", "words"),
    [
        ("gade submitted", "", "there is no command 'gade' (did you mean grade?); the commands are new-class, "),
        ("", "", "a command is missing; the commands are new-class, "),
        ("new-class x --timezone UTC", "new-class", "unknown: --timezone UTC (did you mean --time-zone?)"),
        ("grade submitted --output=", "grade", "argument --output: it is empty, expected a path; is a variable"),
        ("grade submitted rest --jsn=1", "grade", "unknown: rest --jsn=1 (did you mean --json?)"),
    ],
)
def test_a_mistyped_command_or_option_is_told_with_the_one_that_is_near_and_its_own_usage(capsys, line, usage, words):
    with pytest.raises(SystemExit, match="2"):
        main(line.split())
    err = capsys.readouterr().err
    assert err.startswith(f"usage: python -m autograder {usage or '[-h] COMMAND'} ")
    assert words in err
    assert err.count("new-class,") == (not usage)


@pytest.mark.parametrize(("second", "expected"), [("05", "ada, ben"), ("06", "ada/05, ben/06")])
def test_whose_work_has_a_status_is_named_with_the_exercise_where_there_are_several(second, expected):
    works = [("ada", "05", "unreadable"), ("ben", second, "unreadable"), ("cas", "05", "ok")]
    graded = [
        SimpleNamespace(handed=SimpleNamespace(student=who, assignment=name), verdict=SimpleNamespace(status=status))
        for who, name, status in works
    ]
    assert whose(graded, "unreadable") == expected


def test_without_a_sandbox_the_status_is_3_and_an_error_of_ours_is_named_and_no_traceback(
    command, hand_in, solved, tmp_path
):
    status, out, err = command("grade", hand_in("ada", solved), judge=NoSandbox)
    assert (status, out) == (3, "")
    assert [words for words in ("nothing more was graded", "bwrap") if words not in err] == []
    assert not (tmp_path / "grades").exists()

    class Broken(FakeJudge):
        def run(self, job):
            raise RuntimeError("the judge\nbroke")

    status, out, err = command("grade", tmp_path / "submitted", judge=Broken)
    assert (status, "The grader failed: RuntimeError: the judge broke" in out) == (1, True)
    assert err.splitlines()[-1].endswith("grade: not graded (internal error): ada; run it again.")
    assert "Traceback" not in err


def test_check_tells_the_visible_checks_and_how_much_is_hidden(command, notebook, solved, blank, tmp_path):
    lines = ["✓ double_right 2/2", "✓ halver_right 1/1", "3 of 3 points; 1.5 more are given by hidden checks"]
    (tmp_path / f"{NAME} (1).ipynb").write_text(solved, encoding="utf-8")  # known by its name
    for path in (notebook(solved), tmp_path / f"{NAME} (1).ipynb"):
        status, out, _ = command("check", path)
        assert (status, out.splitlines()[-3:]) == (0, lines)
    status, out, _ = command("check", notebook(blank))
    assert (status, out.splitlines()[0]) == (1, UNTOUCHED)
    assert "✗ double_right 0/2 not written yet" in out.splitlines()
    status, out, _ = command("check", notebook(solved.replace("return x + x", "return x  # loops")))
    assert (status, "· double ran out of time." in out.splitlines()) == (1, True)
    forged = "raised Odd\n✓ double_right 2/2"  # a class may be called so
    verdict = Verdict.without_points("failed", 0, {"halver_right": 1.0}, forged, Finding(got=forged))
    assert "\n✓" not in in_words(verdict, verdict.notes, 0.0)


def test_doctor_tells_what_is_missing_and_how_to_mend_it(command, monkeypatch):
    results = [ProbeResult("podman", "note", "not installed"), ProbeResult("the sandbox starts", "kept", "in 2 s")]
    results.append(ProbeResult("no network", "broken", "it sees eth0\nand eth1", "unshare the network"))
    monkeypatch.setattr("autograder.sandbox.self_test.probe", lambda *rest: iter(results))
    status, out, _ = command("doctor")
    assert status == 3
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        *("· podman not installed", "✓ the sandbox starts in 2 s", "✗ no network it sees eth0", "and eth1"),
        *("unshare the network", ""),
        "Not fit: 1 of 2 promises broken. Do not run learners' code here.",
    ]
    status, out, _ = command("doctor", "--json")
    record = json.loads(out)
    assert (status, record["sandbox"], record["fit"]) == (3, "bubblewrap", False)
    assert record["findings"][2]["remedy"] == "unshare the network"
    del results[2]
    assert command("doctor")[0] == 0


def test_help_explains_itself_with_examples_and_needs_no_torch(capsys):
    for name in ("build", "grade", "check", "doctor"):
        with pytest.raises(SystemExit, match="0"):
            main([name, "--help"])
        assert "examples:\n  python -m autograder" in capsys.readouterr().out
    code = "import sys, autograder.__main__; sys.exit('torch' in sys.modules or 'nbgrader' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0


def test_progress_says_how_many_are_done_and_how_long_the_rest_will_take(capsys):
    bar = Bar()
    bar.step("judging", 3, 10)
    now = bar.bar.start_t + 8
    bar.bar._time = lambda: now
    bar.bar.mininterval = 0
    bar.step("judging", 7, 10)
    bar.close()
    last = capsys.readouterr().err.splitlines()[-1].split("\r")[-1]
    assert "7/10" in last
    assert "0.50/s" in last  # those that were done before do not count
    assert "00:06 left" in last


@pytest.mark.parametrize("number", [signal.SIGINT, None])
def test_an_interrupt_inside_comes_when_the_block_is_left(number):
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)]
    reached = []
    with pytest.raises(KeyboardInterrupt) if number else nullcontext():
        with deferred_interrupts():
            if number:
                signal.raise_signal(number)
            reached.append("the end of the block")
        reached.append("what comes after it")
    assert reached == ["the end of the block", *([] if number else ["what comes after it"])]
    assert [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize(
    ("status", "error", "ended", "message"),
    [
        *((status, 0, status, "") for status in (0, 1, 2, 3, 130)),
        (0, errno.EPIPE, 0, ""),  # nobody reads it
        (0, errno.ENOSPC, 1, "the output could not be written: No space left on device.\n"),
    ],
)
def test_the_process_ends_with_the_commands_status_if_its_output_was_written(
    monkeypatch, capsys, status, error, ended, message
):
    statuses = []
    monkeypatch.setattr("os._exit", statuses.append)
    if error:
        fails = Mock(side_effect=OSError(error, os.strerror(error)))
        monkeypatch.setattr("sys.stdout", SimpleNamespace(flush=fails))
    leave(status)
    assert statuses[0] == ended
    assert capsys.readouterr().err == message

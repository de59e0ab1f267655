import json
import subprocess
import sys
from pathlib import Path

import pytest
from small_course import NAME, FakeJudge, NoSandbox

from autograder.__main__ import main
from autograder.sandbox.self_test import ProbeResult

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def command(course, tmp_path, capsys, monkeypatch):
    """Runs a command on the small course, with a judge that needs no sandbox → status, stdout, stderr."""

    def command(name, *arguments, judge=FakeJudge):
        monkeypatch.setattr("autograder.judging.judge.Judge", judge)
        monkeypatch.chdir(tmp_path)
        extra = ["--workers", "1"] if name == "grade" else []
        status = main([name, "--root", str(course), *extra, *map(str, arguments)])
        return status, *capsys.readouterr()

    return command


def one_line(text):
    return len(text.strip().splitlines()) == 1


def test_grade_prints_a_table_and_where_things_are(command, hand_in, solved, blank):
    hand_in("ada", solved)
    status, out, _ = command("grade", hand_in("ben", blank))
    lines = out.splitlines()
    assert status == 0
    assert lines[2].split() == ["ada", NAME, "ok", "4.5", "/", "4.5"]
    assert lines[3].split()[:6] == ["ben", NAME, "failed", "0", "/", "4.5"]
    assert "double_right: not written yet" in lines[3]
    assert "grades/gradebook.db" in out


def test_grade_prints_json_on_request(command, hand_in, solved):
    _, out, _ = command("grade", hand_in("ada", solved), "--json")
    (record,) = json.loads(out)["submissions"]
    assert (record["student"], record["points"], record["status"]) == ("ada", 4.5, "ok")


def test_check_prints_json_on_request(command, hand_in, solved):
    path = hand_in("ada", solved.replace("return x + x", "return x  # half right")) / "ada" / NAME / f"{NAME}.ipynb"
    status, out, _ = command("check", path, "--json")
    told = json.loads(out)
    assert (status, told["assignment"], told["status"]) == (1, NAME, "failed")
    assert told["points"] < told["max_points"]
    assert told["hidden_points"] > 0
    assert [set(one) for one in told["checks"]] == [{"check", "points", "max_points", "message", "finding"}] * len(
        told["checks"]
    )


def test_build_prints_json_on_request(command, course):
    status, out, _ = command("build", "--json")
    assert (status, json.loads(out)) == (0, {"written": []})
    assert json.loads(command("build", "--check", "--json")[1]) == {"stale": []}


def test_progress_goes_to_stderr(command, hand_in, solved):
    _, out, err = command("grade", hand_in("ada", solved))
    assert "judging" in err
    assert "judging" not in out


def test_a_missing_folder_is_one_line_and_status_2(command):
    status, out, err = command("grade", "nowhere")
    assert (status, out) == (2, "")
    assert err == "grade: there is no folder nowhere.\n"


def test_an_empty_folder_is_one_line_and_status_2(command, tmp_path):
    status, _, err = command("grade", tmp_path)
    assert status == 2
    assert "expected" in err
    assert one_line(err)


def test_an_unknown_assignment_is_one_line_and_status_2(command, hand_in, solved):
    status, _, err = command("grade", hand_in("ada", solved), "--assignment", "x")
    assert status == 2
    assert err == f"grade: there is no assignment 'x'; the course has {NAME}.\n"


def test_a_broken_notebook_is_a_status_of_its_student(command, hand_in):
    status, out, _ = command("grade", hand_in("ada", "{"))
    assert status == 0
    assert "unreadable" in out


def test_an_output_that_is_a_file_is_one_line_and_status_2(command, hand_in, solved, tmp_path):
    (tmp_path / "file").write_text("")
    status, _, err = command("grade", hand_in("ada", solved), "--output", tmp_path / "file")
    assert status == 2
    assert one_line(err)


def test_no_workers_is_one_line_and_status_2(command, hand_in, solved):
    status, _, err = command("grade", hand_in("ada", solved), "--workers", "0")
    assert (status, err) == (2, "grade: --workers is 0, expected 1 or more.\n")


def test_without_a_sandbox_the_status_is_3_and_nothing_is_written(command, hand_in, solved, tmp_path):
    status, out, err = command("grade", hand_in("ada", solved), judge=NoSandbox)
    assert (status, out) == (3, "")
    assert "nothing more was graded" in err
    assert "bwrap" in err
    assert not (tmp_path / "grades").exists()


def test_an_error_of_ours_is_named_and_no_traceback(command, hand_in, solved):
    class Broken(FakeJudge):
        def run(self, job):
            raise RuntimeError("the judge\nbroke")

    status, out, err = command("grade", hand_in("ada", solved), judge=Broken)
    assert status == 1
    assert "The grader failed: RuntimeError: the judge broke" in out
    assert err.splitlines()[-1].endswith("grade: not graded (internal error): ada; run it again.")
    assert "Traceback" not in err


def test_check_tells_the_visible_checks_and_how_much_is_hidden(command, hand_in, solved):
    path = hand_in("ada", solved) / "ada" / NAME / f"{NAME}.ipynb"
    status, out, _ = command("check", path)
    assert status == 0
    assert out.splitlines() == [
        "✓ double_right 2/2",
        "✓ halver_right 1/1",
        "3 of 3 points; 1.5 more are given by hidden checks",
    ]


def test_check_tells_what_is_wrong(command, hand_in, blank):
    path = hand_in("ada", blank) / "ada" / NAME / f"{NAME}.ipynb"
    status, out, _ = command("check", path)
    assert status == 1
    assert "✗ double_right 0/2 not written yet" in out.splitlines()


def test_check_names_the_cell_that_ran_out_of_time(command, hand_in, solved):
    text = solved.replace("return x + x", "return x  # loops")
    status, out, _ = command("check", hand_in("ada", text) / "ada" / NAME / f"{NAME}.ipynb")
    assert status == 1
    assert "· double ran out of time." in out.splitlines()


def test_check_explains_that_the_notebook_is_the_blank_one(command, hand_in, blank, solved):
    said = "· This is the exercise as it was released: no answer is written yet, so no check can pass."
    status, out, _ = command("check", hand_in("ada", blank) / "ada" / NAME / f"{NAME}.ipynb")
    assert (status, out.splitlines()[0]) == (1, said)
    _, out, _ = command("check", hand_in("ben", solved) / "ben" / NAME / f"{NAME}.ipynb")
    assert said not in out


def test_check_knows_a_copy_by_its_name(command, tmp_path, solved):
    path = tmp_path / f"{NAME} (1).ipynb"
    path.write_text(solved, encoding="utf-8")
    status, out, _ = command("check", path)
    assert status == 0
    assert "3 of 3 points" in out


@pytest.mark.parametrize("name", ["nowhere.ipynb", "other.ipynb", f"{NAME}.ipynb"])
def test_check_refuses_what_it_cannot_read_in_one_line(command, tmp_path, name):
    (tmp_path / "other.ipynb").write_text("{}")
    (tmp_path / f"{NAME}.ipynb").write_text("{")
    status, out, err = command("check", tmp_path / name)
    assert (status, out) == (2, "")
    assert one_line(err)


def test_build_check_is_silent_when_all_is_current(command):
    assert command("build", "--check") == (0, "", "")


def test_doctor_tells_what_is_missing_and_how_to_mend_it(command, monkeypatch):
    found = [
        ProbeResult("podman", "note", "not installed"),
        ProbeResult("the sandbox starts", "kept", "in 2 s"),
        ProbeResult("no network", "broken", "it sees eth0\nand eth1", "unshare the network"),
    ]
    monkeypatch.setattr("autograder.sandbox.self_test.probe", lambda root, name: iter(found))
    status, out, _ = command("doctor")
    assert status == 3
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "· podman not installed",
        "✓ the sandbox starts in 2 s",
        "✗ no network it sees eth0",
        "and eth1",
        "unshare the network",
        "",
        "Not fit: 1 of 2 promises broken. Learners' code will not be run here.",
    ]
    status, out, _ = command("doctor", "--json")
    assert status == 3
    told = json.loads(out)
    assert (told["sandbox"], told["fit"]) == ("bubblewrap", False)
    assert told["findings"][2]["remedy"] == "unshare the network"
    del found[2]
    assert command("doctor")[0] == 0


@pytest.mark.parametrize("name", ["build", "grade", "check", "doctor"])
def test_help_explains_itself_with_examples(name, capsys):
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    assert "examples:\n  python -m autograder" in capsys.readouterr().out


def test_help_needs_no_torch():
    code = "import sys, autograder.__main__; sys.exit('torch' in sys.modules or 'nbgrader' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT).returncode == 0

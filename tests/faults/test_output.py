"""An output folder that is full, read-only, another user's or in use: one line, status 1, and nothing is lost."""

import json
import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from autograder.__main__ import main
from autograder.judging.disk import locked
from autograder.judging.state import State
from autograder.judging.store import Store
from tests.faults import power
from tests.faults.full_disk import command
from tests.faults.small_class import outcome

ROOT = Path(__file__).resolve().parents[2]
SIZES = (4, 20, 60, 120, 200, 250, 300, 400, 500, 700, 900)  # KiB: from no room for a verdict to room for all
OTHER_USER = 12345

BOX = ["unshare", "--map-root-user", "--mount"]
needs_namespaces = pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run([*BOX, "true"], capture_output=True).returncode != 0,
    reason="needs user namespaces, to mount a small disk",
)


@pytest.fixture
def grade(course, pair, tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.judging.judge.Judge", power.Counting)
    return lambda output=None: command(course, pair, output or tmp_path / "out")


def in_box(script, *arguments):
    """Runs a line of Python where the machine can be changed without harm; what it prints."""
    line = [*BOX, sys.executable, "-W", "ignore", *script, *map(str, arguments)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, timeout=250)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_namespaces
def test_a_full_disk_is_told_and_with_room_the_same_command_ends(course, pair, tmp_path):
    power.grade(course, pair, tmp_path / "whole")
    whole = json.loads(json.dumps(outcome(tmp_path / "whole")))
    (tmp_path / "disks").mkdir()
    runs = json.loads(in_box(["-m", "tests.faults.full_disk"], course, pair, tmp_path / "disks", *SIZES))
    for run in runs:
        if run["status"] != 0:
            assert run["status"] == 1
            assert "the disk is full: make room" in run["said"], run["size"]
            assert "the same command goes on from there" in run["said"]
        assert (run["then"], run["judged then"]) == (0, 2 - run["stored"]), run["then said"]
        assert run["left"] == []
        assert run["outcome"] == whole
    assert len({(run["stored"], run["status"]) for run in runs}) >= 3, "sizes no longer stop the run at its stages"


@needs_namespaces
def test_what_was_judged_can_be_regraded_into_a_new_place_from_a_read_only_one(course, pair, tmp_path):
    """A read-only output is told; nothing in it changes."""
    power.grade(course, pair, tmp_path / "out")
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    script = (
        "import subprocess, sys; from pathlib import Path; from tests.faults.full_disk import command\n"
        "course, folder, out = map(Path, sys.argv[1:])\n"
        "subprocess.run(['mount', '--bind', out, out], check=True)\n"
        "subprocess.run(['mount', '-o', 'remount,bind,ro', out], check=True)\n"
        "print(*command(course, folder, out))"
    )
    said = in_box(["-c", script], course, pair, tmp_path / "out")
    assert said.startswith("1 grade: ")
    assert "it is read-only: choose another --output" in said
    assert {path: path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()} == before


@needs_namespaces
@pytest.mark.parametrize("graded", [False, True])
def test_another_users_output_is_told(course, pair, tmp_path, graded):
    output = tmp_path / "out"
    if graded:
        power.grade(course, pair, output)
    output.mkdir(exist_ok=True)
    script = "import sys; from pathlib import Path; from tests.faults.full_disk import command\n"
    script += "print(*command(*map(Path, sys.argv[1:])))"
    if os.geteuid() == 0:  # within the box root is nobody special to other users' files
        for path in (output, *output.rglob("*")):
            os.chown(path, OTHER_USER, OTHER_USER)
        said = in_box(["-c", script], course, pair, output)
    else:
        output.chmod(0o555)
        line = [sys.executable, "-W", "ignore", "-c", script, course, pair, output]
        said = subprocess.run(line, cwd=ROOT, capture_output=True, text=True).stdout
    assert said.startswith("1 grade: ")
    assert "you may not write to it: choose another --output, or ask its owner" in said


def test_an_output_in_use_is_told_in_one_line_and_left_alone(grade, tmp_path):
    with locked(tmp_path / "out"):
        status, said = grade()
        assert [path.name for path in (tmp_path / "out").iterdir()] == ["lock"]
    assert status == 1
    assert said.startswith(f"grade: {tmp_path / 'out'} is being written by another grading run (process {os.getpid()} ")
    assert said.endswith("wait until it is done, or choose another --output.")
    assert grade()[0] == 0


@pytest.mark.parametrize("name", ["state.db", "lock"])
def test_something_else_in_the_place_of_ours_is_told(grade, tmp_path, name):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).mkdir()
    status, said = grade()
    assert status == 1
    assert said.startswith(f"grade: {tmp_path / 'out' / name}")
    assert "move it away" in said


def test_a_lost_seed_is_told_and_nothing_is_judged(grade, tmp_path, course, pair):
    assert grade()[0] == 0
    with closing(State(tmp_path / "out")) as state, state.change() as rows:
        rows.execute("DELETE FROM about WHERE name = 'seed'")
    power.Counting.judged = 0
    from autograder.grading.grading_run import Run
    from autograder.judging.disk import StoreError

    with pytest.raises(StoreError, match="--seed 7"):
        Run(course, tmp_path / "out", maker=power.Counting).grade(pair)
    assert power.Counting.judged == 0
    assert grade()[0] == 0  # which says --seed 7
    assert power.Counting.judged == 0
    with Store(tmp_path / "out") as store:
        assert store.seed() == 7


def test_damaged_verdicts_are_judged_again_and_counted(grade, tmp_path):
    grade()
    whole = outcome(tmp_path / "out")
    with closing(State(tmp_path / "out")) as state, state.change() as rows:
        rows.execute("UPDATE verdict SET record = substr(record, 1, 50)")
    status, said = grade()
    assert status == 0
    assert said == f"grade: 2 damaged in {tmp_path / 'out' / 'state.db'} were judged again."
    assert power.Counting.judged == 2
    assert outcome(tmp_path / "out") == whole


@pytest.mark.parametrize("name", ["feedback", "report"])
def test_the_other_commands_tell_of_a_damaged_gradebook_in_one_line(grade, tmp_path, capsys, name):
    assert grade()[0] == 0
    (tmp_path / "out" / "gradebook.db").write_bytes(b"garbage " * 1000)
    status = main([name, "--output", str(tmp_path / "out")])
    said = capsys.readouterr().err.replace("\r", "\n").strip().splitlines()
    assert status == 1
    assert said[-1].startswith(f"{name}: ")
    assert "gradebook.db is not an SQLite database" in said[-1]


def test_feedback_does_not_write_while_a_grading_run_does(grade, tmp_path, capsys):
    grade()
    with locked(tmp_path / "out"):
        assert main(["feedback", "--output", str(tmp_path / "out")]) == 1
    assert "is being written by another grading run" in capsys.readouterr().err
    assert main(["feedback", "--output", str(tmp_path / "out")]) == 0

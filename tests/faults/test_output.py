"""An output folder that is full, read-only, another user's or in use: one line, status 1, and nothing is lost."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.__main__ import main
from autograder.grading.grading_run import Run
from autograder.store.disk import StoreError, locked
from autograder.store.verdicts import Store
from tests.faults.full_disk import command
from tests.faults.small_class import Counting, differences

ROOT = Path(__file__).resolve().parents[2]
SIZES = (4, 20, 60, 120, 200, 250, 300, 400, 500, 700, 900)  # KiB: from no room for a verdict to room for all
OTHER_USER = 12345
GRADE = """
import subprocess, sys
from tests.faults.full_disk import Path, command
course, folder, read_only, *outputs = sys.argv[1:]
for options in (["--bind"], ["-o", "remount,bind,ro"]) if read_only == "True" else ():
    subprocess.run(["mount", *options, outputs[0], outputs[0]], check=True)
for output in outputs:
    print(*command(Path(course), Path(folder), Path(output)))
"""

BOX = ["unshare", "--map-root-user", "--mount"]
needs_namespaces = pytest.mark.skipif(
    shutil.which("unshare") is None or subprocess.run([*BOX, "true"], capture_output=True).returncode != 0,
    reason="needs user namespaces, to mount a small disk",
)


@pytest.fixture
def grade(course, pair, tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.judging.judge.Judge", Counting)
    return lambda: command(course, pair, tmp_path / "out")


def printed(*arguments, box=BOX):
    """What Python prints where the machine can be changed without harm."""
    line = [*box, sys.executable, "-W", "ignore", *map(str, arguments)]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@needs_namespaces
@pytest.mark.long("crash and soak")
@pytest.mark.parametrize("sizes", [(4, 300, 400, 900), SIZES], ids=["few", "all"])
def test_a_full_disk_is_told_and_with_room_the_same_command_ends(course, pair, graded, tmp_path, sizes):
    runs = json.loads(printed("-m", "tests.faults.full_disk", course, pair, graded, tmp_path, *sizes))
    for run in runs:
        if run["status"] != 0:
            assert (run["status"], "the disk is full: make room" in run["said"]) == (1, True), run["size"]
            assert "the same command goes on from there" in run["said"]
        assert run["then"] == [0, run["then"][1], 2 - run["stored"]]
    assert {run["size"]: run["faults"] for run in runs if run["faults"]} == {}
    assert len({(run["stored"], run["status"]) for run in runs}) >= 4, "sizes no longer stop the run at its stages"


def printed_for(course, pair, outputs, read_only, box):
    """What grading into each of these outputs says, the first of which becomes read-only."""
    lines = printed("-c", GRADE, course, pair, read_only, *outputs, box=box).splitlines()
    assert len(lines) == len(outputs)
    assert all(line.startswith("1 grade: ") for line in lines)
    return lines


@needs_namespaces
def test_a_read_only_output_or_another_users_is_told_and_nothing_in_it_changes(course, pair, graded, tmp_path):
    outputs = [tmp_path / name for name in ("read only", "graded", "empty")]
    for output in outputs:
        shutil.copytree(graded, output) if output.name != "empty" else output.mkdir()
    files = [path for output in outputs for path in (output, *output.rglob("*"))]
    before = {path: path.read_bytes() for path in files if path.is_file()}
    if os.geteuid() == 0:  # within the box root is nobody special to other users' files
        for path in files:
            if not path.is_relative_to(outputs[0]):
                os.chown(path, OTHER_USER, OTHER_USER)
        lines = printed_for(course, pair, outputs, True, BOX)
    else:  # within the box everything of ours may be written to
        for output in outputs[1:]:
            output.chmod(0o555)
        lines = printed_for(course, pair, outputs[:1], True, BOX) + printed_for(course, pair, outputs[1:], False, [])
    assert "it is read-only: choose another --output" in lines[0]
    assert all("you may not write to it: choose another --output, or ask its owner" in line for line in lines[1:])
    assert {path: path.read_bytes() for path in files if path.is_file()} == before


def test_an_output_in_use_is_told_in_one_line_and_left_alone(grade, tmp_path, capsys):
    output = tmp_path / "out"
    with locked(output):
        status, printed, _ = grade()
        assert [path.name for path in output.iterdir()] == ["lock"]
    assert status == 1
    assert printed.startswith(f"grade: {output} is being written by another grading run (process {os.getpid()} ")
    assert printed.endswith("wait until it is done, or choose another --output.")
    assert grade()[0] == 0
    with locked(output):
        assert main(["feedback", "--output", str(output)]) == 1
    assert "is being written by another grading run" in capsys.readouterr().err
    assert main(["feedback", "--output", str(output)]) == 0


@pytest.mark.parametrize("name", ["state.db", "lock"])
def test_something_else_in_the_place_of_ours_is_told(grade, tmp_path, name):
    (tmp_path / "out" / name).mkdir(parents=True)
    status, printed, _ = grade()
    assert status == 1
    assert printed.startswith(f"grade: {tmp_path / 'out' / name}")
    assert "move it away" in printed


def test_a_lost_seed_is_told_and_nothing_is_judged(grade, course, pair, output, rows):
    rows("DELETE FROM about WHERE name = 'seed'")
    Counting.judged = 0
    with pytest.raises(StoreError, match="--seed 7"):
        Run(course, output, maker=Counting).grade(pair)
    assert Counting.judged == 0
    assert grade()[::2] == (0, 0)  # which says --seed 7
    with Store(output) as store:
        assert store.seed() == 7


def test_damaged_verdicts_are_judged_again_and_counted(grade, output, whole, rows):
    rows("UPDATE verdict SET record = substr(record, 1, 50)")
    assert grade() == (0, f"grade: 2 damaged in {output / 'state.db'} were judged again.", 2)
    assert differences(output, whole) == []


@pytest.mark.parametrize("name", ["feedback", "report"])
def test_the_other_commands_tell_of_a_damaged_gradebook_in_one_line(output, capsys, name):
    (output / "gradebook.db").write_bytes(b"garbage " * 1000)
    assert main([name, "--output", str(output)]) == 1
    last = capsys.readouterr().err.replace("\r", "\n").strip().splitlines()[-1]
    assert last.startswith(f"{name}: ")
    assert "gradebook.db is not an SQLite database" in last

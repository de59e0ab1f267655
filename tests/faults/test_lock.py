"""Two grading runs on one output: the second is refused, and what a killed run leaves is nobody's."""

import os

import pytest

from autograder.__main__ import main
from autograder.store.disk import StoreError, locked

HOLD = "import sys; from pathlib import Path; from autograder.store.disk import locked\n"
HOLD += "with locked(Path(sys.argv[1])):\n    print('held', flush=True); sys.stdin.read()"


@pytest.fixture
def holder(holding, tmp_path):
    return holding(HOLD, tmp_path / "out")


def test_a_second_run_is_refused_told_who_is_first_and_leaves_it_its_lock(holder, tmp_path):
    for _ in range(2):
        with pytest.raises(StoreError, match=rf"another grading run \(process {holder.pid} on \S+ since"):
            locked(tmp_path / "out").__enter__()
    with locked(tmp_path / "other"):
        pass
    holder.communicate("")  # it is done, and lets go
    with locked(tmp_path / "out"):
        pass


def test_what_is_made_of_grades_while_more_are_given_is_told_to_be_incomplete(holding, course, output, capsys):
    holder = holding(HOLD, output)
    for line in ("report", "export --to csv"):
        command = [*line.split(), "--root", str(course), "--output", str(output)]
        run = f"{line.split()[0]}: {output} is being written by a grading run (process {holder.pid} on "
        assert main(command) == 0
        assert (message := capsys.readouterr().err).startswith(run)
        assert "what it has not graded yet is missing here" in message
    holder.communicate("")  # it is done, and lets go
    assert main(command) == 0
    assert capsys.readouterr().err == ""


def test_a_killed_run_holds_nothing(holder, tmp_path):
    holder.kill()
    holder.wait()
    assert (tmp_path / "out" / "lock").exists()
    with locked(tmp_path / "out"):
        assert str(os.getpid()) in (tmp_path / "out" / "lock").read_text()
    assert not (tmp_path / "out" / "lock").exists()


@pytest.mark.parametrize("text", ["", "process 1 on here\n", "\0" * 1000])
def test_a_file_that_nobody_holds_is_taken_over_and_a_link_in_its_place_is_not_followed(tmp_path, text):
    (tmp_path / "lock").write_text(text)
    with locked(tmp_path):
        assert (tmp_path / "lock").read_text().startswith(f"process {os.getpid()} ")
    (tmp_path / "precious").write_text("kept")
    (tmp_path / "lock").symlink_to(tmp_path / "precious")
    with pytest.raises(StoreError, match="lock is a link, expected a file or nothing: remove it"):
        locked(tmp_path).__enter__()
    assert (tmp_path / "precious").read_text() == "kept"


def test_folders_that_were_made_for_it_alone_go_and_others_stay(tmp_path):
    with locked(tmp_path / "new" / "out"):
        assert (tmp_path / "new" / "out" / "lock").exists()
    assert list(tmp_path.iterdir()) == []
    with locked(tmp_path / "out"):
        (tmp_path / "out" / "seed").write_text("1\n")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["seed"]

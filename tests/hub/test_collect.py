"""What learners can do to nbgrader's exchange, and what is collected of it all the same."""

import os
import pwd
from pathlib import Path

import pytest
from nbgrader.auth import Authenticator
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory

from autograder.collect import exchange
from autograder.collect.exchange import Collect
from autograder.settings import settings

NAME, TIME = "01_small", "2026-11-20 12:00:00.000000 UTC"
ME = pwd.getpwuid(os.geteuid()).pw_name


class NoGradebook:
    """Of a course without due dates; nbgrader would make a database."""

    def __init__(self, *_: object) -> None:
        self.duedate = None

    def __enter__(self) -> "NoGradebook":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def find_assignment(self, _: str) -> "NoGradebook":
        return self


@pytest.fixture
def collect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Collects the exercise as formgrader does; returns the folder of submissions."""
    monkeypatch.setattr("nbgrader.exchange.default.collect.Gradebook", NoGradebook)
    (tmp_path / "exchange").mkdir()
    config = settings(tmp_path / "course", tmp_path / "course" / "grades")
    config.Exchange.root = str(tmp_path / "exchange")
    config.CourseDirectory.update({"course_id": "attention", "assignment_id": NAME})

    def collect(**limits: int) -> Path:
        config.CourseDirectory.update(limits)
        plugins = ExchangeFactory(config=config)
        assert plugins.collect is Collect
        authenticator, course = Authenticator(config=config), CourseDirectory(config=config)
        plugins.Collect(coursedir=course, authenticator=authenticator, config=config).start()
        return tmp_path / "course" / "submitted"

    return collect


@pytest.fixture
def hand_in(tmp_path: Path):
    """A folder in the exchange, called as asked, with files of these contents."""

    def hand_in(name: str, **files: str) -> Path:
        folder = tmp_path / "exchange" / "attention" / "inbound" / name
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text)
        return folder

    return hand_in


@pytest.fixture
def as_instructor(monkeypatch: pytest.MonkeyPatch):
    """Whoever runs the tests is a learner, and the instructor somebody else."""
    uid = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: uid)


def test_a_submission_is_its_owners_whatever_it_is_called(collect, hand_in, as_instructor):
    hand_in(f"{ME}+{NAME}+{TIME}+a", notebook="mine")
    hand_in(f"ada+{NAME}+{TIME.replace('12:', '13:')}+b", notebook="forged")
    submitted = collect()
    assert [path.name for path in submitted.iterdir()] == [ME]


def test_where_all_servers_are_one_account_the_name_counts(collect, hand_in):
    for name in ("ada", "ben"):
        hand_in(f"{name}+{NAME}+{TIME}+a", notebook=name)
    submitted = collect()
    assert {path.name: (path / NAME / "notebook").read_text() for path in submitted.iterdir()} == {
        "ada": "ada",
        "ben": "ben",
    }


@pytest.mark.parametrize("name", [f"eve+{NAME}+never+x", f"eve+{NAME}+", f"eve+{NAME}+99999-01-01 UTC+x"])
def test_a_name_that_cannot_be_read_stops_nobody_elses_collection(collect, hand_in, name):
    hand_in(name, notebook="eve's")
    hand_in(f"ada+{NAME}+{TIME}+a", notebook="ada's")
    assert (collect() / "ada" / NAME / "notebook").read_text() == "ada's"


def test_the_folders_own_files_alone_are_copied(collect, hand_in, tmp_path):
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "grades.txt").write_text("of others")
    folder = hand_in(f"eve+{NAME}+{TIME}+a", notebook="mine")
    (folder / "link.txt").symlink_to(secret / "grades.txt")
    (folder / "folder").symlink_to(secret)
    os.mkfifo(folder / "pipe")
    (folder / "data").mkdir()
    (folder / "data" / "table.csv").write_text("1,2")
    handed_in = tmp_path / "exchange" / "attention" / "inbound" / f"ada+{NAME}+{TIME}+a"
    handed_in.symlink_to(secret)
    submitted = collect()
    copied = {str(path.relative_to(submitted)) for path in submitted.rglob("*") if not path.is_dir()}
    assert copied == {f"eve/{NAME}/notebook", f"eve/{NAME}/data/table.csv"}


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_becomes_a_link_while_it_is_copied_is_left_out(collect, hand_in, tmp_path, monkeypatch, what):
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "notes.txt").write_text("of others")
    folder = hand_in(f"eve+{NAME}+{TIME}+a", notebook="mine")
    (folder / "folder").mkdir()
    (folder / "folder" / "notes.txt").write_text("mine")
    victim = folder / "notebook" if what == "file" else folder / "folder"
    patterns, target = exchange.ignore_patterns, tmp_path / "secret" / ("notes.txt" if what == "file" else "")

    def swap(*options: object):
        ignored = patterns(*options)

        def look(parent: str, names: list[str]) -> list[str]:
            left_out = ignored(parent, names)
            if parent == str(folder):
                victim.rename(tmp_path / "moved")
                victim.symlink_to(target)
            return left_out

        return look

    monkeypatch.setattr(exchange, "ignore_patterns", swap)
    texts = [path.read_text() for path in collect().rglob("*") if path.is_file()]
    assert texts == ["mine"]


def test_a_learner_who_hands_in_too_much_stops_nobody_elses_collection(collect, hand_in):
    hand_in(f"eve+{NAME}+{TIME}+a", notebook="x" * 600, more="x" * 600)
    hand_in(f"ada+{NAME}+{TIME}+a", notebook="ada's")
    submitted = collect(max_dir_size=1)
    assert (submitted / "ada" / NAME / "notebook").read_text() == "ada's"
    assert len([*(submitted / "eve" / NAME).iterdir()]) == 1

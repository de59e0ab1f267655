"""A judge for the tests of a file, which need bubblewrap for it; and a class with an exercise of its own."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from autumn import FILES, OWN, TABLE
from small_course import ROOT, FakeJudge

from autograder import folders
from autograder.__main__ import main
from autograder.judging.judge import Judge


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "judge" in getattr(item, "fixturenames", ()):
            item.add_marker("sandbox")


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge((), ROOT) as judge:
        yield judge


@pytest.fixture
def autumn(tmp_path, monkeypatch, capsys, only_tasks_of_the_course) -> Path:
    """A class with the exercise of the instructors' page, in which commands are run, with a judge without a sandbox."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("autograder.judging.judge.Judge", FakeJudge)
    monkeypatch.setattr("autograder.sandbox.proof.require_fit", lambda *folders: None)
    assert main(["new-class", "autumn"]) == 0
    root = tmp_path / "autumn"
    for path, code in FILES.items():
        (root / path).write_text(code, encoding="utf-8")
    (root / folders.TABLE).write_text(TABLE, encoding="utf-8")
    monkeypatch.chdir(root)
    capsys.readouterr()
    return root


@pytest.fixture(scope="session")
def kept(tmp_path_factory) -> Path:
    """Where the class lies as it was graded first, for the tests that come later."""
    return tmp_path_factory.mktemp("kept") / "autumn"


@pytest.fixture
def graded_autumn(autumn, kept, capsys) -> Path:
    """Two days and a bit late, three learners hand in the same; Ben has an extension, and Cleo wrote nothing."""
    if kept.exists():
        return Path(shutil.copytree(kept, autumn, symlinks=True, dirs_exist_ok=True))
    assert main(["build"]) == 0
    right = (autumn / "build" / "source" / OWN / f"{OWN}.ipynb").read_text(encoding="utf-8")
    blank = (autumn / "exercises" / OWN / f"{OWN}.ipynb").read_text(encoding="utf-8")
    for student, text in {"ada": right, "ben": right, "cleo": blank}.items():
        folder = autumn / "submitted" / student / OWN
        folder.mkdir(parents=True)
        (folder / f"{OWN}.ipynb").write_text(text, encoding="utf-8")
        (folder / "timestamp.txt").write_text("2026-11-22 13:00:00 Europe/Berlin\n")
    assert main(["grade", "submitted"]) == 0
    capsys.readouterr()
    shutil.copytree(autumn, kept, symlinks=True)
    return autumn

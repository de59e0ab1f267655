"""Output folders in which each verdict was a file: taken over once, and never lost."""

import json
import shutil

import pytest
from small_course import NAME, FakeJudge

from autograder.__main__ import main
from autograder.grading.grading_run import Run
from autograder.grading.regrade import Regrade
from autograder.judging.graded_copies import GradedCopies
from autograder.judging.migration import settle
from autograder.judging.state import State
from autograder.judging.store import Store
from tests.gradebook_dump import dump

SEED = 7


@pytest.fixture
def folder(course, solved, tmp_path):
    for student, text in {"ada": solved, "ben": solved.replace("return x + x", "return x  # half right")}.items():
        place = tmp_path / "submitted" / student / NAME
        place.mkdir(parents=True)
        (place / f"{NAME}.ipynb").write_text(text, encoding="utf-8")
        (place / "timestamp.txt").write_text("2026-11-21 10:00:00 UTC\n")
    return tmp_path / "submitted"


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


@pytest.fixture
def output(course, folder, tmp_path):
    """A graded class as the earlier version would have left it."""
    output = tmp_path / "out"
    Run(course, output, maker=FakeJudge, seed=SEED).grade(folder)
    with Store(output) as store:
        for key in store.all_keys():
            verdict = store.get(key)
            write(output / "verdicts" / f"{key}.json", verdict.to_record())
            write(output / "shown" / f"{key}.json", verdict.shown())
            write(output / "circumstances" / f"{key}.json", store.circumstances(key).to_json())
        for copy, mark in GradedCopies(store.state).copies():
            write(output / "staged" / copy.student / NAME / f"{NAME}.ipynb", copy.data())
            write(output / "staged" / copy.student / NAME / "timestamp.txt", f"{copy.timestamp}\n")
            write(output / "written" / NAME / f"{copy.student}.txt", f"{mark}\n{'0' * 64}\n{'0' * 64}")
        write(output / "seed", f"{store.seed()}\n")
    (output / "state.db").unlink()
    return output


def grade(course, folder, output):
    return Run(course, output, maker=FakeJudge).grade(folder)


def left(output):
    return sorted(path.name for path in output.iterdir())


def test_nothing_is_judged_or_written_again(course, folder, output):
    book = dump(output / "gradebook.db")
    pages = {path: path.stat().st_mtime_ns for path in output.rglob("*.html")}
    assert [one.reused for one in grade(course, folder, output)] == [True, True]
    assert dump(output / "gradebook.db") == book
    assert {path: path.stat().st_mtime_ns for path in output.rglob("*.html")} == pages
    assert left(output) == ["autograded", "feedback", "gradebook.db", "state.db"]
    assert Store(output).seed() == SEED


def test_copies_can_be_regraded(course, folder, output):
    shutil.rmtree(folder)
    regraded = Regrade(course, output, maker=FakeJudge).judged()
    assert [(one.handed.student, one.same, one.handed.timestamp) for one in regraded] == [
        ("ada", True, "2026-11-21 10:00:00 UTC"),
        ("ben", True, "2026-11-21 10:00:00 UTC"),
    ]


def test_who_only_reads_is_told_what_to_do(output, capsys):
    before = left(output)
    assert main(["report", "--output", str(output)]) == 1
    assert capsys.readouterr().err.startswith(f"report: {output} holds the files of an earlier version")
    assert left(output) == before


@pytest.mark.parametrize("number", range(1, 8))
def test_killed_on_the_way_it_goes_on(course, folder, output, monkeypatch, number):
    commits = []

    def killed(state, connection):
        commits.append(1)
        if len(commits) == number:
            raise KeyboardInterrupt
        commit(state, connection)

    commit = State.commit
    with monkeypatch.context() as patch:
        patch.setattr(State, "commit", killed)
        with pytest.raises(KeyboardInterrupt):
            settle(output)
    assert [one.reused for one in grade(course, folder, output)] == [True, True]
    assert left(output) == ["autograded", "feedback", "gradebook.db", "state.db"]


def test_what_is_damaged_stays_where_it_is_and_is_judged_again(course, folder, output):
    path = next((output / "verdicts").iterdir())
    path.write_text(path.read_text()[:50])
    assert sorted(one.reused for one in grade(course, folder, output)) == [False, True]
    assert path.is_file()
    assert [one.reused for one in grade(course, folder, output)] == [True, True]


def test_what_is_newer_is_not_overwritten(course, folder, output):
    settle(output)
    with Store(output) as store:
        key = store.all_keys()[0]
        record = json.loads(store.get(key).to_record())
        write(output / "verdicts" / f"{key}.json", json.dumps(record | {"notes": ["an old one"]}))
        write(output / "shown" / f"{key}.json", store.get(key).shown())
    settle(output)
    assert Store(output).get(key).notes == []

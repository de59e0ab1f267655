import json
import os
from dataclasses import replace

import pytest

from autograder.authoring.assignment import Assignment
from autograder.finding import Finding
from autograder.judging.store import Store, StoreError, mishap, write_durably
from autograder.judging.verdict import CellResult, CheckVerdict, Verdict

VERDICT = Verdict(
    "ok", 2**62, [CheckVerdict("a", 1.5, 2.0, "partial", Finding(got="half\nright"))], [CellResult("b", "ok")], ["é"]
)
RECORD = json.loads(VERDICT.to_json())
CHECK, CELL = RECORD["checks"][0], RECORD["cells"][0]


@pytest.fixture
def store(tmp_path):
    (tmp_path / "verdicts").mkdir()
    return Store(tmp_path)


def test_a_verdict_comes_back_as_it_was_put(store):
    store.put("key", VERDICT)
    assert store.get("key") == VERDICT
    assert store.broken == []


def test_where_there_is_no_file_there_is_no_verdict_and_nothing_is_broken(store):
    assert store.get("key") is None
    assert store.broken == []


DAMAGED = {
    "empty": "",
    "truncated": VERDICT.to_json()[:-20],
    "zeros": "\0" * 200,
    "no record": "[]",
    "no fields": "{}",
    "wrong fields": '{"checks": 3, "cells": []}',
    "a field too many": json.dumps(RECORD | {"bonus": 5}),
    "deep": "[" * 100_000,
    "a huge number": '{"seed": ' + "9" * 5000 + "}",
    "not UTF-8": "\udcff",
    "unknown status": json.dumps(RECORD | {"status": "excellent"}),
    "our own fault": json.dumps(RECORD | {"status": "infrastructure"}),
    "a seed that is no number": json.dumps(RECORD | {"seed": "1"}),
    "notes that are no texts": json.dumps(RECORD | {"notes": [{}]}),
    "points above the maximum": json.dumps(RECORD | {"checks": [CHECK | {"points": 2.5}]}),
    "negative points": json.dumps(RECORD | {"checks": [CHECK | {"points": -1}]}),
    "points that are no number": json.dumps(RECORD | {"checks": [CHECK | {"points": float("nan")}]}),
    "endless points": json.dumps(RECORD | {"checks": [CHECK | {"points": float("inf"), "max_points": float("inf")}]}),
    "points in words": json.dumps(RECORD | {"checks": [CHECK | {"points": "2"}]}),
    "points that are true": json.dumps(RECORD | {"checks": [CHECK | {"points": True}]}),
    "a check twice": json.dumps(RECORD | {"checks": [CHECK, CHECK]}),
    "a check that is none": json.dumps(RECORD | {"checks": [1]}),
    "outputs that are none": json.dumps(RECORD | {"cells": [CELL | {"outputs": "x"}]}),
    "an output that is none": json.dumps(RECORD | {"cells": [CELL | {"outputs": ["x"]}]}),
    "unknown status of a cell": json.dumps(RECORD | {"cells": [CELL | {"status": 1}]}),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_file_is_no_verdict_and_is_named(store, damage):
    store.path("key").write_text(DAMAGED[damage], encoding="utf-8", errors="surrogateescape")
    assert store.get("key") is None
    assert store.broken == ["key.json"]


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo, lambda path: os.symlink("/dev/zero", path)])
def test_what_is_no_file_is_no_verdict(store, make):
    make(store.path("key"))
    assert store.get("key") is None
    assert store.broken == ["key.json"]


@pytest.mark.parametrize(
    "verdict",
    [
        replace(VERDICT, seed=1),
        replace(VERDICT, checks=[]),
        replace(VERDICT, checks=[replace(VERDICT.checks[0], cell="other")]),
        replace(VERDICT, checks=[replace(VERDICT.checks[0], max_points=200.0)]),
    ],
)
def test_a_verdict_on_something_else_is_not_found(store, monkeypatch, verdict):
    monkeypatch.setattr(Assignment, "checks", {"a": 2.0})
    store.put("right", VERDICT)
    store.put("wrong", verdict)
    assert store.find("right", Assignment("a", ""), 2**62) == VERDICT
    assert store.find("wrong", Assignment("a", ""), 2**62) is None
    assert store.broken == ["wrong.json"]


def test_the_seed_is_kept_for_the_instructor_alone(store, tmp_path):
    store.keep_seed(-41)
    assert store.seed() == -41
    assert (tmp_path / "seed").stat().st_mode & 0o077 == 0


def test_without_verdicts_there_is_no_seed(store):
    assert store.seed() is None


def test_a_lost_seed_is_not_drawn_anew_but_told_from_the_verdicts(store):
    store.put("key", replace(VERDICT, seed=41))
    with pytest.raises(StoreError, match=r"seed is gone.*--seed 41, or grade into a fresh --output"):
        store.seed()


@pytest.mark.parametrize("text", [b"", b"x\n", b"41", b"\xff\xfe", b"4" * 10**6])
def test_a_damaged_seed_is_told(store, tmp_path, text):
    (tmp_path / "seed").write_bytes(text)
    with pytest.raises(StoreError, match="no verdict depends on it: delete it"):
        store.seed()
    store.put("key", VERDICT)
    with pytest.raises(StoreError, match=f"expected a number, .* go on with --seed {VERDICT.seed}"):
        store.seed()
    store.keep_seed(VERDICT.seed)
    assert store.seed() == VERDICT.seed


def test_several_seeds_are_all_told(store):
    store.put("one", replace(VERDICT, seed=1))
    store.put("two", replace(VERDICT, seed=2))
    with pytest.raises(StoreError, match="--seed 1 or --seed 2"):
        store.seed()


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    write_durably(tmp_path / "file", "old")
    with pytest.raises(UnicodeEncodeError):
        write_durably(tmp_path / "file", "new \ud800")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "old"


def test_what_a_killed_run_was_writing_is_swept_away_and_nothing_else(store, tmp_path):
    store.put("key", VERDICT)
    (tmp_path / "written" / "a").mkdir(parents=True)
    kept = [tmp_path / "verdicts" / ".hidden", tmp_path / ".nbgrader", tmp_path / "written" / "a" / "ada.txt"]
    half = [tmp_path / ".seed.17", tmp_path / "verdicts" / ".key.json.170", tmp_path / "written" / "a" / ".ada.txt.2"]
    for path in kept + half:
        path.write_text("half")
    store.sweep()
    assert [path.exists() for path in kept + half] == [True] * 3 + [False] * 3
    assert store.get("key") == VERDICT


def test_a_full_disk_is_told_with_what_to_do(tmp_path):
    error = OSError(28, "No space left on device", str(tmp_path / "verdicts" / "x"))
    assert str(mishap(error, tmp_path)) == (
        f"{tmp_path}/verdicts/x: the disk is full: make room; "
        "what was judged is kept, the same command goes on from there."
    )


@pytest.mark.parametrize("error", [OSError(28, "full", "/elsewhere"), OSError(2, "gone"), OSError("no number")])
def test_an_error_from_elsewhere_stays_what_it_is(tmp_path, error):
    assert mishap(error, tmp_path) is None

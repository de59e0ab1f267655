import hashlib
import json
import zlib
from dataclasses import replace

import pytest

from autograder.authoring.assignment import Assignment
from autograder.finding import Finding
from autograder.judging import store as stores
from autograder.judging.disk import StoreError, describe_disk_error, write_durably
from autograder.judging.store import Provenance, Store, sweep
from autograder.records.verdict import CellResult, CheckVerdict, Verdict

VERDICT = Verdict(
    "ok", 2**62, [CheckVerdict("a", 1.5, 2.0, "partial", Finding(got="half\nright"))], [CellResult("b", "ok")], ["é"]
)
RECORD = json.loads(VERDICT.to_record())
CHECK, CELL = RECORD["checks"][0], RECORD["cells"][0]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path) as store:
        yield store


def test_a_verdict_comes_back_as_it_was_put_with_its_circumstances_and_without_one_nothing_is_made(store, tmp_path):
    assert store.get("key") is None
    assert (store.seed(), store.broken, list(tmp_path.iterdir())) == (None, [], [])
    then = Provenance("handed", "checks", {"torch": "2"}, ("renamed",), "", 1.5, {"a": 0.5})
    store.put("key", VERDICT, then)
    assert (store.get("key"), store.broken) == (VERDICT, [])
    assert (store.circumstances("key"), store.circumstances("other")) == (then, Provenance())


def test_what_cells_show_is_kept_once_however_many_show_it(store):
    shown = [{"output_type": "stream", "name": "stdout", "text": "0123456789" * 5000}]
    for number in range(5):
        store.put(f"{number}", replace(VERDICT, notes=[f"{number}"], cells=[CellResult("b", "ok", shown)]))
    assert [store.get(f"{number}").cells[0].outputs for number in range(5)] == [shown] * 5
    assert store.get("1", shown=False).cells[0].outputs == []
    assert store.state.rows("SELECT count(*) FROM shown") == [(1,)]


def change(store, **columns):
    with store.state.change() as rows:
        for name, value in columns.items():
            rows.execute(f"UPDATE verdict SET {name} = ?", (value,))


def forged(store, record, cells='[""]'):
    """Puts a record in the place of the verdict's, as a fault of ours would."""
    change(store, record=zlib.compress(record.encode("utf-8", "surrogateescape")), shown=cells)


@pytest.mark.parametrize("column", ["record", "shown"])
def test_a_column_that_is_not_what_was_put_is_damage(store, column):
    for number, value in enumerate([None, "", b"", "[]", "{}", b"x" * 40, 7, zlib.compress(b"[" * 10**6)]):
        with store.state.change() as rows:
            rows.execute("DELETE FROM verdict")
        store.put(f"{number}", VERDICT)
        change(store, **{column: value})
        assert store.get(f"{number}") is None, value
        assert store.broken[number:] == [f"{number}"], value


@pytest.mark.parametrize("change", ["DELETE FROM shown", "UPDATE shown SET data = x'00'"])
def test_what_a_cell_showed_that_is_lost_is_damage(store, change):
    verdict = replace(VERDICT, cells=[CellResult("b", "ok", [{"text": "é"}])])
    store.put("key", verdict)
    with store.state.change() as rows:
        rows.execute(change)
    assert store.get("key", shown=False).points == 1.5
    assert store.get("key") is None
    assert store.broken == ["key"]
    store.put("key", verdict)
    assert store.get("key") == verdict


DAMAGED = {
    "empty": "",
    "truncated": VERDICT.to_record()[:-20],
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
    "unknown status of a cell": json.dumps(RECORD | {"cells": [CELL | {"status": 1}]}),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_record_that_is_none_is_no_verdict_and_is_named(store, damage):
    store.put("key", VERDICT)
    forged(store, DAMAGED[damage])
    assert store.get("key") is None
    assert store.broken == ["key"]


def test_outputs_that_are_none_or_a_record_that_unpacks_without_end_are_no_verdict(store, monkeypatch):
    for text in ('"x"', '["x"]', "3", "[", "[]]"):
        store.put("key", VERDICT)
        digest = hashlib.sha256(text.encode()).hexdigest()
        with store.state.change() as rows:
            rows.execute("INSERT INTO shown VALUES (?, ?)", (digest, zlib.compress(text.encode())))
        forged(store, VERDICT.to_record(), json.dumps([digest]))
        assert store.get("key") is None, text
    monkeypatch.setattr(stores, "MAX_BYTES", 1000)
    forged(store, " " * 2000 + VERDICT.to_record())
    assert store.get("key") is None


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
    assert store.broken == ["wrong"]


def test_state_is_for_the_instructor_alone(tmp_path):
    with Store(tmp_path / "grades") as store:
        store.keep_seed(-41)
    with Store(tmp_path / "grades") as store:
        assert store.seed() == -41
    for path in (tmp_path / "grades", *(tmp_path / "grades").iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


def test_a_lost_seed_is_not_drawn_anew_but_told_from_the_verdicts(store):
    store.put("one", replace(VERDICT, seed=41))
    with pytest.raises(StoreError, match=r"seed in .* is gone.*--seed 41, or grade into a fresh --output"):
        store.seed()
    store.put("two", replace(VERDICT, seed=42))
    with pytest.raises(StoreError, match="--seed 41 or --seed 42"):
        store.seed()


@pytest.mark.parametrize("value", [b"", "x", b"41\xff", "4" * 10**6, None])
def test_a_damaged_seed_is_told(store, value):
    store.keep_seed(1)
    with store.state.change() as rows:
        rows.execute("UPDATE about SET value = ? WHERE name = 'seed'", (value,))
    with pytest.raises(StoreError, match="--seed N, as no verdict depends on it"):
        store.seed()
    store.put("key", VERDICT)
    with pytest.raises(StoreError, match=f"expected a number, .* go on with --seed {VERDICT.seed}"):
        store.seed()
    with Store(store.output) as fresh:
        fresh.keep_seed(VERDICT.seed)
        assert fresh.seed() == VERDICT.seed


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    write_durably(tmp_path / "file", "old")
    with pytest.raises(UnicodeEncodeError):
        write_durably(tmp_path / "file", "new \ud800")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "old"


def test_what_a_killed_run_was_writing_is_swept_away_and_nothing_else(store, tmp_path):
    store.put("key", VERDICT)
    kept = [tmp_path / ".nbgrader", tmp_path / "notes.17"]
    half = [tmp_path / ".state.db.170", tmp_path / ".state.db.170-wal", tmp_path / ".gradebook.db.17-journal"]
    for path in kept + half:
        path.write_text("half")
    sweep(tmp_path)
    assert [path.exists() for path in kept + half] == [True] * 2 + [False] * 3
    assert store.get("key") == VERDICT


def test_a_full_disk_is_told_with_what_to_do_and_an_error_from_elsewhere_stays_what_it_is(tmp_path):
    error = OSError(28, "No space left on device", str(tmp_path / "report" / "x"))
    advice = "the disk is full: make room; what was judged is kept, the same command goes on from there."
    assert str(describe_disk_error(error, tmp_path)) == f"{tmp_path}/report/x: {advice}"
    for other in (OSError(28, "full", "/elsewhere"), OSError(2, "gone"), OSError("no number")):
        assert describe_disk_error(other, tmp_path) is None

import json
import zlib
from dataclasses import replace

import pytest

from autograder.assignments.assignment import Assignment
from autograder.finding import Finding
from autograder.records.verdict import CellResult, CheckVerdict, Verdict
from autograder.store import verdicts as stores
from autograder.store.disk import StoreError, describe_disk_error, write_durably
from autograder.store.verdicts import Provenance, Store, sweep

HALF = CheckVerdict("a", 1.5, 2.0, "partial", Finding(got="half\nright"))
VERDICT = Verdict("ok", 2**62, [HALF], [CellResult("b", "ok")], ["é"])
RECORD = json.loads(VERDICT.to_record())
CHECK, CELL = RECORD["checks"][0], RECORD["cells"][0]


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path) as store:
        yield store


def test_a_verdict_comes_back_as_it_was_put_with_its_circumstances_and_without_one_nothing_is_made(store, tmp_path):
    assert store.get("key") is None
    assert (store.seed(), store.broken, list(tmp_path.iterdir())) == (None, [], [])
    then = Provenance("notebook_files", "checks", {"torch": "2"}, ("renamed",), "", 1.5, {"a": 0.5})
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


def run(store, statement, *values):
    with store.state.change() as rows:
        rows.execute(statement, values)


def change(store, **columns):
    for name, value in columns.items():
        run(store, f"UPDATE verdict SET {name} = ?", value)


@pytest.mark.parametrize("change", ["DELETE FROM shown", "UPDATE shown SET data = x'00'"])
def test_what_a_cell_showed_that_is_lost_is_damage(store, change):
    verdict = replace(VERDICT, cells=[CellResult("b", "ok", [{"text": "é"}])])
    store.put("key", verdict)
    run(store, change)
    assert store.get("key", shown=False).points == 1.5
    assert store.get("key") is None
    assert store.broken == ["key"]
    store.put("key", verdict)
    assert store.get("key") == verdict


NOT_OF_OURS = [  # what stands in a record where something else belongs
    *({"bonus": 5}, {"status": "excellent"}, {"status": "infrastructure"}, {"seed": "1"}, {"notes": [{}]}),
    *({"checks": [CHECK | {"points": points}]} for points in (2.5, -1, float("nan"), "2", True)),
    *({"checks": [CHECK | {"points": float("inf"), "max_points": float("inf")}]}, {"checks": [CHECK, CHECK]}),
    *({"seed": True}, {"checks": [1]}, {"notes": "text"}, {"cells": [CELL | {"status": 1}]}),
]
DAMAGED = [
    *("", VERDICT.to_record()[:-20], "\0" * 200, "[]", "{}", '{"checks": 3, "cells": []}', "[" * 100_000, "\udcff"),
    *('{"seed": ' + "9" * 5000 + "}", *(json.dumps(RECORD | fields) for fields in NOT_OF_OURS)),
]
COLUMNS = [None, "", b"", "[]", "{}", b"x" * 40, 7, zlib.compress(b"[" * 10**6)]
OUTPUTS = [zlib.compress(text.encode()) for text in ('"x"', '["x"]', "3", "[", "[]]")]


def packed(record):
    return zlib.compress(record.encode("utf-8", "surrogateescape"))


DAMAGES = [  # what a verdict's columns hold in place of what was put
    *({"record": value} for value in COLUMNS),
    *({"shown": value} for value in COLUMNS),
    *({"record": packed(record), "shown": '[""]'} for record in DAMAGED),
    *({"record": packed(VERDICT.to_record()), "shown": json.dumps([str(number)])} for number in range(len(OUTPUTS))),
]


def test_a_verdict_is_known_by_what_it_must_be_and_by_no_seal_whose_key_would_lie_beside_it(store):
    store.put("key", VERDICT)
    change(store, record=packed(replace(VERDICT, notes=["another"]).to_record()))
    assert (store.get("key").notes, store.broken) == (["another"], [])


def test_what_is_not_what_was_put_is_no_verdict_and_is_named(store, monkeypatch):
    for number, data in enumerate(OUTPUTS):
        run(store, "INSERT INTO shown VALUES (?, ?)", str(number), data)
    for number, columns in enumerate(DAMAGES):
        store.put("key", VERDICT)
        change(store, **columns)
        assert store.get("key") is None, columns
        assert store.broken[number:] == ["key"], columns
    monkeypatch.setattr(stores, "MAX_BYTES", 1000)  # of a record that unpacks without end
    change(store, record=packed(" " * 2000 + VERDICT.to_record()), shown='[""]')
    assert store.get("key") is None


def test_a_verdict_on_something_else_is_not_found(store, monkeypatch):
    monkeypatch.setattr(Assignment, "checks", {"a": 2.0})
    store.put("right", VERDICT)
    others = [[], *([replace(HALF, **fields)] for fields in ({"cell": "other"}, {"max_points": 200.0}))]
    for number, verdict in enumerate([replace(VERDICT, seed=1), *(replace(VERDICT, checks=some) for some in others)]):
        store.put(f"{number}", verdict)
        assert store.find(f"{number}", Assignment("a", ""), 2**62) is None
    assert store.find("right", Assignment("a", ""), 2**62) == VERDICT
    assert store.broken == ["0", "1", "2", "3"]


def test_a_seed_is_for_the_instructor_alone_and_a_lost_one_is_not_drawn_anew_but_told_from_the_verdicts(store):
    store.put("one", replace(VERDICT, seed=41))
    with pytest.raises(StoreError, match=r"seed in .* is gone.*--seed 41, or grade into a fresh --output"):
        store.seed()
    store.put("two", replace(VERDICT, seed=42))
    with pytest.raises(StoreError, match="--seed 41 or --seed 42"):
        store.seed()
    with Store(store.output / "grades") as fresh:
        fresh.keep_seed(-41)
    with Store(store.output / "grades") as fresh:
        assert fresh.seed() == -41
    for path in (store.output / "grades", *(store.output / "grades").iterdir()):
        assert path.stat().st_mode & 0o077 == 0, path


@pytest.mark.parametrize("value", [b"", "x", b"41\xff", "4" * 10**6, None])
def test_a_damaged_seed_is_told(store, value):
    store.keep_seed(1)
    run(store, "UPDATE about SET value = ? WHERE name = 'seed'", value)
    with pytest.raises(StoreError, match="--seed N, as no verdict depends on it"):
        store.seed()
    store.put("key", VERDICT)
    with pytest.raises(StoreError, match=f"expected a number, .* go on with --seed {VERDICT.seed}"):
        store.seed()
    with Store(store.output) as fresh:
        fresh.keep_seed(VERDICT.seed)
        assert fresh.seed() == VERDICT.seed


def test_what_a_killed_run_was_writing_is_swept_away_and_nothing_else(store, tmp_path):
    store.put("key", VERDICT)
    others = [tmp_path / ".nbgrader", tmp_path / "notes.17"]
    half = [tmp_path / ".state.db.170", tmp_path / ".state.db.170-wal", tmp_path / ".gradebook.db.17-journal"]
    for path in others + half:
        path.write_text("half")
    sweep(tmp_path)
    assert [path.exists() for path in others + half] == [True] * 2 + [False] * 3
    assert store.get("key") == VERDICT


def test_a_write_that_fails_leaves_the_old_file_and_a_full_disk_is_told_with_what_to_do(tmp_path):
    write_durably(tmp_path / "file", "old")
    with pytest.raises(UnicodeEncodeError):
        write_durably(tmp_path / "file", "new \ud800")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("file", "old")]
    error = OSError(28, "No space left on device", str(tmp_path / "report" / "x"))
    advice = "the disk is full: make room; what was judged is kept, the same command goes on from there."
    assert str(describe_disk_error(error, tmp_path)) == f"{tmp_path}/report/x: {advice}"
    for other in (OSError(28, "full", "/elsewhere"), OSError(2, "gone"), OSError("no number")):
        assert describe_disk_error(other, tmp_path) is None

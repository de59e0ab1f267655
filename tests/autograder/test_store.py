import pytest
from autograder.judging.store import Store, environment, key, write_durably

from autograder.authoring.assignment import Assignment
from autograder.judging.verdict import CheckVerdict, Verdict
from autograder.submissions.collected import Handed

VERDICT = Verdict("ok", 2**62, [CheckVerdict("a", 1.5, 2.0, "partial", "half\nright")], [], ["é"])


def test_a_verdict_comes_back_as_it_was_put(tmp_path):
    Store(tmp_path).put("key", VERDICT)
    assert Store(tmp_path).get("key") == VERDICT


@pytest.mark.parametrize("text", ["", "{", "{}", "[]", '{"checks": 3, "cells": []}'])
def test_a_broken_file_is_no_verdict(tmp_path, text):
    (tmp_path / "verdicts").mkdir()
    (tmp_path / "verdicts" / "key.json").write_text(text)
    assert Store(tmp_path).get("key") is None


def test_the_seed_is_kept_for_the_instructor_alone(tmp_path):
    Store(tmp_path).keep_seed(41)
    assert Store(tmp_path).seed() == 41
    assert (tmp_path / "seed").stat().st_mode & 0o077 == 0


def test_a_write_that_fails_leaves_the_old_file(tmp_path):
    write_durably(tmp_path / "file", "old")
    with pytest.raises(UnicodeEncodeError):
        write_durably(tmp_path / "file", "new \ud800")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "old"


def handed(tmp_path, data=b"x", **changes):
    path = tmp_path / "notebook"
    path.write_bytes(data)
    return Handed("ada", "a", path, **changes)


def test_the_key_depends_on_all_that_the_verdict_depends_on(tmp_path):
    base = (Assignment("a", "text"), "place", 1)
    keys = {
        key(handed(tmp_path), *base),
        key(handed(tmp_path, b"y"), *base),
        key(handed(tmp_path, notes=("renamed",)), *base),
        key(handed(tmp_path), Assignment("a", "other"), "place", 1),
        key(handed(tmp_path), Assignment("a", "text"), "elsewhere", 1),
        key(handed(tmp_path), Assignment("a", "text"), "place", 2),
    }
    assert len(keys) == 6


def test_the_environment_changes_with_the_checks(tmp_path):
    (tmp_path / "autograder" / "checks").mkdir(parents=True)
    before = environment(tmp_path)
    (tmp_path / "autograder" / "checks" / "a.py").write_text("x = 1")
    assert environment(tmp_path) != before

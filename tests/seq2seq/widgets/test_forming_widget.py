"""The alignment that forms: what is handed to the script, and what is not let through."""

import json

import pytest

from seq2seq.experiments.recipe import RESULTS
from seq2seq.widgets.forming import Forming


@pytest.fixture(scope="module")
def report() -> dict:
    return json.loads((RESULTS / "forming.json").read_text())


def test_a_row_for_each_word_of_the_translation_and_a_column_for_each_of_the_source(report: dict) -> None:
    shown = Forming(report["sentences"], report["after"]).data
    for answer in shown["after"]:
        for sentence, rows in zip(shown["sentences"], answer["weights"], strict=True):
            assert len(rows) == len(sentence["target"])
            assert all(len(row) == len(sentence["source"]) for row in rows)
            assert all(abs(sum(row) - 1000) <= len(row) for row in rows)


def test_it_says_what_the_last_picture_says(report: dict) -> None:
    text = Forming(report["sentences"], report["after"]).text()
    assert text.startswith("After 4,200 steps")
    assert report["after"][-1]["says"][0] in text


def test_it_is_small(report: dict) -> None:
    assert len(json.dumps(Forming(report["sentences"], report["after"]).data)) < 60_000


def test_no_step_is_nothing_to_show(report: dict) -> None:
    with pytest.raises(ValueError, match="after: got no step, expected at least one"):
        Forming(report["sentences"], [])


def test_weights_of_another_sentence_are_refused(report: dict) -> None:
    with pytest.raises(ValueError, match=r"weights after 0 steps: got .*, expected \(\d+, \d+\), EOS last"):
        Forming(report["sentences"][::-1], report["after"])

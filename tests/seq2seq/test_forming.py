"""The alignment of the front page: the script runs, and its model is that of the length curve."""

import json
from pathlib import Path

import pytest

from seq2seq.experiments import forming
from seq2seq.experiments.recipe import RESULTS
from seq2seq.experiments.study import QUICK, SETTINGS, prepare


@pytest.fixture(scope="module")
def report() -> dict:
    return json.loads((RESULTS / "forming.json").read_text())


def test_asking_changed_nothing_in_the_training(report: dict) -> None:
    [run] = [
        run for run in json.loads((RESULTS / "length_curve.json").read_text())["models"]["bahdanau"] if not run["seed"]
    ]
    assert run["steps"] == report["after"][-1]["step"]
    assert round(run["bleu"][forming.BUCKET], 1) == report["after"][-1]["bleu"]


def aligned(rows: list[list[float]], links: list[list[int]]) -> int:
    """How many rows have their largest weight on a word that their own is linked with."""
    return sum([max(range(len(row)), key=row.__getitem__), place] in links for place, row in enumerate(rows))


def test_it_forms(report: dict) -> None:
    first, *_, last = report["after"]
    links = report["sentences"][0]["links"]
    assert aligned(first["weights"][0], links) < aligned(last["weights"][0], links)
    assert first["bleu"] < 5
    assert last["bleu"] > 80


def test_the_script_runs_and_asks_after_each_step(tmp_path: Path) -> None:
    forming.main(["--quick", "--out", str(tmp_path)])
    quick = json.loads((tmp_path / "forming.json").read_text())
    assert [answer["step"] for answer in quick["after"]] == [0, 1, 2]
    first, *_, last = (answer["weights"] for answer in quick["after"])
    assert first != last


def test_a_sentence_that_is_not_among_the_test_sentences_is_named() -> None:
    with pytest.raises(ValueError, match=r"sentences: got \['no such one'\], which are not among"):
        forming.chosen(prepare(SETTINGS | QUICK), ("no such one",))

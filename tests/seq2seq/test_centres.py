"""The experiment that looks at the centres of local-p on their way: what it measures, by hand on small examples."""

import json

import pytest
import torch

from seq2seq.corpora.pair import Pair
from seq2seq.experiments import centres
from seq2seq.experiments.recipe import RESULTS
from seq2seq.experiments.study import Data
from seq2seq.local.attention import gaussian_window_softmax
from seq2seq.vocab import Vocabulary

PAIRS = [
    Pair(tuple("abcd"), tuple("uv"), frozenset({(0, 0), (2, 1), (3, 1)})),
    Pair(tuple("ab"), tuple("u"), frozenset({(1, 0)})),
]


@pytest.fixture
def data():
    sets = dict.fromkeys(centres.BUCKETS, PAIRS)
    return Data(PAIRS, sets, Vocabulary(tuple("abcd")), Vocabulary(tuple("uv")))


@pytest.fixture
def model(data):
    return centres.VARIANT.build(len(data.source_vocab), len(data.target_vocab))


def found(rows):
    return lambda model, pairs, data: torch.tensor(rows[: len(pairs)])


def test_shares_are_of_each_sentence_and_leave_out_padding(data):
    rows = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 9.0]])  # three target tokens with EOS, and two
    assert centres.shares(rows, PAIRS, data).tolist() == [0.25, 0.5, 0.75, 0.5, 1.0]


def test_a_look_counts_the_centres_at_either_end(data, model, monkeypatch):
    monkeypatch.setattr(centres, "centres", found([[0.0, 2.5, 4.0], [2.0, 1.0, 9.0]]))
    seen = centres.look(model, data)
    assert list(seen) == list(centres.BUCKETS)
    assert seen["4-10"]["at_the_start"] == pytest.approx(1 / 5)
    assert seen["4-10"]["at_the_end"] == pytest.approx(2 / 5)
    assert seen["4-10"]["mean_distance"] == pytest.approx((0 + 0 + 1) / 3, abs=1e-3)
    assert model.training


def test_a_trace_sets_found_centres_beside_gold_ones(data, model, monkeypatch):
    monkeypatch.setattr(centres, "centres", found([[0.0, 2.126, 4.0]]))
    traced = centres.trace(model, PAIRS[0], data)
    assert traced == {"source_words": 4, "centres": [0.0, 2.13], "gold": [(0, 0.0), (1, 2.5)]}


def test_it_looks_at_the_start_on_the_way_and_at_the_end(data):
    measured = centres.measure(data, steps=5, every=2)
    assert [entry["step"] for entry in measured["looks"]] == [0, 2, 4, 5]
    assert measured["half_width"] == 5
    assert set(measured["traces"]) == set(centres.BUCKETS)


def test_the_committed_run_is_that_of_the_study():
    made = json.loads((RESULTS / "centres.json").read_text())
    studied, *_ = json.loads((RESULTS / "local_attention.json").read_text())["models"]["local_p"]
    assert made["settings"]["steps"] == studied["steps"]
    assert made["settings"]["seed"] == studied["seed"]


def test_right_words_are_those_of_the_links():
    assert centres.right_words(PAIRS[0]) == [[0], [2, 3]]
    assert centres.right_words(PAIRS[1]) == [[1]]


@pytest.mark.parametrize(
    ("links", "expected"),
    [
        ({(0, 0), (1, 1)}, False),
        ({(0, 0), (0, 1), (1, 1)}, False),
        ({(1, 0), (0, 1)}, True),
        ({(0, 0), (2, 1), (1, 2)}, True),
    ],
)
def test_links_cross_where_an_earlier_source_word_comes_later(links, expected):
    assert centres.crosses(Pair(tuple("abc"), tuple("uvw"), frozenset(links))) is expected


def test_a_window_holds_what_the_model_s_weights_are_made_of(data, model):
    model.eval()
    kept = centres.window(model, PAIRS[0], data)
    assert (kept["source"], kept["target"], kept["right"]) == (list("abcd"), list("uv"), [[0], [2, 3]])
    weights = gaussian_window_softmax(
        torch.tensor([kept["scores"]]),
        torch.arange(4),
        torch.tensor([kept["centres"]]),
        model.decoder.half_width,
        torch.ones(1, 1, 4, dtype=torch.bool),
    )[0]
    on_right = [weights[0, 0].item(), weights[1, 2:].sum().item()]
    assert kept["on_right"] == pytest.approx(on_right, abs=0.01)
    assert centres.mean_on_right(model, PAIRS[:1], data) == pytest.approx(sum(on_right) / 2, abs=0.01)


def test_the_committed_windows_give_the_committed_weights():
    made = json.loads((RESULTS / "centres.json").read_text())
    assert len(made["windows"]) == 6
    for kept in made["windows"]:
        keys = len(kept["source"])
        weights = gaussian_window_softmax(
            torch.tensor([kept["scores"]]),
            torch.arange(keys),
            torch.tensor([kept["centres"]]),
            made["half_width"],
            torch.ones(1, 1, keys, dtype=torch.bool),
        )[0]
        on_right = [row[places].sum().item() for row, places in zip(weights, kept["right"], strict=True)]
        assert on_right == pytest.approx(kept["on_right"], abs=0.02)

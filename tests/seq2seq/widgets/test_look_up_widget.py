import pytest
import torch

from seq2seq.attention import attend
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, ScaledDotScorer
from seq2seq.widgets.look_up import STEP, LookUp, directions, queries, tabulate

LENGTHS = (0.0, 1.0, 2.5)


@pytest.fixture
def keys():
    return torch.randn(3, 2)


@pytest.fixture
def scorers():
    return {
        "dot": DotScorer(),
        "scaled": ScaledDotScorer(),
        "bilinear": BilinearScorer(2, 2),
        "additive": AdditiveScorer(2, 2, 4),
    }


def test_directions_go_once_round():
    assert directions()[0] == 0
    assert directions()[-1] + STEP == 360


def test_queries_have_their_direction_and_length():
    table = queries(LENGTHS)
    torch.testing.assert_close(table.norm(dim=-1), torch.tensor(LENGTHS).view(-1, 1).expand(-1, len(directions())))
    torch.testing.assert_close(table[1, 90 // STEP], torch.tensor([0.0, 1.0]), atol=1e-6, rtol=0)


def test_tables_hold_the_scorers_own_scores(keys, scorers):
    table = tabulate(scorers, keys, LENGTHS)
    for name, scorer in scorers.items():
        rows = torch.tensor(table[name]).view(len(LENGTHS), len(directions()), len(keys)) / 1000
        for length, direction in ((0, 3), (1, 10), (2, 50)):
            query = queries(LENGTHS)[length, direction]
            scores = scorer(query.unsqueeze(0), keys.unsqueeze(0))[0]
            torch.testing.assert_close(rows[length, direction], scores.detach(), atol=6e-4, rtol=0)


def test_rounded_scores_give_the_context_to_two_digits(keys, scorers):
    table = torch.tensor(tabulate(scorers, keys, LENGTHS)["dot"]).view(-1, len(keys)) / 1000
    every = queries(LENGTHS).view(-1, 2)
    values = keys.expand(len(every), -1, -1)
    mask = torch.ones(len(every), len(keys), dtype=torch.bool)
    ours, _ = attend(table, values, mask)
    exact, _ = attend(every @ keys.T, values, mask)
    assert (ours - exact).abs().max() < 0.005


def test_keys_must_lie_in_the_plane(scorers):
    with pytest.raises(ValueError, match=r"keys: got shape \(3, 4\), expected \(words=3, 2\)"):
        LookUp(["a", "b", "c"], torch.zeros(3, 4), torch.zeros(3, 2), scorers)


def test_text_names_the_words(keys, scorers):
    assert "a, b, c" in LookUp(["a", "b", "c"], keys, keys, scorers).text()


def test_scorers_keep_their_order(keys, scorers):
    assert LookUp(["a", "b", "c"], keys, keys, scorers).data["scorers"] == list(scorers)

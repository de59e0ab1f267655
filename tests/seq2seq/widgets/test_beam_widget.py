import math

import pytest
import torch

from seq2seq.beam.penalty import mean_penalty, no_penalty
from seq2seq.beam.search import beam_search
from seq2seq.beam.tree import beam_tree
from seq2seq.experiments.recipe import build
from seq2seq.vocab import EOS
from seq2seq.widgets.beam import Beam, Sentence, divisors, rows

TOKENS = [f"w{number}" for number in range(12)]
NODES = [(1, 0.0, None, 0, False), (5, -0.5, 0, 1, False), (6, -1.0, 0, 1, False), (2, -1.5, 1, 2, True)]


def test_nodes_keep_word_parent_and_step():
    table = rows(NODES, TOKENS)
    assert table[1] == ["w5", -0.5, 0, 1, 0]
    assert table[3] == ["w2", -1.5, 1, 2, 1]
    assert [row[2] for row in table] == [None, 0, 0, 1]


@pytest.mark.parametrize(("penalty", "expected"), [(no_penalty, [1, 1, 1]), (mean_penalty, [1, 2, 3])])
def test_divisors_are_the_penalty_of_every_length(penalty, expected):
    assert divisors(penalty, 3) == expected


def test_a_shorter_search_is_the_beginning_of_the_longest():
    trees = {(1, "none"): NODES[:3], (1, "mean"): NODES}
    widget = Beam([Sentence(["a", "b"], ["c"], trees)], TOKENS, {"none": no_penalty, "mean": mean_penalty})
    tree = widget.data["sentences"][0]["trees"]["1"]
    assert tree["counts"] == {"none": 3, "mean": 4}
    assert len(tree["nodes"]) == 4
    trees[1, "none"] = [NODES[0], NODES[2]]
    with pytest.raises(ValueError, match="beam size 1 and penalty 'none' does not begin the longest"):
        Beam([Sentence(["a", "b"], ["c"], trees)], TOKENS, {"none": no_penalty, "mean": mean_penalty})


def test_best_score_in_the_tree_is_what_the_search_finds():
    torch.manual_seed(0)
    model = build("luong_bilinear", 12, 12).eval()
    for parameter in model.parameters():
        parameter.data.mul_(3)  # so that hypotheses differ
    source = torch.tensor([5, 9, 4, 7])
    nodes = beam_tree(model, source, 8, 4, mean_penalty)
    table = rows(nodes, TOKENS)
    by_length = divisors(mean_penalty, 8)
    best = max((row for row in table if row[4]), key=lambda row: row[1] / by_length[row[3] - 1])
    found = beam_search(model, source.unsqueeze(0), torch.tensor([4]), 8, 4, 1, mean_penalty)
    assert best[1] / by_length[best[3] - 1] == pytest.approx(found.scores.item(), abs=1e-4)
    words, at = [], table.index(best)
    while table[at][2] is not None:
        words.insert(0, TOKENS.index(table[at][0]))
        at = table[at][2]
    assert words == found.ids[0, 0, : found.lengths[0, 0]].tolist()
    assert math.isfinite(best[1])
    assert words[-1] == EOS or len(words) == 8


def test_missing_search_is_named():
    with pytest.raises(ValueError, match=r"trees: got \[\(2, 'none'\)\] for 'a b'"):
        Beam([Sentence(["a", "b"], ["c"], {(2, "none"): NODES})], TOKENS, {"none": no_penalty, "mean": mean_penalty})


def test_text_names_the_sentences():
    widget = Beam([Sentence(["a", "b"], ["c"], {(1, "none"): NODES})], TOKENS, {"none": no_penalty})
    assert widget.text().endswith("a b")

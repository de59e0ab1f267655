"""The sentences of the player: translated as the grammar does, and looked at where its links say."""

import pytest
import torch

from seq2seq.batch import collate
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.centres import crosses
from seq2seq.experiments.playbacks import NAMES, SENTENCES, playbacks
from seq2seq.experiments.recipe import load_trained

CARS = SENTENCES[0]  # its one row beside a gold link is a point of chapter 12


@pytest.fixture(scope="module")
def pairs() -> dict[str, Pair]:
    drawn = [pair for lengths in ((6, 8), (9, 11), (12, 15)) for pair in corpus(300, 77, lengths)]
    return {" ".join(pair.source): pair for pair in drawn}


@pytest.fixture(scope="module")
def kept() -> dict:
    return playbacks()


def off_the_links(name: str, pair: Pair) -> set[str]:
    """The target words whose largest weight is on no gold link."""
    model, *vocabularies = load_trained(NAMES[name])
    batch = collate([pair], *vocabularies)
    with torch.no_grad():
        weights = model(batch.source, batch.source_lengths, batch.target_in)[1][0, : len(pair.target)]
    return {pair.target[at] for at, best in enumerate(weights.argmax(-1).tolist()) if (best, at) not in pair.links}


@pytest.mark.parametrize("sentence", [sentence for sentence in SENTENCES if sentence != CARS])
def test_every_model_says_what_the_grammar_says(pairs, kept, sentence):
    for playbacks_of_model in kept.values():
        said = [step.said for step in playbacks_of_model[SENTENCES.index(sentence)].steps]
        assert said == [*pairs[sentence].target, "<eos>"]


@pytest.mark.parametrize("sentence", [sentence for sentence in SENTENCES if sentence != CARS])
def test_links_cross_and_the_first_model_s_weights_lie_on_them(pairs, sentence):
    assert crosses(pairs[sentence])
    assert off_the_links(next(iter(NAMES)), pairs[sentence]) == set()


def test_the_others_miss_the_links_of_than(pairs):
    _, bilinear, fed = NAMES
    comparison = pairs[SENTENCES[4]]
    assert off_the_links(bilinear, comparison) == {"que"}
    assert off_the_links(fed, comparison) == {"plus", "que"}

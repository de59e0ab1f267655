"""A model as the player shows it, step by step; and the player's sentences, translated as the grammar does."""

import pytest
import torch
from small_models import bahdanau, feeding, fixed, luong

from seq2seq.attention import attend
from seq2seq.batch import collate
from seq2seq.corpora.grammar import corpus
from seq2seq.corpora.pair import Pair
from seq2seq.experiments.centres import crosses
from seq2seq.experiments.playbacks import NAMES, SENTENCES, playbacks
from seq2seq.experiments.recipe import load_trained
from seq2seq.search import greedy
from seq2seq.vocab import Vocabulary
from seq2seq.widgets.playback import ByMask, Playback, Step, play, tokenise

ENGLISH = Vocabulary(["the", "old", "cat", "sleeps", ".", "!"])  # as many words as the small models have
FRENCH = Vocabulary(["le", "vieux", "chat", "dort", ".", "!"])
WORDS = ("the", "old", "cat", "sleeps", ".")
CARS = SENTENCES[0]  # its one row beside a gold link is a point of chapter 12


@pytest.fixture(params=[bahdanau, luong, feeding])
def model(request):
    return request.param().eval()


@torch.no_grad()
def test_a_step_is_that_of_greedy_search(model):
    """What is read, said, looked at and what else might be said; the context is the weighted sum of the states."""
    batch = collate([Pair(WORDS, (), frozenset())], ENGLISH, FRENCH)
    ids, weights = greedy(model, batch.source, batch.source_lengths, max_length=2 * len(WORDS) + 10)
    steps = play(ByMask(model), WORDS, ENGLISH, FRENCH, candidates=3).steps
    assert [step.word for step in steps] == [FRENCH.tokens[id] for id in ids[0].tolist()]
    torch.testing.assert_close(torch.tensor([step.weights for step in steps]), weights[0])
    assert [step.read for step in steps] == ["<bos>", *(step.word for step in steps[:-1])]
    memory, state = model.read(batch.source, batch.source_lengths)
    chances = model.decoder.step(torch.tensor([1]), state, memory)[0][0].softmax(-1)
    assert [chance for _, chance in steps[0].candidates] == pytest.approx(sorted(chances.tolist(), reverse=True)[:3])
    assert steps[0].word == FRENCH.tokens[int(chances.argmax())]
    states, _ = model.encoder(batch.source, batch.source_lengths)
    scores = torch.tensor([steps[1].weights]).log()
    context, _ = attend(scores, states, torch.ones(1, len(WORDS), dtype=torch.bool))
    assert list(steps[1].context) == pytest.approx(context[0].tolist(), abs=1e-5)


def test_unknown_words_are_named_once_and_a_never_ending_translation_is_cut(model):
    assert play(ByMask(model), ("the", "owl", "owl", "."), ENGLISH, FRENCH).unknown == ("owl",)
    with torch.no_grad():
        model.decoder.output_layer.bias[2] = -100.0  # no <eos>
    assert len(play(ByMask(model), WORDS, ENGLISH, FRENCH).steps) == 2 * len(WORDS) + 10
    with pytest.raises(ValueError, match="at least one word"):
        play(ByMask(model), (), ENGLISH, FRENCH)


def test_decoder_without_attention_is_refused():
    with pytest.raises(ValueError, match="returns no weights"):
        play(ByMask(fixed()), WORDS, ENGLISH, FRENCH)


def test_text_says_what_is_read_looked_at_and_may_be_said_and_the_target_leaves_the_end_out():
    step = Step("<bos>", (0.25, 0.75), (0.0,), (("le", 0.9), ("la", 0.1)))
    [_, line] = Playback(("the", "cat"), (step,)).text().splitlines()
    assert line.split() == ["<bos>", "cat", "0.75,", "the", "0.25", "le", "0.90,", "la", "0.10"]
    steps = (Step("<bos>", (1.0,), (0.0,), (("chat", 0.9),)), Step("chat", (1.0,), (0.0,), (("<eos>", 0.8),)))
    assert Playback(("cat",), steps).target == ("chat",)


def test_typed_text_becomes_words_of_the_corpus():
    assert tokenise("The old cat sleeps.") == ["the", "old", "cat", "sleeps", "."]
    assert tokenise("anna’s letter") == ["anna", "'s", "letter", "."]
    assert tokenise("  however , it  is-well!") == ["however", ",", "it", "is-well", "!"]
    assert tokenise("") == []


@pytest.fixture(scope="module")
def pairs() -> dict[str, Pair]:
    drawn = [pair for lengths in ((6, 8), (9, 11), (12, 15)) for pair in corpus(300, 77, lengths)]
    return {" ".join(pair.source): pair for pair in drawn}


def off_the_links(name: str, pair: Pair) -> set[str]:
    """The target words whose largest weight is on no gold link."""
    model, *vocabularies = load_trained(NAMES[name])
    batch = collate([pair], *vocabularies)
    with torch.no_grad():
        weights = model(batch.source, batch.source_lengths, batch.target_in)[1][0, : len(pair.target)]
    return {pair.target[at] for at, best in enumerate(weights.argmax(-1).tolist()) if (best, at) not in pair.links}


def test_every_model_says_what_the_grammar_says_of_links_that_cross_and_the_first_looks_at_them(pairs):
    by_model, (first, *others) = playbacks(), NAMES
    for number, sentence in enumerate(SENTENCES):
        if sentence != CARS:
            for shown in by_model.values():
                assert [step.word for step in shown[number].steps] == [*pairs[sentence].target, "<eos>"]
            assert crosses(pairs[sentence])
            assert off_the_links(first, pairs[sentence]) == set(), sentence
    missed = [off_the_links(name, pairs[SENTENCES[4]]) for name in others]
    assert missed == [{"que"}, {"plus", "que"}]  # the links of than

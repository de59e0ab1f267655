import pytest
import torch

from seq2seq.attention import attend
from seq2seq.batch import collate
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.demos.playback import ByMask, Playback, Step, play, tokenise
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer
from seq2seq.search import greedy
from seq2seq.vocab import Vocabulary

ENGLISH = Vocabulary(["the", "old", "cat", "sleeps", "."])
FRENCH = Vocabulary(["le", "vieux", "chat", "dort", "."])
WORDS = ("the", "old", "cat", "sleeps", ".")
DECODERS = {
    "bahdanau": lambda: BahdanauDecoder(len(FRENCH), 3, 6, 8, AdditiveScorer(6, 8, 5)),
    "luong": lambda: LuongDecoder(len(FRENCH), 3, 6, 8, BilinearScorer(6, 8)),
    "feeding": lambda: InputFeedingDecoder(len(FRENCH), 3, 6, 8, BilinearScorer(6, 8), cell="lstm"),
}


@pytest.fixture(params=DECODERS)
def model(request):
    torch.manual_seed(3)
    return Seq2Seq(Encoder(len(ENGLISH), 3, 4), DECODERS[request.param]()).eval()


def batch_of(words):
    return collate([Pair(tuple(words), (), frozenset())], ENGLISH, FRENCH)


def test_says_what_greedy_search_says(model):
    batch = batch_of(WORDS)
    ids, weights = greedy(model, batch.source, batch.source_lengths, max_length=2 * len(WORDS) + 10)
    seen = play(ByMask(model), WORDS, ENGLISH, FRENCH)
    assert [step.said for step in seen.steps] == [FRENCH.tokens[id] for id in ids[0].tolist()]
    torch.testing.assert_close(torch.tensor([step.weights for step in seen.steps]), weights[0])


def test_reads_what_it_said_before(model):
    steps = play(ByMask(model), WORDS, ENGLISH, FRENCH).steps
    assert [step.read for step in steps] == ["<bos>", *(step.said for step in steps[:-1])]


def test_candidates_are_the_likeliest_words_of_the_softmax(model):
    batch = batch_of(WORDS)
    memory, state = model.read(batch.source, batch.source_lengths)
    logits, _, _ = model.decoder.step(torch.tensor([1]), state, memory)
    chances = logits[0].softmax(-1)
    first = play(ByMask(model), WORDS, ENGLISH, FRENCH, candidates=3).steps[0]
    assert [chance for _, chance in first.candidates] == pytest.approx(sorted(chances.tolist(), reverse=True)[:3])
    assert first.said == FRENCH.tokens[int(chances.argmax())]


def test_context_is_the_weighted_sum_of_encoder_states(model):
    batch = batch_of(WORDS)
    states, _ = model.encoder(batch.source, batch.source_lengths)
    step = play(ByMask(model), WORDS, ENGLISH, FRENCH).steps[1]
    scores = torch.tensor([step.weights]).log()
    context, _ = attend(scores, states, torch.ones(1, len(WORDS), dtype=torch.bool))
    assert list(step.context) == pytest.approx(context[0].tolist(), abs=1e-5)


def test_unknown_words_are_named_once(model):
    assert play(ByMask(model), ("the", "owl", "owl", "."), ENGLISH, FRENCH).unknown == ("owl",)


def test_never_ending_translation_is_cut(model):
    with torch.no_grad():
        model.decoder.output_layer.bias[2] = -100.0  # no <eos>
    assert len(play(ByMask(model), WORDS, ENGLISH, FRENCH).steps) == 2 * len(WORDS) + 10


def test_empty_sentence_is_refused(model):
    with pytest.raises(ValueError, match="at least one word"):
        play(ByMask(model), (), ENGLISH, FRENCH)


def test_decoder_without_attention_is_refused():
    model = Seq2Seq(Encoder(len(ENGLISH), 3, 4), EveryStepDecoder(len(FRENCH), 3, 6, 8))
    with pytest.raises(ValueError, match="returns no weights"):
        play(ByMask(model), WORDS, ENGLISH, FRENCH)


def test_target_leaves_the_end_out():
    steps = (Step("<bos>", (1.0,), (0.0,), (("chat", 0.9),)), Step("chat", (1.0,), (0.0,), (("<eos>", 0.8),)))
    assert Playback(("cat",), steps).target == ("chat",)


def test_text_says_what_is_read_looked_at_and_may_be_said():
    step = Step("<bos>", (0.25, 0.75), (0.0,), (("le", 0.9), ("la", 0.1)))
    [_, line] = Playback(("the", "cat"), (step,)).text().splitlines()
    assert line.split() == ["<bos>", "cat", "0.75,", "the", "0.25", "le", "0.90,", "la", "0.10"]


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("The old cat sleeps.", ["the", "old", "cat", "sleeps", "."]),
        ("anna’s letter", ["anna", "'s", "letter", "."]),
        ("  however , it  is-well!", ["however", ",", "it", "is-well", "!"]),
        ("", []),
    ],
)
def test_typed_text_becomes_words_of_the_corpus(typed, words):
    assert tokenise(typed) == words

"""Speech: the frames and their spans, the encoder of frames, location-aware scores, and the experiment."""

import pytest
import torch

from seq2seq.beyond.speech import UtteranceBatches, collate_utterances, weight_on_spans
from seq2seq.corpora import speech as corpus
from seq2seq.evaluation.edit_distance import edit_distance
from seq2seq.experiments import speech
from seq2seq.experiments.speech import VOCAB, load_trained
from seq2seq.search import greedy
from seq2seq.vocab import BOS, EOS, UNK


@pytest.fixture(scope="module")
def spoken():
    return corpus.utterances(60, seed=5, lengths=(1, 6))


def test_the_frames_of_an_utterance_and_its_spans_are_those_of_a_loop():
    symbols, durations = ("b", "b", "e"), [5, 7, 6]
    frames, spans, start = [], [], 0
    for symbol, duration in zip(symbols, durations, strict=True):
        first, last = corpus.SOUNDS[corpus.SYMBOLS.index(symbol)]
        shares = [t / (duration - 1) for t in range(duration)]
        frames += [(1 - share) * first + share * last for share in shares]
        spans.append((start, start + duration))
        start += duration
    torch.testing.assert_close(corpus.sound(symbols, durations), torch.stack(frames))
    assert corpus.spans_of(durations) == tuple(spans)


def test_every_frame_belongs_to_one_symbol_that_lasts_as_long_as_the_range_says(spoken):
    for utterance in spoken:
        frames, symbols = zip(*sorted(utterance.links), strict=True)
        assert frames == tuple(range(len(utterance.frames)))
        assert symbols == tuple(sorted(symbols))
        assert set(symbols) == set(range(len(utterance.symbols)))
    durations = {end - start for utterance in spoken for start, end in utterance.spans}
    assert durations == set(range(corpus.SHORTEST, corpus.LONGEST + 1))


def test_noise_is_all_that_lies_between_the_frames_and_the_sounds(spoken):
    noise = torch.cat(
        [each.frames - corpus.sound(each.symbols, [end - start for start, end in each.spans]) for each in spoken]
    )
    assert noise.shape[1] == corpus.FEATURES
    assert noise.std().item() == pytest.approx(corpus.NOISE, rel=0.05)
    assert abs(noise.mean().item()) < 0.05


def test_a_batch_holds_frames_and_shifted_symbols(spoken):
    few = [each for each in spoken if len(each.symbols) in (2, 5)][:4]
    batch = collate_utterances(few, VOCAB)
    longest = max(len(each.frames) for each in few)
    assert batch.source.shape == (4, longest, corpus.FEATURES)
    assert batch.source_lengths.tolist() == [len(each.frames) for each in few]
    assert torch.equal(batch.source_mask.sum(1), batch.source_lengths)
    for row, each in enumerate(few):
        assert torch.equal(batch.source[row, : len(each.frames)], each.frames)
        assert not batch.source[row, len(each.frames) :].any()
        ids = VOCAB.encode(each.symbols)
        assert UNK not in ids
        assert batch.target_in[row, : len(ids) + 1].tolist() == [BOS, *ids]
        assert batch.target_out[row][batch.target_mask[row]].tolist() == [*ids, EOS]


def test_symbols_of_one_number_come_together_and_not_in_order(spoken):
    batches = list(UtteranceBatches(spoken, VOCAB, 7, torch.Generator().manual_seed(1)))
    numbers = [batch.target_mask.sum(1) for batch in batches]
    assert max(each.max() - each.min() for each in numbers) <= 1
    assert [int(each.max()) for each in numbers] != sorted(int(each.max()) for each in numbers)


def test_the_edit_distance_by_hand():
    sides = ("", ""), ("abc", "abc"), ("", "abc"), ("abc", ""), ("abcd", "acbd"), ("kitten", "sitting")
    assert [edit_distance(*pair) for pair in sides] == [0, 0, 3, 3, 2, 3]


def test_the_weight_on_spans_by_hand():
    utterance = corpus.Utterance(torch.zeros(6, corpus.FEATURES), ("a", "b", "c"), ((0, 1), (1, 3), (3, 6)))
    weights = torch.tensor([[[0.5, 0.2, 0.1, 0.2, 0, 0], [0.1, 0.2, 0.3, 0.4, 0, 0], [0, 0, 0.7, 0.1, 0.1, 0.1]]])
    assert weight_on_spans(weights, [utterance]) == pytest.approx((0.5 + 0.5 + 0.3) / 3)
    assert weight_on_spans(weights, [utterance], neighbours=1) == pytest.approx((0.8 + 1.0 + 1.0) / 3)


def test_states_that_are_places_tell_them_and_states_that_are_noise_do_not(spoken):
    def places_alone(source, lengths):
        return torch.arange(source.size(1)).float().view(1, -1, 1).expand(len(source), -1, 2) / 50, None

    def noise(source, lengths):
        return torch.randn(*source.shape[:2], 2), None

    assert speech.place_error(places_alone, spoken[:30], spoken[30:]) < 1e-3
    positions = torch.cat([torch.arange(len(each.frames)).double() for each in spoken])
    guessing = (positions - positions.mean()).abs().mean().item()
    assert speech.place_error(noise, spoken, spoken) == pytest.approx(guessing, rel=0.05)


def test_the_kept_models_lose_and_keep_their_place():
    """On an utterance twice as long as any in training."""
    (long,) = corpus.utterances(1, 11, (16, 16))
    batch = collate_utterances([long], VOCAB)
    errors = {}
    for name in speech.MODELS:
        ids, _ = greedy(load_trained(name), batch.source, batch.source_lengths, max_length=40)
        errors[name] = edit_distance(VOCAB.decode(ids[0].tolist()), long.symbols)
    assert errors["location_aware"] <= 1
    assert errors["content"] >= 4

import itertools

import pytest
import torch
from small_models import PAIRS, SIZE, VOCAB, bahdanau, feeding, fixed, luong, sharpen
from torch.nn import functional as F

from seq2seq.batch import collate
from seq2seq.beam.penalty import gnmt_penalty, mean_penalty, no_penalty
from seq2seq.beam.search import beam_search, rescore
from seq2seq.beam.state import reorder
from seq2seq.beam.tree import beam_tree
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorers import BilinearScorer
from seq2seq.vocab import BOS, EOS, PAD

MAX_LENGTH = 7
PENALTIES = {"none": no_penalty, "gnmt": gnmt_penalty(0.8), "mean": mean_penalty}


def initial():
    return Seq2Seq(Encoder(SIZE, 3, 4, cell="lstm"), InitialStateDecoder(SIZE, 5, 6, 8, cell="lstm"))


def feeding_gru():
    return Seq2Seq(Encoder(SIZE, 3, 4), InputFeedingDecoder(SIZE, 5, 6, 8, BilinearScorer(6, 8)))


@pytest.fixture(params=[fixed, initial, bahdanau, luong, feeding, feeding_gru])
def model(request):
    return sharpen(request.param())


@pytest.fixture(params=PENALTIES)
def penalty(request):
    return PENALTIES[request.param]


@pytest.fixture
def batch():
    return collate(PAIRS, VOCAB, VOCAB)


def search(model, batch, **options):
    return beam_search(model, batch.source, batch.source_lengths, **{"max_length": MAX_LENGTH, **options})


def log_probabilities(model, source, words):
    """Of each next word after `words`, by teacher forcing."""
    with torch.no_grad():
        logits, _ = model(source.unsqueeze(0), torch.tensor([len(source)]), torch.tensor([[BOS, *words]]))
    return F.log_softmax(logits[0], dim=-1)


def beam_by_loop(model, source, max_length, beam_size, penalty):
    """The definition, without early stop: lists of (score, words), best first."""
    alive, closed = [(0.0, [])], []
    for length in range(1, max_length + 1):
        candidates = []
        for total, words in alive:
            last = log_probabilities(model, source, words)[-1].tolist()
            candidates += [(total + value, [*words, token]) for token, value in enumerate(last)]
        alive = []
        for total, words in sorted(candidates, reverse=True)[: beam_size - len(closed)]:
            if words[-1] == EOS or length == max_length:
                closed.append((total / float(penalty(torch.tensor(float(length)))), words))
            else:
                alive.append((total, words))
    return sorted(closed, reverse=True)


def sentences(batch):
    return [row[:length] for row, length in zip(batch.source, batch.source_lengths.tolist(), strict=True)]


def words_of(found, row, rank=0):
    return found.ids[row, rank, : found.lengths[row, rank]].tolist()


def test_the_best_equal_those_of_the_loop_over_sentences_and_hypotheses(model, batch, penalty):
    found = search(model, batch, beam_size=4, n_best=3, penalty=penalty)
    for row, source in enumerate(sentences(batch)):
        for rank, (score, words) in enumerate(beam_by_loop(model, source, MAX_LENGTH, 4, penalty)[:3]):
            assert words_of(found, row, rank) == words
            assert found.scores[row, rank].item() == pytest.approx(score)


def test_a_wide_beam_finds_what_exhaustive_search_finds(batch, penalty):
    model = sharpen(Seq2Seq(Encoder(SIZE, 3, 4), EveryStepDecoder(5, 5, 6, 8)))  # words 0 to 4
    longest, n_best = 3, 4
    found = search(model, batch, max_length=longest, beam_size=100, n_best=n_best, penalty=penalty)
    endings = [
        words
        for length in range(1, longest + 1)
        for words in itertools.product(range(5), repeat=length)
        if EOS not in words[:-1] and (words[-1] == EOS or length == longest)
    ]
    for row, source in enumerate(sentences(batch)):
        scored = []
        for words in endings:
            steps = log_probabilities(model, source, words[:-1])
            total = sum(float(step[word]) for step, word in zip(steps, words, strict=True))
            scored.append((total / float(penalty(torch.tensor(float(len(words))))), list(words)))
        for rank, (score, words) in enumerate(sorted(scored, reverse=True)[:n_best]):
            assert words_of(found, row, rank) == words
            assert found.scores[row, rank].item() == pytest.approx(score)


def test_scores_equal_rescoring_in_single_precision(model, batch, penalty):
    model = model.float()
    found = search(model, batch, beam_size=4, n_best=4, penalty=penalty)
    again = rescore(model, batch.source, batch.source_lengths, found.ids, found.lengths)
    torch.testing.assert_close(found.log_probabilities, again, rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(found.scores, again / penalty(found.lengths.float()), rtol=1e-5, atol=1e-5)


def test_nothing_but_padding_follows_the_end(model, batch):
    found = search(model, batch, beam_size=4, n_best=4)
    for row, rank in itertools.product(range(len(PAIRS)), range(4)):
        words = words_of(found, row, rank)
        assert EOS not in words[:-1]
        assert words[-1] == EOS or len(words) == MAX_LENGTH
        assert set(found.ids[row, rank, len(words) :].tolist()) <= {PAD}


def test_it_stops_when_nothing_better_can_come(batch):
    model = fixed()
    torch.nn.init.zeros_(model.decoder.output_layer.weight)
    with torch.no_grad():
        model.decoder.output_layer.bias[EOS] = 5.0
    assert search(model, batch, max_length=50, beam_size=3).ids.tolist() == [[[EOS]]] * len(PAIRS)


def test_what_is_missing_is_marked(batch):
    model = sharpen(Seq2Seq(Encoder(SIZE, 3, 4), EveryStepDecoder(4, 5, 6, 8)))  # four words, so four hypotheses
    found = search(model, batch, max_length=1, beam_size=6, n_best=6)
    assert found.lengths.tolist() == [[1, 1, 1, 1, 0, 0]] * len(PAIRS)
    assert (found.scores[:, 4:] == -torch.inf).all()
    assert (found.ids[:, 4:] == PAD).all()


def test_leaves_of_the_tree_hold_what_was_found(model, batch):
    source = sentences(batch)[0]
    nodes = beam_tree(model, source, MAX_LENGTH, beam_size=4)
    best = max((node for node in nodes if node.closed), key=lambda node: node.score)
    words, node = [], best
    while node.parent is not None:
        words.append(node.token)
        assert node.step == nodes[node.parent].step + 1
        assert node.score <= nodes[node.parent].score
        node = nodes[node.parent]
    found = beam_search(model, source.unsqueeze(0), torch.tensor([len(source)]), MAX_LENGTH, beam_size=4)
    assert words[::-1] == words_of(found, 0)
    assert best.score == pytest.approx(found.log_probabilities.item())


def test_no_step_of_the_tree_is_wider_than_the_beam(model, batch):
    nodes = beam_tree(model, sentences(batch)[0], MAX_LENGTH, beam_size=3)
    for step in range(1, MAX_LENGTH + 1):
        assert sum(node.step == step for node in nodes) <= 3


def test_shared_memory_changes_nothing(model, batch, monkeypatch):
    found = search(model, batch, beam_size=4, n_best=3)
    monkeypatch.setattr(type(model.decoder), "shares_memory", False)
    again = search(model, batch, beam_size=4, n_best=3)
    assert torch.equal(found.ids, again.ids)
    torch.testing.assert_close(found.scores, again.scores)


def test_penalties_equal_their_equations():
    lengths = torch.tensor([1.0, 7.0, 25.0])
    torch.testing.assert_close(gnmt_penalty(0.5)(lengths), torch.tensor([1.0, 2.0**0.5, 5.0**0.5]))
    torch.testing.assert_close(mean_penalty(lengths), lengths)
    torch.testing.assert_close(no_penalty(lengths), torch.ones(3))


def test_a_state_in_tuples_is_reordered_on_its_batch_axis():
    layered, flat, counted = torch.rand(1, 3, 2), torch.rand(3, 4), torch.arange(3)
    rows = torch.tensor([2, 0])
    (moved_layered, nothing), moved_flat, moved_counted = reorder(((layered, None), flat, counted), rows)
    assert torch.equal(moved_layered, layered[:, rows])
    assert nothing is None
    assert torch.equal(moved_flat, flat[rows])
    assert moved_counted.tolist() == [2, 0]


@pytest.mark.cuda
def test_cpu_and_cuda_agree(model, batch):
    there = search(model.cuda(), batch.to("cuda"), beam_size=4, n_best=3)
    here = search(model.cpu(), batch, beam_size=4, n_best=3)
    assert torch.equal(there.ids.cpu(), here.ids)
    torch.testing.assert_close(there.scores.cpu(), here.scores)

"""What a GPU records and replays: the same function, of the tensors of each call, for as many shapes as are kept."""

import copy
import math
import weakref
from dataclasses import replace

import gpus
import pytest
import torch
from small_models import SIZE, bahdanau
from test_beam import KINDS
from test_every_decoder import translator
from torch.nn import functional as F

from seq2seq import recordings
from seq2seq.beyond.speech import FrameEncoder, collate_utterances
from seq2seq.corpora.speech import utterances
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments.speech import VOCAB as SYMBOLS
from seq2seq.gradient import Gradient
from seq2seq.model import Seq2Seq
from seq2seq.recordings import Recording, Recordings
from seq2seq.scorers import BilinearScorer, LocationScorer
from seq2seq.training import forced_loss, train


@pytest.fixture
def made(monkeypatch):
    """The recordings that are made."""
    made, start = [], Recording.__init__
    monkeypatch.setattr(Recording, "__init__", lambda *given: (made.append(given[2][0].shape), start(*given))[1])
    return made


def test_each_call_is_of_its_own_tensors_and_what_was_given_before_stays(replaying, made):
    compute = Recordings(lambda first, second: (first @ second, first.sum()), replaying)
    drawn = [(torch.randn(3, 4), torch.randn(4, 2)) for _ in range(4)]
    given = [compute(*(part.to(replaying) for part in parts)) for parts in drawn]
    for (product, total), (first, second) in zip(given, drawn, strict=True):
        torch.testing.assert_close(product.cpu(), first @ second)
        torch.testing.assert_close(total.cpu(), first.sum())
    assert made == [(3, 4)]


def test_more_shapes_than_are_kept_are_computed_as_ever(replaying, made, monkeypatch):
    monkeypatch.setattr(recordings, "MOST", 2)
    double = Recordings(lambda numbers: (2 * numbers,), replaying)
    for size in (1, 2, 3) * 3:
        (result,) = double(torch.ones(size, device=replaying))
        assert result.tolist() == [2.0] * size
    assert made == [(1,), (2,)]


def test_each_replay_draws_anew(replaying, made):
    dropped = Recordings(lambda numbers: (F.dropout(numbers, 0.5),), replaying)
    draws = {tuple(dropped(torch.ones(40, device=replaying))[0].tolist()) for _ in range(5)}
    assert (len(draws), len(made)) == (5, 1)


@pytest.mark.parametrize(
    "wait",
    [
        lambda numbers: numbers.sum().item(),
        lambda numbers: torch.tensor(2.0, device=numbers.device),
        lambda numbers: numbers.new_zeros(2).index_fill_(0, numbers.nonzero()[:, 0], 2.0),
    ],
)
def test_what_cannot_be_recorded_is_computed_as_ever_after_a_warning(wait, replaying, made):
    doubled = Recordings(lambda numbers: (numbers * wait(numbers),), replaying)
    numbers = torch.ones(2, device=replaying)
    assert doubled(numbers)[0].tolist() == [2.0, 2.0]
    with pytest.warns(RuntimeWarning, match="recordings: got a computation that cannot be recorded"):
        assert doubled(numbers)[0].tolist() == [2.0, 2.0]
    assert doubled(numbers)[0].tolist() == [2.0, 2.0]
    assert (len(made), doubled.replays) == (1, False)
    assert F.dropout(numbers, 0.5).sum().item() in (0.0, 2.0, 4.0)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_every_decoder_s_gradient_is_replayed_without_a_wait_and_is_the_cpu_s(kind, batch, replaying, made):
    by_cpu = translator(kind).double()
    on_gpu = copy.deepcopy(by_cpu).to(replaying)
    compute = Gradient(on_gpu, forced_loss, replaying, math.inf, None, replayed=True)
    with gpus.nobody_waits(replaying):
        for _ in range(3):
            given = compute(batch, 0.0)
    assert len(made) == 1
    expected = Gradient(by_cpu, forced_loss, torch.device("cpu"), math.inf, None, replayed=True)(batch, 0.0)
    torch.testing.assert_close([part.cpu() for part in given], list(expected))
    ours, theirs = ([part.grad for part in model.parameters() if part.grad is not None] for model in (on_gpu, by_cpu))
    torch.testing.assert_close([gradient.cpu() for gradient in ours], theirs)


def counting(model, device, batches):
    """The norm of the gradient for each batch."""
    compute = Gradient(model, forced_loss, device, math.inf, None, replayed=True)
    return [compute(batch, 0.0)[1].item() for batch in batches]


def test_a_batch_that_is_on_the_gpu_already_is_replayed_too(batch, replaying, made):
    batch = batch.to("cpu").to(replaying)
    first, *others = counting(bahdanau().to(replaying), replaying, [replace(batch)] * 4)
    assert others == pytest.approx([first] * 3)
    assert len(made) == 1


def test_whoever_sets_a_gradient_to_none_has_it_recorded_anew(batch, replaying, made):
    model = bahdanau().to(replaying)
    batches = (model.zero_grad() or batch if turn in (3, 5) else batch for turn in range(8))
    norms = counting(model, replaying, batches)
    assert norms == pytest.approx(norms[:1] * 8)
    assert all(parameter.grad is not None for parameter in model.parameters())
    assert len(made) == 3  # in turns 1, 4 and 6


def test_frames_are_not_padded_and_positions_not_beyond_those_that_a_scorer_has(batch, replaying, made):
    spoken = collate_utterances(utterances(4, 0, (3, 4)), SYMBOLS)
    spoken = replace(spoken, source=spoken.source.double())  # a GPU's float32 is not the CPU's
    decoder = LuongDecoder(len(SYMBOLS), 5, 6, 8, BilinearScorer(6, 8))
    listener = Seq2Seq(FrameEncoder(spoken.source.size(2), 3, 4), decoder)
    scorer = LocationScorer(6, batch.source.size(1))
    placed = Seq2Seq(Encoder(SIZE, 3, 4), LuongDecoder(SIZE, 5, 6, 8, scorer))
    for model, given in ((listener.double(), spoken), (placed.double(), batch)):
        on_gpu = counting(copy.deepcopy(model).to(replaying), replaying, [given] * 3)
        assert on_gpu == pytest.approx(counting(model, torch.device("cpu"), [given]) * 3)


def test_a_model_is_freed_with_what_was_recorded_of_it(batch, replaying, made):
    model = bahdanau().to(replaying)
    counting(model, replaying, [batch] * 3)
    there = weakref.ref(model)
    del model
    assert there() is None


@pytest.mark.parametrize(
    ("part", "wrong", "words"),
    [
        ("source", lambda ids: ids + SIZE, "source: got ids from"),
        ("target_in", lambda ids: ids + SIZE, "target_in: got ids from"),
        ("source_lengths", lambda lengths: lengths + 1, "source_lengths: got"),
    ],
)
def test_a_batch_that_the_model_cannot_read_is_refused_in_a_replay_too(part, wrong, words, batch, replaying, made):
    bad = replace(batch, **{part: wrong(getattr(batch, part))})
    with pytest.raises(ValueError, match=words):
        train(bahdanau(), [batch, batch, batch, bad], steps=4, device=replaying, progress=False)
    assert len(made) == 1

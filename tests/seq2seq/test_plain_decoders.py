"""The plain forms of both decoders give what the decoders give, with the same weights."""

import pytest
import torch
from torch import Tensor, nn

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Memory
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.decoders.plain_bahdanau import BahdanauStep, unroll
from seq2seq.decoders.plain_luong import InputFeedingStep, LuongStep, LuongUnroll, unroll_feeding
from seq2seq.encoders import join_directions
from seq2seq.exercises.toy_steps import FeedingToyStep, ToyStep
from seq2seq.scorers import AdditiveScorer, BilinearScorer

VOCAB, EMBEDDING, HIDDEN, ENCODER, ATTENTION = 9, 3, 4, 6, 5
MASK = torch.arange(5) < torch.tensor([[5], [2], [1]])


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(5)


def drawn(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64)


def loaded(module: nn.Module, **parts: nn.Module) -> nn.Module:
    """The module with the weights of the decoder's parts; an ``nn.GRU`` of one layer can fill an ``nn.GRUCell``.

    What a module counts is no weight, and stays as it is.
    """
    cell = isinstance(getattr(module, "cell", None), nn.GRUCell)
    state = {
        f"{name}.{key.removesuffix('_l0') if cell else key}".lstrip("."): value
        for name, part in parts.items()
        for key, value in part.state_dict().items()
    }
    counts = {key: value for key, value in module.state_dict().items() if not value.is_floating_point()}
    module.double().load_state_dict(counts | state)
    return module


def bahdanau() -> BahdanauDecoder:
    scorer = AdditiveScorer(HIDDEN, ENCODER, ATTENTION)
    return BahdanauDecoder(VOCAB, EMBEDDING, HIDDEN, ENCODER, scorer).double()


def test_bahdanau_step_and_unroll() -> None:
    decoder, values = bahdanau(), drawn(3, 5, ENCODER)
    memory, state = decoder.start(values, drawn(3, ENCODER), MASK)
    step = loaded(
        BahdanauStep(EMBEDDING, HIDDEN, ENCODER, ATTENTION), scorer=decoder.attention.scorer, cell=decoder.cell
    )
    words = torch.randint(VOCAB, (3, 7))
    _, weights, moved = decoder.step(words[:, 0], state, memory)
    embedded = decoder.embedding(words)
    got = step(embedded[:, 0], state, *memory)
    torch.testing.assert_close((got[0], got[2]), (moved, weights))
    states, contexts, weights = unroll(step, embedded, state, values, MASK)
    logits = decoder.output_layer(decoder.readout(states, embedded, contexts))
    torch.testing.assert_close((logits, weights), decoder.unroll(words, state, memory))


@pytest.mark.parametrize("fed", [False, True])
def test_luong_steps_and_unrolls(fed: bool) -> None:
    kind, plain = (InputFeedingDecoder, InputFeedingStep) if fed else (LuongDecoder, LuongStep)
    decoder = kind(VOCAB, EMBEDDING, HIDDEN, ENCODER, BilinearScorer(HIDDEN, ENCODER)).double()
    values, words = drawn(3, 5, ENCODER), torch.randint(VOCAB, (3, 7))
    memory, state = decoder.start(values, drawn(3, ENCODER), MASK)
    parts = {"scorer": decoder.attention.scorer, "attentional_layer": decoder.attentional_layer}
    step = loaded(plain(EMBEDDING, HIDDEN, ENCODER), cell=decoder.rnn, **parts)
    embedded = decoder.embedding(words)
    logits, expected = decoder.unroll(words, state, memory)
    if fed:
        attentionals, weights = unroll_feeding(step, embedded, state[0].squeeze(0), values, MASK)
        got = step(embedded[:, 0], state[1], state[0].squeeze(0), *memory)
    else:
        whole = loaded(LuongUnroll(EMBEDDING, HIDDEN, ENCODER), rnn=decoder.rnn, **parts)
        attentionals, weights = whole(embedded, state.squeeze(0), values, MASK)
        got = step(embedded[:, 0], state.squeeze(0), *memory)
    torch.testing.assert_close((decoder.output_layer(attentionals), weights), (logits, expected))
    torch.testing.assert_close((got[0], got[1]), (attentionals[:, 0], weights[:, 0]))


def test_directions_end_at_the_last_and_at_the_first_word() -> None:
    forward, backward = drawn(3, 5, 2), drawn(3, 5, 2)
    states, final = join_directions(forward, backward, MASK.sum(1))
    torch.testing.assert_close(states, torch.cat([forward, backward], -1).masked_fill(~MASK[..., None], 0))
    torch.testing.assert_close(
        final, torch.stack([torch.cat([forward[i, n], backward[i, 0]]) for i, n in enumerate((4, 1, 0))])
    )


def test_toy_steps_count_projections() -> None:
    values, words, state = torch.randn(3, 5, ENCODER), torch.randn(3, 7, EMBEDDING), torch.randn(3, HIDDEN)
    step, feeding = (kind(EMBEDDING, HIDDEN, ENCODER) for kind in (ToyStep, FeedingToyStep))
    unroll(step, words, state, values, MASK)
    unroll_feeding(feeding, words, state, values, MASK)
    assert (int(step.projections), int(feeding.projections)) == (1, 1)


def test_memory_order_is_that_of_the_plain_steps() -> None:
    assert Memory._fields == ("projected_keys", "values", "source_mask")

"""The models, computed step by step with the parameters of this library's models."""

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder, InitialStateDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer

NEVER = -1e30  # the score of padding


class NaiveModel(nn.Module):
    """Encoder and decoder that share the parameters of the given model; nothing is copied.

    Raises:
        ValueError: the decoder or its scorer is not implemented here.
    """

    def __init__(self, model: Seq2Seq) -> None:
        super().__init__()
        self.encoder = model.encoder
        self.decoder = model.decoder
        self.rnn = bidirectional(model.encoder)
        if type(model.decoder) not in STEPS:
            raise ValueError(f"decoder: got {type(model.decoder).__name__}, expected one of those in STEPS.")
        self.one_step = STEPS[type(model.decoder)]

    def encode(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States (batch, source_len, 2 × hidden_size) and the final state (batch, 2 × hidden_size)."""
        embedded = self.encoder.embedding(source)
        packed = pack_padded_sequence(embedded, source_lengths.cpu(), batch_first=True, enforce_sorted=False)
        states, final = self.rnn(packed)
        if isinstance(final, tuple):
            final = final[0]
        states, _ = pad_packed_sequence(states, batch_first=True, total_length=source.size(1))
        return states, torch.cat([final[0], final[1]], dim=1)

    def first_state(self, final: Tensor) -> tuple:
        decoder = self.decoder
        if isinstance(decoder, BahdanauDecoder):
            return (torch.tanh(decoder.bridge.hidden_layer(final[:, final.size(1) // 2 :])),)
        hidden = torch.tanh(decoder.bridge.hidden_layer(final)).unsqueeze(0)
        if decoder.bridge.memory_layer is None:
            state = hidden
        else:
            state = (hidden, torch.tanh(decoder.bridge.memory_layer(final)).unsqueeze(0))
        if isinstance(decoder, InputFeedingDecoder):
            return state, torch.zeros_like(hidden[0])
        return (state,)

    def step(self, word: Tensor, state: tuple, states: Tensor, final: Tensor, mask: Tensor) -> tuple[Tensor, tuple]:
        """Logits of the next word, and the next state."""
        return self.one_step(self.decoder, word, state, states, final, mask)


def bidirectional(encoder: Encoder) -> nn.GRU | nn.LSTM:
    """PyTorch's bidirectional layer with the parameters of the encoder's two unidirectional layers.

    On a GPU they then lie in one piece, as this layer wants them; the encoder's two would want them in two.
    """
    first, second = encoder.forward_rnn, encoder.backward_rnn
    kind = nn.LSTM if isinstance(first, nn.LSTM) else nn.GRU
    rnn = kind(first.input_size, first.hidden_size, batch_first=True, bidirectional=True)
    for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"):
        setattr(rnn, name, getattr(first, name))
        setattr(rnn, f"{name}_reverse", getattr(second, name))
    rnn.flatten_parameters()
    return rnn


def attend(scorer: Scorer, query: Tensor, states: Tensor, mask: Tensor) -> Tensor:
    """The context; the scorer's projection of the keys is repeated for each query.

    Additive scores are computed as in most tutorials, W[q; k]: the query is concatenated to every key.
    """
    if isinstance(scorer, DotScorer):
        scores = torch.bmm(states, query.unsqueeze(2)).squeeze(2)
    elif isinstance(scorer, BilinearScorer):
        scores = torch.bmm(scorer.key_layer(states), query.unsqueeze(2)).squeeze(2)
    elif isinstance(scorer, AdditiveScorer):
        pairs = torch.cat([query.unsqueeze(1).repeat(1, states.size(1), 1), states], dim=2)
        weight = torch.cat([scorer.query_layer.weight, scorer.key_layer.weight], dim=1)
        scores = scorer.energy_layer(torch.tanh(F.linear(pairs, weight))).squeeze(2)
    else:
        raise ValueError(f"scorer: got {type(scorer).__name__}, expected dot, bilinear or additive.")
    weights = torch.softmax(scores.masked_fill(~mask, NEVER), dim=1)
    return torch.bmm(weights.unsqueeze(1), states).squeeze(1)


def initial_state_step(
    decoder: InitialStateDecoder, word: Tensor, state: tuple, states: Tensor, final: Tensor, mask: Tensor
) -> tuple[Tensor, tuple]:
    output, state = decoder.rnn(decoder.embedding(word).unsqueeze(1), state[0])
    return decoder.output_layer(output.squeeze(1)), (state,)


def every_step_step(
    decoder: EveryStepDecoder, word: Tensor, state: tuple, states: Tensor, final: Tensor, mask: Tensor
) -> tuple[Tensor, tuple]:
    embedded = decoder.embedding(word)
    output, state = decoder.rnn(torch.cat([embedded, final], dim=1).unsqueeze(1), state[0])
    return decoder.output_layer(decoder.readout(output.squeeze(1), embedded, final)), (state,)


def bahdanau_step(
    decoder: BahdanauDecoder, word: Tensor, state: tuple, states: Tensor, final: Tensor, mask: Tensor
) -> tuple[Tensor, tuple]:
    embedded = decoder.embedding(word)
    context = attend(decoder.attention.scorer, state[0], states, mask)
    hidden = decoder.cell(torch.cat([embedded, context], dim=1), state[0])
    return decoder.output_layer(decoder.readout(hidden, embedded, context)), (hidden,)


def luong_step(
    decoder: LuongDecoder, word: Tensor, state: tuple, states: Tensor, final: Tensor, mask: Tensor
) -> tuple[Tensor, tuple]:
    output, state = decoder.rnn(decoder.embedding(word).unsqueeze(1), state[0])
    return decoder.output_layer(_attentional(decoder, output.squeeze(1), states, mask)), (state,)


def feeding_step(
    decoder: InputFeedingDecoder, word: Tensor, state: tuple, states: Tensor, final: Tensor, mask: Tensor
) -> tuple[Tensor, tuple]:
    state, fed = state
    output, state = decoder.rnn(torch.cat([decoder.embedding(word), fed], dim=1).unsqueeze(1), state)
    fed = _attentional(decoder, output.squeeze(1), states, mask)
    return decoder.output_layer(fed), (state, fed)


def _attentional(decoder: LuongDecoder, hidden: Tensor, states: Tensor, mask: Tensor) -> Tensor:
    context = attend(decoder.attention.scorer, hidden, states, mask)
    return torch.tanh(decoder.attentional_layer(torch.cat([context, hidden], dim=1)))


STEPS: dict[type, Callable[..., tuple[Tensor, tuple]]] = {
    InitialStateDecoder: initial_state_step,
    EveryStepDecoder: every_step_step,
    BahdanauDecoder: bahdanau_step,
    LuongDecoder: luong_step,
    InputFeedingDecoder: feeding_step,
}

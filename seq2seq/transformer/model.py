r"""A small Transformer (Vaswani et al., 2017) as an encoder and a decoder of this library.

Each sublayer is *pre-norm*: $x + f(\mathrm{LayerNorm}(x))$, with one more normalisation after the last layer.
The paper prints post-norm, $\mathrm{LayerNorm}(x + f(x))$ (section 3.1), which needs a long warm-up of the learning
rate; pre-norm does not (Xiong et al., 2020).
The rest is the paper's: scaled dot scores, heads, ReLU between two layers, sinusoids added to the embeddings; but
these are not multiplied by $\sqrt d$, and the two sides and the output layer share no weights (section 3.4).
"""

from collections.abc import Iterable
from typing import NamedTuple, cast

import torch
from torch import Tensor, nn

from seq2seq.decoders.decoder import Decoder
from seq2seq.encoders import check_lengths
from seq2seq.guards import check_at_least
from seq2seq.transformer.layers import DecoderLayer, EncoderLayer, PlacedEmbedding
from seq2seq.transformer.self_attention import causal_mask, visible_keys


class TransformerEncoder(nn.Module):
    r"""Layers of self-attention over the source: every state sees every word, at any distance in one layer.

    It can replace :class:`~seq2seq.encoders.Encoder`.
    There is no last state; `final` is the mean of the states, for decoders that need one vector.

    Shape:
        source: (batch, source_len), ids
        source_lengths: (batch,), each at least 1
        states: (batch, source_len, size), 0 at padding
        final: (batch, size)

    Raises:
        ValueError: the heads do not divide the size, there is no head or no layer, the size is odd, or the lengths do
            not fit the source.
    """

    backward_rnn = None  # it has no direction: decoders that need a backward state are rejected

    def __init__(
        self, vocab_size: int, size: int, heads: int, inner_size: int, layers: int = 2, dropout: float = 0.0
    ) -> None:
        super().__init__()
        check_at_least("heads", heads, 1)
        check_at_least("layers", layers, 1)
        self.placed_embedding = PlacedEmbedding(vocab_size, size, dropout)
        self.layers = nn.ModuleList(EncoderLayer(size, heads, inner_size, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        self.state_size = size

    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        check_lengths(source, source_lengths)
        source_mask = torch.arange(source.size(1), device=source.device) < source_lengths.unsqueeze(1)
        visible = visible_keys(source_mask)
        words = self.placed_embedding(source)
        for layer in self.layers:
            words = layer(words, visible)
        states = self.norm(words) * source_mask.unsqueeze(-1)
        return states, states.sum(1) / source_lengths.unsqueeze(-1)


class SourceKeys(NamedTuple):
    """The source as every decoder layer sees it.

    Shape:
        keys, values: (batch, layers, source_len, size), projected once per sentence
        source_mask: (batch, source_len), bool, True = real token
    """

    keys: Tensor
    values: Tensor
    source_mask: Tensor


class Prefix(NamedTuple):
    """The words so far as every decoder layer sees them: a step adds one word and projects no other again.

    Shape:
        keys, values: (layers, prefix_len, batch, size), projected
    """

    keys: Tensor
    values: Tensor


class TransformerDecoder(Decoder):
    r"""Layers of causal self-attention and of attention over the source (Vaswani et al., 2017, section 3.1).

    $$p(y_i) = \mathrm{softmax}(W_o\, \mathrm{LayerNorm}(x_i) + b_o)$$

    There is no recurrence: the state is the prefix, as keys and values; ``unroll`` does all words at once, and a step
    is the same computation for one more word.
    `final` is ignored.

    Shape:
        state: :class:`Prefix`, empty before the first word; it grows by one word a step
        weights: the mean over the heads of the last layer, one of many summaries: no single row determines the context
        the rest as :class:`~seq2seq.decoders.decoder.Decoder`

    Raises:
        ValueError: the heads do not divide the size, there is no head or no layer, or the size is odd.
    """

    def __init__(
        self,
        vocab_size: int,
        size: int,
        encoder_size: int,
        heads: int,
        inner_size: int,
        layers: int = 2,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(encoder_size)
        check_at_least("heads", heads, 1)
        check_at_least("layers", layers, 1)
        self.placed_embedding = PlacedEmbedding(vocab_size, size, dropout)
        self.layers = nn.ModuleList(DecoderLayer(size, encoder_size, heads, inner_size, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(size)
        self.output_layer = nn.Linear(size, vocab_size)  # W_o

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[SourceKeys, Prefix]:
        layers = cast(Iterable[DecoderLayer], self.layers)
        projected = [layer.source_attention.project_keys(states) for layer in layers]
        keys, values = (torch.stack(parts, 1) for parts in zip(*projected, strict=True))
        nothing = keys.new_zeros(len(self.layers), 0, states.size(0), keys.size(-1))
        return SourceKeys(keys, values, source_mask), Prefix(nothing, nothing)

    def step(self, previous: Tensor, state: Prefix, memory: SourceKeys) -> tuple[Tensor, Tensor, Prefix]:
        logits, weights, state = self._advance(previous.unsqueeze(1), state, memory)
        return logits.squeeze(1), weights.squeeze(1), state

    def unroll(self, target_in: Tensor, state: Prefix, memory: SourceKeys) -> tuple[Tensor, Tensor]:
        logits, weights, _ = self._advance(target_in, state, memory)
        return logits, weights

    def _advance(self, ids: Tensor, state: Prefix, memory: SourceKeys) -> tuple[Tensor, Tensor, Prefix]:
        """One word or many, after the prefix: (logits, weights, the longer prefix)."""
        before = state.keys.size(1)
        visible = causal_mask(before + ids.size(1), ids.device)[before:]
        source_visible = visible_keys(memory.source_mask)
        words = self.placed_embedding(ids, before)
        prefix_keys, prefix_values = (part.transpose(1, 2) for part in state)  # (layers, batch, prefix_len, size)
        grown = []
        for number, layer in enumerate(self.layers):
            words, weights, keys, values = layer(
                words,
                prefix_keys[number],
                prefix_values[number],
                visible,
                memory.keys[:, number],
                memory.values[:, number],
                source_visible,
            )
            grown.append((keys, values))
        state = Prefix(*(torch.stack(parts).transpose(1, 2) for parts in zip(*grown, strict=True)))
        return self.output_layer(self.norm(words)), weights.mean(1), state

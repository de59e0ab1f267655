r"""A decoder that scores where it looked last, and what is there (Chorowski et al., 2015)."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Memory
from seq2seq.guards import check_at_least
from seq2seq.scorers import AdditiveScorer


class LocationAwareScorer(AdditiveScorer):
    r"""Additive scores with features of the previous weights (Chorowski et al., 2015, equations 8 and 9).

    $$f_i = F * \alpha_{i-1}, \qquad e_{ij} = v^\top \tanh(W s_{i-1} + U h_j + L f_{ij})$$

    The convolution $F$ looks at the previous weights around each key, $f_{ij}$ has one number for each of its filters;
    a learned shift of the weights, say by the length of a symbol, is one filter.
    :meth:`locate` adds $L f_{ij}$ to the projected keys, and the score of what it gives is the additive one.
    (The paper has a bias in the tanh, which is left out here as in :class:`~seq2seq.scorers.AdditiveScorer`.)

    Shape:
        query: (batch, query_size), the decoder state $s_{i-1}$
        keys: (batch, keys, key_size), the encoder states $h_j$
        previous_weights: (batch, keys), $\alpha_{i-1}$, 0 at padding; all 0 before the first step
        scores: (batch, keys), unnormalised and unmasked

    Raises:
        ValueError: half_width is below 1, so that the filters see no neighbour.
    """

    def __init__(
        self, query_size: int, key_size: int, attention_size: int, filters: int = 8, half_width: int = 15
    ) -> None:
        super().__init__(query_size, key_size, attention_size)
        check_at_least("half_width", half_width, 1, ", the neighbours on each side")
        self.filters = nn.Conv1d(1, filters, 2 * half_width + 1, padding=half_width, bias=False)  # F
        self.location_layer = nn.Linear(filters, attention_size, bias=False)  # L

    def locate(self, projected_keys: Tensor, previous_weights: Tensor) -> Tensor:
        """Projected keys that also tell where the step before looked: (batch, keys, attention_size)."""
        features = self.filters(previous_weights.unsqueeze(1))  # (batch, filters, keys)
        return projected_keys + self.location_layer(features.transpose(1, 2))


class LocatedState(NamedTuple):
    r"""The decoder state between two words.

    Shape:
        hidden: (batch, hidden_size), $s_{i-1}$
        weights: (batch, source_len), $\alpha_{i-1}$, those of the step before; 0 before the first
    """

    hidden: Tensor
    weights: Tensor


class LocationAwareDecoder(BahdanauDecoder):
    r"""The Bahdanau decoder with location-aware scores: content and location (Chorowski et al., 2015, section 2.2).

    $$\alpha_i = \mathrm{softmax}(e_i), \qquad e_i \text{ from } s_{i-1},\ h \text{ and } \alpha_{i-1}$$

    All else is :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder`, which this is if $L = 0$.

    Shape:
        state: :class:`LocatedState`
        the rest as :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder`
    """

    shares_memory = False  # the located keys are those of one hypothesis

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        attention_size: int,
        filters: int = 8,
        half_width: int = 15,
        dropout: float = 0.0,
    ) -> None:
        scorer = LocationAwareScorer(hidden_size, encoder_size, attention_size, filters, half_width)
        super().__init__(vocab_size, embedding_size, hidden_size, encoder_size, scorer, dropout)

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Memory, LocatedState]:
        memory, hidden = super().start(states, final, source_mask)
        return memory, LocatedState(hidden, torch.zeros_like(states[:, :, 0]))

    def step(self, previous: Tensor, state: LocatedState, memory: Memory) -> tuple[Tensor, Tensor, LocatedState]:
        scorer = self.attention.scorer
        assert isinstance(scorer, LocationAwareScorer)
        located = memory._replace(projected_keys=scorer.locate(memory.projected_keys, state.weights))
        logits, weights, hidden = super().step(previous, state.hidden, located)
        return logits, weights, LocatedState(hidden, weights)

    def unroll(self, target_in: Tensor, state: LocatedState, memory: Memory) -> tuple[Tensor, Tensor]:
        """Step after step: the scores of a step need the weights of the one before."""
        steps = []
        for previous in target_in.unbind(1):
            logits, weights, state = self.step(previous, state, memory)
            steps.append((logits, weights))
        logits, weights = (torch.stack(parts, 1) for parts in zip(*steps, strict=True))
        return logits, weights

r"""The pointer-generator: a decoder that may copy a source word instead of generating one (See et al., 2017).

Its attention is that of summarisers since Rush et al. (2015); what is new is that the weights are used a second time,
as a distribution over source words.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.attention import attend
from seq2seq.decoders.decoder import Bridge, Decoder, Memory
from seq2seq.guards import check_at_least
from seq2seq.scorers import AdditiveScorer


class PointerState(NamedTuple):
    """The decoder state between two words.

    Shape:
        hidden, cell: (batch, hidden_size), $s_t$ and the LSTM's memory cell
        context: (batch, encoder_size), of the step before
        coverage: (batch, source_len), the sum of the weights of all steps before
    """

    hidden: Tensor
    cell: Tensor
    context: Tensor
    coverage: Tensor


class PointerSteps(NamedTuple):
    r"""The outputs of one decoder step (or, with the axis in parentheses, of all steps); the caller mixes them.

    Shape:
        logits: (batch, (target_len,) vocab_size), $P_{vocab}$ before its softmax
        weights: (batch, (target_len,) source_len), $a^t$
        generate: (batch, (target_len,)), $p_{gen}$, from 0 (copy) to 1 (generate)
    """

    logits: Tensor
    weights: Tensor
    generate: Tensor


class PointerDecoder(Decoder):
    r"""Additive attention, an output layer, and a gate between copying and generating (See et al., 2017, section 2.2).

    $$e_i^t = v^\top \tanh(W_h h_i + W_s s_t), \qquad a^t = \mathrm{softmax}(e^t), \qquad h_t^* = \sum_i a_i^t h_i$$
    $$P_{vocab} = \mathrm{softmax}(V'(V [s_t; h_t^*] + b) + b'), \qquad
      p_{gen} = \sigma(w_{h^*}^\top h_t^* + w_s^\top s_t + w_x^\top x_t + b_{ptr})$$

    The query is the state *after* the step, $s_t$.
    The cell reads the previous word and the previous context, as in the authors' code; their text names only the
    word.
    The mixture of both distributions, equation 9, is :func:`final_distribution`; a step and :meth:`unroll` give its
    parts, which is why they return :class:`PointerSteps` instead of what other decoders return.

    Shape:
        final: (batch, encoder_size)
        state: :class:`PointerState`
        the rest as :class:`~seq2seq.decoders.decoder.Decoder`
    """

    gives_logits = False

    def __init__(
        self, vocab_size: int, embedding_size: int, hidden_size: int, encoder_size: int, attention_size: int
    ) -> None:
        super().__init__(encoder_size)
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.scorer = AdditiveScorer(hidden_size, encoder_size, attention_size)  # v, W_s, W_h
        self.bridge = Bridge(encoder_size, hidden_size, "lstm")
        self.cell = nn.LSTMCell(embedding_size + encoder_size, hidden_size)
        self.readout = nn.Linear(hidden_size + encoder_size, hidden_size)  # V
        self.output_layer = nn.Linear(hidden_size, vocab_size)  # V'
        self.gate = nn.Linear(encoder_size + hidden_size + embedding_size, 1)  # w_h*, w_s, w_x

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Memory, PointerState]:
        hidden, cell = (part.squeeze(0) for part in self.bridge(final))
        context, coverage = torch.zeros_like(final), torch.zeros_like(states[:, :, 0])
        memory = Memory(self.scorer.project_keys(states), states, source_mask)
        return memory, PointerState(hidden, cell, context, coverage)

    def step(self, previous: Tensor, state: PointerState, memory: Memory) -> tuple[PointerSteps, PointerState]:
        embedded = self.embedding(previous)
        weights, state = self._attend(embedded, state, memory)
        return self._output(embedded, state.hidden, state.context, weights), state

    def unroll(self, target_in: Tensor, state: PointerState, memory: Memory) -> PointerSteps:
        embedded = self.embedding(target_in)
        steps = []
        for word in embedded.unbind(1):
            weights, state = self._attend(word, state, memory)
            steps.append((state.hidden, state.context, weights))
        hiddens, contexts, weights = (torch.stack(parts, 1) for parts in zip(*steps, strict=True))
        return self._output(embedded, hiddens, contexts, weights)

    def _attend(self, embedded: Tensor, state: PointerState, memory: Memory) -> tuple[Tensor, PointerState]:
        hidden, cell = self.cell(torch.cat([embedded, state.context], dim=-1), (state.hidden, state.cell))
        scores = self._score(hidden, state.coverage, memory)
        context, weights = attend(scores, memory.values, memory.source_mask)
        return weights, PointerState(hidden, cell, context, state.coverage + weights)

    def _score(self, hidden: Tensor, coverage: Tensor, memory: Memory) -> Tensor:
        return self.scorer.score(hidden, memory.projected_keys)

    def _output(self, embedded: Tensor, hidden: Tensor, context: Tensor, weights: Tensor) -> PointerSteps:
        logits = self.output_layer(self.readout(torch.cat([hidden, context], dim=-1)))
        generate = torch.sigmoid(self.gate(torch.cat([context, hidden, embedded], dim=-1)))
        return PointerSteps(logits, weights, generate.squeeze(-1))


class CoveragePointerDecoder(PointerDecoder):
    r"""A pointer-generator whose scores depend on past attention (See et al., 2017, section 2.3, equations 10 and 11).

    $$c^t = \sum_{t'=0}^{t-1} a^{t'}, \qquad e_i^t = v^\top \tanh(W_h h_i + W_s s_t + w_c c_i^t + b_{attn})$$

    Coverage helps only with a loss that penalises repeated attention: :func:`coverage_loss`.
    """

    def __init__(
        self, vocab_size: int, embedding_size: int, hidden_size: int, encoder_size: int, attention_size: int
    ) -> None:
        super().__init__(vocab_size, embedding_size, hidden_size, encoder_size, attention_size)
        self.coverage_layer = nn.Linear(1, attention_size)  # w_c and b_attn

    def _score(self, hidden: Tensor, coverage: Tensor, memory: Memory) -> Tensor:
        covered = self.coverage_layer(coverage.unsqueeze(-1))  # (batch, source_len, attention_size)
        return self.scorer.score(hidden, memory.projected_keys + covered)


def final_distribution(steps: PointerSteps, extended_source: Tensor, extended_size: int) -> Tensor:
    r"""The mixture of generating and copying, over the extended vocabulary (See et al., 2017, equation 9).

    $$P(w) = p_{gen} P_{vocab}(w) + (1 - p_{gen}) \sum_{i : w_i = w} a_i^t$$

    A word that occurs several times in the source gets all of its weights; one that is also known gets both shares.
    Each row sums to 1; where no source word is real, there are no weights to copy with, and it sums to $p_{gen}$.

    Shape:
        steps: of one step, or of all
        extended_source: (batch, source_len), ids below extended_size, see :mod:`seq2seq.beyond.extended_vocabulary`
        distribution: (batch, (target_len,) extended_size)

    Raises:
        ValueError: extended_size is below the size of the output layer.
    """
    known = steps.logits.size(-1)
    check_at_least("extended_size", extended_size, known, ": it counts these known words and the batch's unknown ones")
    generate = steps.generate.unsqueeze(-1)
    generated = F.pad(generate * torch.softmax(steps.logits, dim=-1), (0, extended_size - known))
    copied = (1 - generate) * steps.weights
    words = extended_source if copied.dim() == 2 else extended_source.unsqueeze(1).expand_as(copied)
    return generated.scatter_add(-1, words, copied)


def coverage_loss(weights: Tensor, target_mask: Tensor) -> Tensor:
    r"""The penalty for repeated attention, a mean over the real target tokens (See et al., 2017, equation 12).

    $$\frac{1}{\sum_t m_t} \sum_t m_t \sum_i \min(a_i^t, c_i^t), \qquad c^t = \sum_{t'=0}^{t-1} a^{t'}$$

    It is 0 where no source word is attended to in two steps, and at most 1.

    Shape:
        weights: (batch, target_len, source_len), $a^t$
        target_mask: (batch, target_len), bool, True = real token
        loss: ()
    """
    coverage = weights.cumsum(dim=1) - weights
    twice = torch.minimum(weights, coverage).sum(dim=-1)  # (batch, target_len)
    words = target_mask.sum().clamp(min=1)
    return twice.masked_fill(~target_mask, 0.0).sum() / words

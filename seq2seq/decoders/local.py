r"""The Luong decoders with local attention: a window around the target's own position, or around a predicted one."""

import torch
from torch import Tensor

from seq2seq.decoders.decoder import Memory
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.guards import check_at_least
from seq2seq.layers.recurrent import RecurrentState
from seq2seq.local.attention import (
    CentrePredictor,
    Weigh,
    attend_gathered,
    attend_masked,
    gaussian_window_softmax,
    window_softmax,
)
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, LocationScorer


def _by_sentence(step: Tensor, memory: Memory) -> Tensor:
    """A step's states (batch × hypotheses, 1, size) or positions (batch × hypotheses,), hypotheses on axis 1."""
    sentences = memory.values.size(0)
    return step.view(sentences, -1, step.size(-1)) if step.dim() == 3 else step.view(sentences, -1)


class _LocalDecoder(LuongDecoder):
    """Shared by both decoders: a half width, and the rest of a step once the centres are known."""

    weighs_itself = True
    weigh: Weigh

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        scorer: Scorer,
        half_width: int,
        cell: str = "gru",
    ) -> None:
        super().__init__(vocab_size, embedding_size, hidden_size, encoder_size, scorer, cell)
        check_at_least("half_width", half_width, 1)
        self.half_width = half_width

    def _look(self, hidden: Tensor, centres: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        """Logits and weights of every state (batch, queries, hidden_size), around its centre (batch, queries).

        Attention is by the cheaper of the two methods.
        """
        scorer = self.attention.scorer
        attend = attend_gathered if self._gathers(hidden.size(1), memory.values.size(1)) else attend_masked
        context, weights = attend(type(self).weigh, scorer, hidden, *memory, centres, self.half_width)
        return self.output_layer(self.attentional(context, hidden)), weights

    def _gathers(self, queries: int, source_len: int) -> bool:
        """Whether gathering is cheaper: thresholds in window lengths, from `seq2seq.experiments.local_cost`."""
        scorer = self.attention.scorer
        if isinstance(scorer, LocationScorer):
            return False
        costly = isinstance(scorer, AdditiveScorer)  # a vector for each pair
        windows = 8 if queries == 1 else 4 if costly else 32  # many share a product
        return source_len > windows * (2 * self.half_width + 1)


class LocalMonotonicDecoder(_LocalDecoder):
    r"""Local attention around the target's own position, local-m (Luong et al., 2015, section 3.2).

    $$p_t = t, \qquad a_t = \mathrm{softmax}(\mathrm{score}(h_t, \bar h_s))_{|s - p_t| \le D}, \qquad
      c_t = \sum_s a_t(s) \bar h_s$$

    The rest is :class:`~seq2seq.decoders.luong.LuongDecoder`; there is no Gaussian, as in the paper.
    Positions of source and target are both counted from 0.
    A target position more than $D$ words beyond the source has an empty window and a context of 0.

    Shape:
        state: the recurrent state of :class:`~seq2seq.decoders.luong.LuongDecoder`, and the position $t$, (batch,)
        weights: each row sums to 1, or to 0 where the window is empty
        the rest as :class:`~seq2seq.decoders.decoder.Decoder`

    Raises:
        ValueError: the half width $D$ is below 1.
    """

    weigh = staticmethod(window_softmax)

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Memory, tuple[RecurrentState, Tensor]]:
        memory, state = super().start(states, final, source_mask)
        return memory, (state, torch.zeros(states.size(0), dtype=torch.long, device=states.device))

    def step(
        self, previous: Tensor, state: tuple[RecurrentState, Tensor], memory: Memory
    ) -> tuple[Tensor, Tensor, tuple[RecurrentState, Tensor]]:
        recurrent_state, position = state
        hidden, recurrent_state = self.rnn(self.embedding(previous).unsqueeze(1), recurrent_state)
        logits, weights = self._look(_by_sentence(hidden, memory), _by_sentence(position, memory), memory)
        return logits.flatten(0, 1), weights.flatten(0, 1), (recurrent_state, position + 1)

    def unroll(self, target_in: Tensor, state: tuple[RecurrentState, Tensor], memory: Memory) -> tuple[Tensor, Tensor]:
        recurrent_state, position = state
        hidden, _ = self.rnn(self.embedding(target_in), recurrent_state)  # every h_t
        centres = position.unsqueeze(1) + torch.arange(target_in.size(1), device=target_in.device)
        return self._look(hidden, centres, memory)


class LocalPredictiveDecoder(_LocalDecoder):
    r"""Local attention around a predicted position, local-p (Luong et al., 2015, section 3.2, equations 9 and 10).

    $$p_t = S \cdot \mathrm{sigmoid}(v_p^\top \tanh(W_p h_t)), \qquad
      a_t(s) = \mathrm{align}(h_t, \bar h_s) \exp\left(-\frac{(s - p_t)^2}{2 (D/2)^2}\right)$$

    The align is a softmax over the window $|s - p_t| \le D$; the Gaussian comes after it, so weights need not sum to 1.
    The rest is :class:`~seq2seq.decoders.luong.LuongDecoder`; :meth:`centres` returns the predicted positions.
    `position_size` is the number of rows of $W_p$, the hidden size by default.

    Shape:
        state: as :class:`~seq2seq.decoders.luong.LuongDecoder`
        weights: each row sums to at most 1
        the rest as :class:`~seq2seq.decoders.decoder.Decoder`

    Raises:
        ValueError: the half width $D$ is below 1.
    """

    weigh = staticmethod(gaussian_window_softmax)

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        scorer: Scorer,
        half_width: int,
        cell: str = "gru",
        position_size: int | None = None,
    ) -> None:
        super().__init__(vocab_size, embedding_size, hidden_size, encoder_size, scorer, half_width, cell)
        self.predictor = CentrePredictor(hidden_size, position_size or hidden_size)

    def step(self, previous: Tensor, state: RecurrentState, memory: Memory) -> tuple[Tensor, Tensor, RecurrentState]:
        hidden, state = self.rnn(self.embedding(previous).unsqueeze(1), state)
        hidden = _by_sentence(hidden, memory)
        logits, weights = self._look(hidden, self.predictor(hidden, memory.source_mask), memory)
        return logits.flatten(0, 1), weights.flatten(0, 1), state

    def unroll(self, target_in: Tensor, state: RecurrentState, memory: Memory) -> tuple[Tensor, Tensor]:
        hidden, _ = self.rnn(self.embedding(target_in), state)  # every h_t
        return self._look(hidden, self.predictor(hidden, memory.source_mask), memory)

    def centres(self, target_in: Tensor, state: RecurrentState, memory: Memory) -> Tensor:
        """The centres $p_t$ of a teacher-forced pass, (batch, target_len), counted from 0, between 0 and $S$."""
        hidden, _ = self.rnn(self.embedding(target_in), state)
        return self.predictor(hidden, memory.source_mask)

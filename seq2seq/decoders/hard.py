r"""Decoders that look at one position at a time: hard attention in Luong's wiring."""

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.attention import masked_softmax
from seq2seq.decoders.decoder import Memory, computes_as_written, has_methods_of
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.hard.attention import best_choice, masked_log_softmax
from seq2seq.layers.recurrent import RecurrentState
from seq2seq.scorer import Scorer

_NUMBERS_AT_A_TIME = 2**20  # predictions in memory: 4 MB


class HardAttentionDecoder(LuongDecoder):
    r"""Hard attention (Xu et al., 2015, section 4.1) where Luong et al. (2015, section 3.1) use soft attention.

    $$\alpha_t = \mathrm{softmax}(\mathrm{score}(h_t, \bar h)), \qquad s_t \sim \alpha_t, \qquad
      \tilde h_t = \tanh(W_c [\bar h_{s_t}; h_t]), \qquad p(y_t \mid s_t) = \mathrm{softmax}(W_s \tilde h_t)$$

    Xu et al. feed the drawn position back into the recurrence, so a draw affects all later words.
    Here no state depends on a draw, so each word has its own reward, and :meth:`every_position` computes what each
    position would have given: the exact sum over positions is available to check the estimator, or to train on.

    Decoding draws nothing: ``step`` and ``unroll`` use the position of the largest weight.
    Their weights are the $\alpha_t$, so that a caller sees how certain the choice was.
    The loss determines how it is trained: :mod:`seq2seq.losses.hard`.

    Shape: as :class:`~seq2seq.decoders.luong.LuongDecoder`
        baseline: (), the moving average of the log-likelihood of a word, part of the state dict; a training loss
            updates it, and no prediction depends on it
    """

    weighs_itself = True
    shares_memory = False  # a choice is one row of the memory for each row of states
    baseline: Tensor

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        scorer: Scorer,
        cell: str = "gru",
    ) -> None:
        super().__init__(vocab_size, embedding_size, hidden_size, encoder_size, scorer, cell)
        self.register_buffer("baseline", -torch.tensor(float(vocab_size)).log())  # that of a uniform guess

    def step(self, previous: Tensor, state: RecurrentState, memory: Memory) -> tuple[Tensor, Tensor, RecurrentState]:
        hidden, state = self.rnn(self.embedding(previous).unsqueeze(1), state)
        logits, weights = self._look(hidden, memory)
        return logits.squeeze(1), weights.squeeze(1), state

    def unroll(self, target_in: Tensor, state: RecurrentState, memory: Memory) -> tuple[Tensor, Tensor]:
        hidden, _ = self.rnn(self.embedding(target_in), state)
        return self._look(hidden, memory)

    def _look(self, hidden: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        """Logits and weights of every state (batch, target_len, hidden_size), for the position of largest weight."""
        weights = masked_softmax(
            self.attention.scorer.score_all(hidden, memory.projected_keys), memory.source_mask.unsqueeze(1)
        )
        return self.look(best_choice(weights), hidden, memory), weights

    def decide(self, target_in: Tensor, state: RecurrentState, memory: Memory) -> tuple[Tensor, Tensor]:
        r"""States $h_t$ and log-weights $\log \alpha_t$ of every step: everything before a position is chosen.

        Shape:
            target_in: (batch, target_len), ids, BOS first
            hidden: (batch, target_len, hidden_size)
            log_weights: (batch, target_len, source_len); uniform where the source has no real token
        """
        hidden, _ = self.rnn(self.embedding(target_in), state)
        scores = self.attention.scorer.score_all(hidden, memory.projected_keys)
        return hidden, masked_log_softmax(scores, memory.source_mask.unsqueeze(1))

    def look(self, choice: Tensor, hidden: Tensor, memory: Memory) -> Tensor:
        r"""Logits where the context is the values summed by `choice`: one-hot rows, or weights for soft attention.

        Shape:
            choice: (batch, target_len, source_len)
            hidden: (batch, target_len, hidden_size), $h_t$
            logits: (batch, target_len, target_vocab_size)
        """
        return self.output_layer(self.attentional(torch.bmm(choice, memory.values), hidden))

    def every_position(self, hidden: Tensor, memory: Memory) -> Tensor:
        r"""$\tilde h_t$ for every position that could be chosen, applying each half of $W_c$ once, not once per pair.

        A masked position gives a context of zeros.

        Shape:
            hidden: (batch, target_len, hidden_size), $h_t$
            attentional: (batch, target_len, source_len, hidden_size)
        """
        if not self._can_be_halved():
            values = self._real_values(memory).unsqueeze(1).expand(-1, hidden.size(1), -1, -1)
            return self.attentional(values, hidden.unsqueeze(2).expand(-1, -1, values.size(2), -1))
        from_value, from_state = self._halves(hidden, memory)
        return torch.tanh(from_state.unsqueeze(2) + from_value.unsqueeze(1))

    def some_positions(self, positions: Tensor, hidden: Tensor, memory: Memory) -> Tensor:
        r"""$\tilde h_t$ for a few positions of each step; see :meth:`every_position`.

        Shape:
            positions: (batch, target_len, few), source positions from 0
            attentional: (batch, target_len, few, hidden_size)
        """
        rows = torch.arange(positions.size(0), device=positions.device).view(-1, 1, 1)
        if not self._can_be_halved():
            values = self._real_values(memory)[rows, positions]
            return self.attentional(values, hidden.unsqueeze(2).expand(-1, -1, values.size(2), -1))
        from_value, from_state = self._halves(hidden, memory)
        return torch.tanh(from_state.unsqueeze(2) + from_value[rows, positions])

    def _can_be_halved(self) -> bool:
        """Whether the attentional layer is a product and nothing else."""
        as_written = computes_as_written(self.attentional_layer, nn.Linear, "weight")
        return as_written and has_methods_of(LuongDecoder, self, "attentional")

    def _real_values(self, memory: Memory) -> Tensor:
        return memory.values.masked_fill(~memory.source_mask.unsqueeze(-1), 0.0)

    def _halves(self, hidden: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        """The contributions of the values and of the states to the attentional layer."""
        values = self._real_values(memory)
        by_value, by_state = self.attentional_layer.weight.split([values.size(-1), hidden.size(-1)], dim=1)
        return F.linear(values, by_value), F.linear(hidden, by_state)

    def log_likelihoods(self, attentional: Tensor, target_out: Tensor) -> Tensor:
        r"""$\log p(y_t \mid s_t = i)$ of the true word, for each position $i$ of each step.

        This costs a softmax over the vocabulary for each position.

        Shape:
            attentional: (..., positions, hidden_size), from :meth:`every_position` or :meth:`some_positions`
            target_out: (...), ids
            log_likelihoods: (..., positions)
        """
        words = target_out.unsqueeze(-1).expand(attentional.shape[:-1])
        logits = self.output_layer(attentional).flatten(0, -2)
        return -F.cross_entropy(logits, words.flatten(), reduction="none").view(words.shape)


class MarginalAttentionDecoder(HardAttentionDecoder):
    r"""Hard attention with the position summed out: exact, without sampling (Xu et al., 2015, section 4.1).

    $$p(y_t) = \sum_i \alpha_{ti} \, p(y_t \mid s_t = i)$$

    A mixture of predictions, where soft attention has one prediction from a mixture of states.
    The logits of ``step`` and ``unroll`` are the mixture's log-probabilities.
    A step costs as many softmaxes over the vocabulary as there are positions.
    """

    def _look(self, hidden: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        """Processes as many positions at a time as the memory limit for their predictions allows."""
        scores = self.attention.scorer.score_all(hidden, memory.projected_keys)
        source_mask = memory.source_mask.unsqueeze(1)
        log_weights = masked_log_softmax(scores, source_mask)
        one_position = hidden.size(0) * hidden.size(1) * self.output_layer.out_features
        few = max(1, _NUMBERS_AT_A_TIME // one_position)
        mixture: Tensor | None = None
        attentionals = self.every_position(hidden, memory).split(few, dim=2)
        for attentional, part_weights in zip(attentionals, log_weights.split(few, dim=2), strict=True):
            predictions = torch.log_softmax(self.output_layer(attentional), dim=-1)
            part = torch.logsumexp(part_weights.unsqueeze(-1) + predictions, dim=2)
            mixture = part if mixture is None else torch.logaddexp(mixture, part)
        assert mixture is not None
        return mixture, log_weights.exp().masked_fill(~source_mask, 0.0)

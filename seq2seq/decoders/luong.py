r"""The Luong decoders: attention after the decoder step, without and with input feeding."""

import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from seq2seq.attention import Attention
from seq2seq.decoders.decoder import (
    Bridge,
    Decoder,
    Memory,
    attend_by_sentence,
    attention_by,
    computes_as_written,
    has_methods_of,
)
from seq2seq.device import is_traced
from seq2seq.layers.feeding_steps import FeedingSteps
from seq2seq.layers.recurrent import Lstm, RecurrentState, recurrent_layer
from seq2seq.scorer import Scorer
from seq2seq.scorers import BilinearScorer, DotScorer, ScaledDotScorer


class LuongDecoder(Decoder):
    r"""The global attention model of Luong et al. (2015, section 3.1), with a scorer of your choice.

    $$h_t = \mathrm{RNN}(E y_{t-1}, h_{t-1}), \qquad
      \alpha_t = \mathrm{softmax}(\mathrm{score}(h_t, \bar h)), \qquad c_t = \sum_s \alpha_{ts} \bar h_s$$
    $$\tilde h_t = \tanh(W_c [c_t; h_t]), \qquad p(y_t) = \mathrm{softmax}(W_s \tilde h_t)$$

    The query is the state *after* the step, $h_t$, and the context never enters the recurrence.
    So all states can be computed at once, then all weights, then all predictions: ``unroll`` has no loop.
    The encoder may be unidirectional, as in the paper, or bidirectional.
    The paper copies the encoder's state into the decoder; here a bridge computes the first state.

    Shape:
        state: as ``nn.GRU`` keeps it, (1, batch, hidden_size); with cell="lstm" a pair of these
        the rest as :class:`~seq2seq.decoders.decoder.Decoder`
    """

    shares_memory = True
    weighs_itself = False  # True if the weights are not those of its attention, which is asked for the scorer alone

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        scorer: Scorer,
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(encoder_size)
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)  # on the input word, and on the output layer's input
        self.attention = attention_by(scorer, hidden_size, encoder_size)
        self.bridge = Bridge(encoder_size, hidden_size, cell)
        self.rnn = recurrent_layer(cell, embedding_size, hidden_size)
        self.attentional_layer = nn.Linear(encoder_size + hidden_size, hidden_size, bias=False)  # W_c
        self.output_layer = nn.Linear(hidden_size, vocab_size)  # W_s

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Memory, RecurrentState]:
        if self.weighs_itself and type(self.attention) is not Attention:
            raise TypeError(
                f"attention: got {type(self.attention).__name__}, expected Attention: a {type(self).__name__} weighs "
                "the scores itself, so that another attention would have no effect."
            )
        return Memory(self.attention.scorer.project_keys(states), states, source_mask), self.bridge(final)

    def step(
        self,
        previous: Tensor,
        state: RecurrentState,
        memory: Memory,
    ) -> tuple[Tensor, Tensor, RecurrentState]:
        hidden, state = self.rnn(self.dropout(self.embedding(previous)).unsqueeze(1), state)
        hidden = hidden.squeeze(1)  # h_t
        context, weights = attend_by_sentence(self.attention, hidden, memory)
        return self.output_layer(self.dropout(self.attentional(context, hidden))), weights, state

    def unroll(
        self,
        target_in: Tensor,
        state: RecurrentState,
        memory: Memory,
    ) -> tuple[Tensor, Tensor]:
        hidden, _ = self.rnn(self.dropout(self.embedding(target_in)), state)  # every h_t
        context, weights = self.attention.forward_all(hidden, *memory)
        return self.output_layer(self.dropout(self.attentional(context, hidden))), weights

    def attentional(self, context: Tensor, hidden: Tensor) -> Tensor:
        r"""$\tilde h_t = \tanh(W_c [c_t; h_t])$ (equation 5): context first, then state."""
        return torch.tanh(self.attentional_layer(torch.cat([context, hidden], dim=-1)))


class InputFeedingDecoder(LuongDecoder):
    r"""Luong's decoder with input feeding (Luong et al., 2015, section 3.3).

    $$h_t = \mathrm{RNN}([E y_{t-1}; \tilde h_{t-1}], h_{t-1}), \qquad \tilde h_0 = 0$$

    The step knows where the model looked before; in return, no step can start before the previous one has ended.

    Shape:
        state: the recurrent state of :class:`LuongDecoder`, and $\tilde h_{t-1}$ (batch, hidden_size)
        the rest as :class:`~seq2seq.decoders.decoder.Decoder`
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        scorer: Scorer,
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(vocab_size, embedding_size, hidden_size, encoder_size, scorer, cell, dropout)
        self.rnn = recurrent_layer(cell, embedding_size + hidden_size, hidden_size)

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Memory, tuple[RecurrentState, Tensor]]:
        memory, recurrent_state = super().start(states, final, source_mask)
        return memory, (recurrent_state, final.new_zeros(final.size(0), self.rnn.hidden_size))

    def step(
        self, previous: Tensor, state: tuple[RecurrentState, Tensor], memory: Memory
    ) -> tuple[Tensor, Tensor, tuple[RecurrentState, Tensor]]:
        attentional, weights, state = self._feed(self.dropout(self.embedding(previous)), state, memory)
        return self.output_layer(self.dropout(attentional)), weights, state

    def unroll(self, target_in: Tensor, state: tuple[RecurrentState, Tensor], memory: Memory) -> tuple[Tensor, Tensor]:
        """The loop does only what needs the previous step: cell, attention and attentional layer."""
        embedded = self.dropout(self.embedding(target_in))
        parts = (
            (self.attention.scorer, (DotScorer, ScaledDotScorer, BilinearScorer)),
            (self.attention, Attention),
            (self.rnn, (nn.LSTM, Lstm), "weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"),
            (self.attentional_layer, nn.Linear, "weight"),
        )
        as_written = has_methods_of(InputFeedingDecoder, self, "attentional", "_feed") and not is_traced()
        run = self._run_products if as_written and all(computes_as_written(*part) for part in parts) else self._run
        attentionals, weights = run(embedded, state, memory)
        return self.output_layer(self.dropout(attentionals)), weights

    def _run(
        self,
        embedded: Tensor,
        state: tuple[RecurrentState, Tensor],
        memory: Memory,
    ) -> tuple[Tensor, Tensor]:
        """All attentional states and weights, with any cell and scorer."""
        attentionals, weights = [], []
        for word in embedded.unbind(1):
            attentional, step_weights, state = self._feed(word, state, memory)
            attentionals.append(attentional)
            weights.append(step_weights)
        return torch.stack(attentionals, 1), torch.stack(weights, 1)

    def _run_products(
        self, embedded: Tensor, state: tuple[RecurrentState, Tensor], memory: Memory
    ) -> tuple[Tensor, Tensor]:
        """The same with an LSTM and dot, scaled dot or bilinear scores, faster."""
        (hidden, cell), fed = state
        keys = memory.projected_keys
        if isinstance(self.attention.scorer, ScaledDotScorer):
            keys = keys / math.sqrt(keys.size(-1))
        assert isinstance(self.rnn, nn.LSTM)
        input_weight, state_weight, input_bias, state_bias = self.rnn.all_weights[0]
        word_columns, fed_columns = input_weight.split([embedded.size(-1), fed.size(-1)], dim=1)
        from_words = F.linear(embedded.transpose(0, 1), word_columns, input_bias + state_bias)
        parts = FeedingSteps.apply(
            from_words,
            hidden.squeeze(0),
            cell.squeeze(0),
            fed,
            keys,
            memory.values,
            memory.source_mask,
            fed_columns,
            state_weight,
            self.attentional_layer.weight,
        )
        attentionals, weights = (part.transpose(0, 1) for part in parts)
        return attentionals, weights

    def _feed(
        self, embedded: Tensor, state: tuple[RecurrentState, Tensor], memory: Memory
    ) -> tuple[Tensor, Tensor, tuple[RecurrentState, Tensor]]:
        recurrent_state, fed = state
        entering = torch.cat([embedded, fed], dim=-1).unsqueeze(1)
        hidden, recurrent_state = self.rnn(entering, recurrent_state)
        hidden = hidden.squeeze(1)
        context, weights = attend_by_sentence(self.attention, hidden, memory)
        attentional = self.attentional(context, hidden)
        return attentional, weights, (recurrent_state, attentional)

r"""Decoders that see the source through one vector of fixed size.

Two variants: the vector sets the first state and is not seen again, or it is fed at every step.
"""

import torch
from torch import Tensor, nn

from seq2seq.decoders.decoder import Bridge, Decoder
from seq2seq.decoders.readout import MaxoutReadout
from seq2seq.guards import check_at_least
from seq2seq.layers.recurrent import RecurrentState, recurrent_layer


def beside_every_word(embedded: Tensor, vector: Tensor) -> Tensor:
    r"""$[E y_{i-1}; c]$ for every step i: the same vector after each word.

    (Cho et al., 2014, section 2.2.)

    Shape:
        embedded: (batch, target_len, embedding_size), and vector: (batch, vector_size)
        joined: (batch, target_len, embedding_size + vector_size)
    """
    return torch.cat([embedded, vector.unsqueeze(1).expand(-1, embedded.size(1), -1)], dim=-1)


class InitialStateDecoder(Decoder):
    r"""The fixed vector as first state only (Sutskever et al., 2014, section 2).

    $$s_0 = \tanh(W_s c), \qquad s_i = \mathrm{RNN}(E y_{i-1}, s_{i-1}), \qquad
      p(y_i) = \mathrm{softmax}(W_o s_i)$$

    Every later state must carry what is still to be translated as well as what is needed now.
    The paper copies the encoder's state into the decoder; here a bridge connects them, so sizes may differ.

    Shape: as :class:`~seq2seq.decoders.decoder.Decoder`; there are no weights, and the memory is None.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(encoder_size)
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)  # on the input word, and on the output layer's input
        self.bridge = Bridge(encoder_size, hidden_size, cell)  # W_s
        self.rnn = recurrent_layer(cell, embedding_size, hidden_size)
        self.output_layer = nn.Linear(hidden_size, vocab_size)  # W_o

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[None, RecurrentState]:
        return None, self.bridge(final)

    def step(
        self,
        previous: Tensor,
        state: RecurrentState,
        memory: None,
    ) -> tuple[Tensor, None, RecurrentState]:
        embedded = self.dropout(self.embedding(previous))
        hidden, state = self.rnn(embedded.unsqueeze(1), state)
        return self.output_layer(self.dropout(hidden.squeeze(1))), None, state

    def unroll(
        self,
        target_in: Tensor,
        state: RecurrentState,
        memory: None,
    ) -> tuple[Tensor, None]:
        hidden, _ = self.rnn(self.dropout(self.embedding(target_in)), state)
        return self.output_layer(self.dropout(hidden)), None


class EveryStepDecoder(Decoder):
    r"""The fixed vector fed at every step (Cho et al., 2014, section 2.2 and appendix A).

    $$s_0 = \tanh(W_s c), \qquad s_i = \mathrm{RNN}([E y_{i-1}; c], s_{i-1}), \qquad
      p(y_i) = \mathrm{softmax}(W_o\, g(s_i, E y_{i-1}, c))$$

    The state need not carry the source, but the view of it is the same at every step.
    This is the Bahdanau decoder with $c_i = c$ for all $i$; $g$ is the same maxout readout.
    Cho et al. make $c = \tanh(V h_T)$; that $\tanh(V \cdot)$ is omitted here: the matrices applied to $c$
    replace it, and $h_T$ is already bounded.

    Shape: as :class:`~seq2seq.decoders.decoder.Decoder`; there are no weights, and the memory is the vector $c$,
    (batch, encoder_size).

    Raises:
        ValueError: hidden_size is below 2.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        super().__init__(encoder_size)
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)  # on the input word, and on the output layer's input
        self.bridge = Bridge(encoder_size, hidden_size, cell)  # W_s
        self.rnn = recurrent_layer(cell, embedding_size + encoder_size, hidden_size)
        check_at_least("hidden_size", hidden_size, 2, ", because the readout has half as many numbers")
        self.readout = MaxoutReadout(hidden_size, embedding_size, encoder_size, hidden_size // 2)
        self.output_layer = nn.Linear(hidden_size // 2, vocab_size)  # W_o

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Tensor, RecurrentState]:
        return final, self.bridge(final)

    def step(
        self,
        previous: Tensor,
        state: RecurrentState,
        memory: Tensor,
    ) -> tuple[Tensor, None, RecurrentState]:
        embedded = self.dropout(self.embedding(previous))
        inputs = torch.cat([embedded, memory], dim=-1)
        hidden, state = self.rnn(inputs.unsqueeze(1), state)
        read_out = self.readout(hidden.squeeze(1), embedded, memory)
        return self.output_layer(self.dropout(read_out)), None, state

    def unroll(self, target_in: Tensor, state: RecurrentState, memory: Tensor) -> tuple[Tensor, None]:
        embedded = self.dropout(self.embedding(target_in))
        hidden, _ = self.rnn(beside_every_word(embedded, memory), state)
        context = memory.unsqueeze(1).expand(-1, target_in.size(1), -1)  # the same view at every step
        return self.output_layer(self.dropout(self.readout(hidden, embedded, context))), None

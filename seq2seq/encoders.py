r"""Encoders: from source ids to one state per source word."""

import torch
from torch import Tensor, nn

from seq2seq.device import bounds
from seq2seq.layers.recurrent import recurrent_layer


class Encoder(nn.Module):
    r"""A recurrent encoder, unidirectional or bidirectional.

    (Bahdanau et al., 2015, section 3.2, equation 7, and appendix A.2.1.)

    $$\overrightarrow h_j = \mathrm{RNN}(E x_j, \overrightarrow h_{j-1}), \qquad
      \overleftarrow h_j = \mathrm{RNN}(E x_j, \overleftarrow h_{j+1}), \qquad
      h_j = [\overrightarrow h_j; \overleftarrow h_j]$$

    Both directions share the embedding $E$ and nothing else.

    Padding changes no result.
    The forward direction has read all words before it reaches padding; for the backward direction each sentence is
    reversed within its own length, so that it starts at the last word and reaches padding after the first.
    This equals PyTorch's packed sequences, which take up to twice the time of padded ones on a CPU.

    `final` holds the last state of each direction: $[\overrightarrow h_T; \overleftarrow h_1]$.
    An LSTM's memory cell is not returned; a decoder gets only hidden states.

    Shape:
        source: (batch, source_len), ids
        source_lengths: (batch,), each at least 1
        states: (batch, source_len, directions × hidden_size), 0 at padding
        final: (batch, directions × hidden_size)

    Raises:
        ValueError: there is no such cell, or the lengths do not fit the source.
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        *,
        bidirectional: bool = True,
        cell: str = "gru",
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)
        self.forward_rnn = recurrent_layer(cell, embedding_size, hidden_size)
        self.backward_rnn = recurrent_layer(cell, embedding_size, hidden_size) if bidirectional else None
        self.state_size = hidden_size * (2 if bidirectional else 1)

    def forward(self, source: Tensor, source_lengths: Tensor) -> tuple[Tensor, Tensor]:
        check_lengths(source, source_lengths)
        positions = torch.arange(source.size(1), device=source.device)
        source_mask = positions < source_lengths.unsqueeze(1)
        last = source_lengths.view(-1, 1, 1) - 1  # the position of each row's last word
        embedded = self.dropout(self.embedding(source))

        states, _ = self.forward_rnn(embedded)
        final = states.gather(1, last.expand(-1, -1, states.size(-1))).squeeze(1)  # →h_T
        if self.backward_rnn is not None:
            from_last_to_first, _ = self.backward_rnn(reverse_within_length(embedded, source_lengths))
            backward_states = reverse_within_length(from_last_to_first, source_lengths)
            states = torch.cat([states, backward_states], dim=-1)
            final = torch.cat([final, backward_states[:, 0]], dim=-1)  # ←h_1
        return states * source_mask.unsqueeze(-1), final


def reverse_within_length(values: Tensor, lengths: Tensor) -> Tensor:
    """Each row's real positions in reverse order, its padding left in place: a b c – – → c b a – –.

    Shape:
        values: (batch, source_len, size)
        lengths: (batch,)
    """
    positions = torch.arange(values.size(1), device=values.device)
    mirrored = lengths.unsqueeze(1) - 1 - positions
    index = torch.where(mirrored >= 0, mirrored, positions)
    return values.gather(1, index.unsqueeze(-1).expand_as(values))


def join_directions(
    forward_states: Tensor,
    backward_states: Tensor,
    source_lengths: Tensor,
) -> tuple[Tensor, Tensor]:
    r"""One state per word from both directions, and the last state of each (Bahdanau et al., 2015, equation 7).

    $$h_j = [\overrightarrow h_j; \overleftarrow h_j], \qquad
      \mathrm{final} = [\overrightarrow h_T; \overleftarrow h_1]$$

    $T$ is the length of the sentence, which in a batch is not the last position; position 1 is index 0.

    Shape:
        forward_states: (batch, source_len, hidden_size), any numbers at padding
        backward_states: (batch, source_len, hidden_size), in the order of the words, any numbers at padding
        source_lengths: (batch,), each at least 1
        states: (batch, source_len, 2 × hidden_size), 0 at padding
        final: (batch, 2 × hidden_size)
    """
    positions = torch.arange(forward_states.size(1), device=source_lengths.device)
    source_mask = positions < source_lengths.unsqueeze(1)
    rows = torch.arange(forward_states.size(0), device=source_lengths.device)
    states = torch.cat([forward_states, backward_states], dim=-1)
    states = states * source_mask.unsqueeze(-1)
    forward_end = forward_states[rows, source_lengths - 1]
    final = torch.cat([forward_end, backward_states[:, 0]], dim=-1)
    return states, final


def check_lengths(source: Tensor, source_lengths: Tensor) -> None:
    """Reject an empty batch, and lengths that do not fit the source: one per row, each from 1 to source_len."""
    if source.dim() < 2 or source.size(0) == 0:
        raise ValueError(
            f"source: shape {tuple(source.shape)}, expected (batch, source_len), at least one sentence; "
            "a single one is a batch of one: `source.unsqueeze(0)`."
        )
    if source_lengths.shape != source.shape[:1]:
        raise ValueError(
            f"source_lengths: shape {tuple(source_lengths.shape)}, expected (batch={source.size(0)},), "
            "one length per row of source."
        )
    shortest, longest = bounds(source_lengths)
    if not 1 <= shortest <= longest <= source.size(1):
        raise ValueError(
            f"source_lengths: got {shortest} to {longest}, expected 1 to "
            f"source_len={source.size(1)}, the size of source on axis 1."
        )

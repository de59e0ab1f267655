r"""The Bahdanau decoder as its appendix prints it and as its authors' code runs it: other cells, other orders.

:class:`~seq2seq.decoders.bahdanau.BahdanauDecoder` looks, updates, generates.
Sennrich et al. (2017, section 2) name the two orders, and that of the authors' own code: look, generate, update.
"""

import torch
from torch import Tensor

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Memory, attend_by_sentence
from seq2seq.layers.paper_gru import PaperGruCell
from seq2seq.scorer import Scorer

Pending = tuple[Tensor, Tensor, Tensor]  # a state, a context, and whether a word is still to be read with them


def states_before(state: Tensor, states: Tensor) -> Tensor:
    r"""$s_0, \ldots, s_{T-1}$ from $s_0$ (batch, size) and $s_1, \ldots, s_T$ (batch, target_len, size)."""
    return torch.cat([state.unsqueeze(1), states[:, :-1]], dim=1)


class AppendixDecoder(BahdanauDecoder):
    r"""The decoder of Bahdanau et al. (2015) with the gated unit of appendix A.2, in the order of the paper's body.

    $$z_i = \sigma(W_z E y_{i-1} + U_z s_{i-1} + C_z c_i), \qquad r_i = \sigma(W_r E y_{i-1} + U_r s_{i-1} + C_r c_i)$$
    $$\tilde s_i = \tanh(W E y_{i-1} + U [r_i \circ s_{i-1}] + C c_i), \qquad
      s_i = (1 - z_i) \circ s_{i-1} + z_i \circ \tilde s_i$$

    It differs from :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder` only in the cell, and is slower: its loop is
    recorded operation by operation.
    The appendix omits biases from its equations; here they are included, and start at 0.
    Its readout prints $s_{i-1}$; as in the other class this is $s_i$, after the paper's equation 4.
    So this is not the authors' own model: their code reads out from $s_{i-1}$ and updates the state afterwards, with
    the word just written; that is :class:`AuthorsDecoder`.

    Shape and errors: as :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder`.
    """

    known_cell = (PaperGruCell, "weight_ih", "weight_hh", "bias_ih")

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        scorer: Scorer,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(vocab_size, embedding_size, hidden_size, encoder_size, scorer, dropout)
        self.cell = PaperGruCell(embedding_size + encoder_size, hidden_size)  # type: ignore[assignment]

    def _gates(self, from_input: Tensor, state: Tensor) -> Tensor:
        assert isinstance(self.cell, PaperGruCell)
        return self.cell.gates(from_input, state)


class LookGenerateUpdateDecoder(BahdanauDecoder):
    r"""Look, generate, update: the order of the authors' code (GroundHog, ``experiments/nmt/encdec.py``).

    $$c_i = \sum_j \alpha_{ij} h_j, \qquad p(y_i) = \mathrm{softmax}(W_o\, t(s_{i-1}, E y_{i-1}, c_i)), \qquad
      s_i = \mathrm{GRU}([E y_i; c_i], s_{i-1})$$

    The readout takes $s_{i-1}$, as the appendix prints it (Bahdanau et al., 2015, appendix A.2.2).
    The cell reads the word just written together with the context it was written from, so $s_{i-1}$ has read
    $y_{i-1}$ before attention; in the order of the paper's body it has not.
    There, the cell reads $y_{i-1}$ after attention.
    GroundHog has zeros where this class has the embedding of BOS, and no update before the first word either.

    Shape:
        state: the state that has not read the previous word yet, (batch, hidden_size); the context from which that
            word was written, (batch, encoder_size); and whether there is such a word, (batch,), bool
        the rest as :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder`
    """

    def start(self, states: Tensor, final: Tensor, source_mask: Tensor) -> tuple[Memory, Pending]:
        memory, state = super().start(states, final, source_mask)
        return memory, (state, torch.zeros_like(final), torch.zeros(len(final), dtype=torch.bool, device=final.device))

    def step(self, previous: Tensor, state: Pending, memory: Memory) -> tuple[Tensor, Tensor, Pending]:
        embedded = self.dropout(self.embedding(previous))
        before, context, has_begun = state
        updated = self.cell(torch.cat([embedded, context], dim=-1), before)
        hidden = torch.where(has_begun.unsqueeze(-1), updated, before)
        context, weights = attend_by_sentence(self.attention, hidden, memory)
        logits = self.output_layer(self.dropout(self.readout(hidden, embedded, context)))
        return logits, weights, (hidden, context, torch.ones_like(has_begun))

    def unroll(self, target_in: Tensor, state: Pending, memory: Memory) -> tuple[Tensor, Tensor]:
        """The recurrence of the other order, with each word read one step earlier."""
        first, *_ = state
        embedded = self.dropout(self.embedding(target_in))
        entering = torch.cat([embedded[:, 1:], embedded[:, -1:]], dim=1)  # the last input has no effect on the output
        states, contexts, weights = self._recur(entering, first, memory)
        readout = self.readout(states_before(first, states), embedded, contexts)
        return self.output_layer(self.dropout(readout)), weights


class EarlyReadoutDecoder(BahdanauDecoder):
    r"""The state update of the paper's body with the readout that the appendix prints, both exactly as printed.

    $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1}), \qquad
      p(y_i) = \mathrm{softmax}(W_o\, t(s_{i-1}, E y_{i-1}, c_i))$$

    (Bahdanau et al., 2015, appendix A.2.2.)
    None of the authors' code does this: the query is a state that has not read $y_{i-1}$, and the readout sees that
    word only through its embedding.
    """

    def step(self, previous: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        embedded = self.dropout(self.embedding(previous))
        context, weights = attend_by_sentence(self.attention, state, memory)
        logits = self.output_layer(self.dropout(self.readout(state, embedded, context)))
        return logits, weights, self.cell(torch.cat([embedded, context], dim=-1), state)

    def unroll(self, target_in: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor]:
        embedded = self.dropout(self.embedding(target_in))
        states, contexts, weights = self._recur(embedded, state, memory)
        readout = self.readout(states_before(state, states), embedded, contexts)
        return self.output_layer(self.dropout(readout)), weights


class AuthorsDecoder(LookGenerateUpdateDecoder, AppendixDecoder):
    """The authors' order with the gated unit that their appendix prints: the model behind their tables.

    Its readout is a maxout layer, like theirs; like their code, it adds biases to the appendix's equations.

    Shape: as :class:`LookGenerateUpdateDecoder`
    """

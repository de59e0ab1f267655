r"""The Bahdanau decoder, attention between two decoder states, and what most public code under that name computes."""

from collections.abc import Callable

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
from seq2seq.decoders.readout import Concatenation, MaxoutReadout
from seq2seq.device import is_traced
from seq2seq.guards import check_at_least
from seq2seq.layers.bahdanau_steps import BahdanauSteps
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer


class BahdanauDecoder(Decoder):
    r"""The decoder of Bahdanau et al. (2015, section 3.1 and appendix A), with a scorer of your choice.

    $$s_0 = \tanh(W_s \overleftarrow h_1)$$
    $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j$$
    $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1}), \qquad p(y_i) = \mathrm{softmax}(W_o\, t(s_i, E y_{i-1}, c_i))$$

    The query is the state *before* the step, $s_{i-1}$; the previous word and the context both enter the cell; the
    readout $t$ is a maxout layer.
    The paper's scorer is :class:`~seq2seq.scorers.AdditiveScorer`; wiring and scorer are separate choices.

    The cell is PyTorch's GRU, which differs from the paper's in two points: its update gate is $1 - z$, and its reset
    gate acts after the matrix $U$ instead of before it.

    Shape:
        final: (batch, encoder_size), forward half first; encoder_size even, as the encoder is bidirectional
        state: (batch, hidden_size), $s_{i-1}$
        the rest as :class:`~seq2seq.decoders.decoder.Decoder`

    Raises:
        ValueError: encoder_size is odd, so it has no backward half, or hidden_size is below 2.
    """

    needs_both_directions = True
    shares_memory = True
    known_cell: tuple = (nn.GRUCell, "weight_ih", "weight_hh", "bias_ih", "bias_hh")  # whose step is `_gates`
    readout: nn.Module

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        hidden_size: int,
        encoder_size: int,
        scorer: Scorer,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(encoder_size)
        if encoder_size % 2:
            raise ValueError(f"encoder_size: got {encoder_size}, expected an even number: forward and backward halves.")
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)  # on the input word, and on the readout
        self.attention = attention_by(scorer, hidden_size, encoder_size)
        self.bridge = Bridge(encoder_size // 2, hidden_size)  # W_s
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)
        check_at_least("hidden_size", hidden_size, 2, ", because the readout has half as many numbers")
        self.readout = MaxoutReadout(hidden_size, embedding_size, encoder_size, hidden_size // 2)
        self.output_layer = nn.Linear(hidden_size // 2, vocab_size)  # W_o

    def start(
        self,
        states: Tensor,
        final: Tensor,
        source_mask: Tensor,
    ) -> tuple[Memory, Tensor]:
        backward_at_first_word = final[:, final.size(1) // 2 :]  # ←h_1
        memory = Memory(self.attention.scorer.project_keys(states), states, source_mask)
        return memory, self.bridge(backward_at_first_word).squeeze(0)

    def step(self, previous: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        embedded = self.dropout(self.embedding(previous))
        context, weights = attend_by_sentence(self.attention, state, memory)
        state = self.cell(torch.cat([embedded, context], dim=-1), state)
        return self.output_layer(self.dropout(self.readout(state, embedded, context))), weights, state

    def unroll(
        self,
        target_in: Tensor,
        state: Tensor,
        memory: Memory,
    ) -> tuple[Tensor, Tensor]:
        """The loop does only what needs the previous state: attention and cell.

        The words' share of the cell's input is computed before the loop for all steps at once, readout and output
        layer after it.
        """
        embedded = self.dropout(self.embedding(target_in))
        states, contexts, weights = self._recur(embedded, state, memory)
        readout = self.readout(states, embedded, contexts)
        return self.output_layer(self.dropout(readout)), weights

    def _recur(self, entering: Tensor, state: Tensor, memory: Memory) -> tuple[Tensor, Tensor, Tensor]:
        """All states, contexts and weights for the input words `entering`, by the fastest method."""
        if not computes_as_written(self.cell, *self.known_cell):
            return self._run(entering, state, memory, lambda *read: self.cell(torch.cat(read[:2], dim=-1), read[2]))
        sizes = [entering.size(-1), memory.values.size(-1)]
        word_columns, context_columns = self.cell.weight_ih.split(sizes, dim=1)
        from_words = F.linear(entering, word_columns, self.cell.bias_ih)
        if self._is_additive() and not is_traced():
            return self._run_additive(from_words, state, memory, context_columns)

        def advance(from_word: Tensor, context: Tensor, last: Tensor) -> Tensor:
            return self._gates(from_word + F.linear(context, context_columns), last)

        return self._run(from_words, state, memory, advance)

    def _is_additive(self) -> bool:
        """Whether the loop that is written out computes what the parts do; the cell has been asked."""
        scorer = self.attention.scorer
        parts: list[tuple] = [(self.attention, Attention), (scorer, AdditiveScorer)]
        if type(scorer) is AdditiveScorer:
            parts += [(layer, nn.Linear, "weight") for layer in (scorer.query_layer, scorer.energy_layer)]
        return has_methods_of(BahdanauDecoder, self, "_gates") and all(computes_as_written(*part) for part in parts)

    def _run(
        self, words: Tensor, state: Tensor, memory: Memory, advance: Callable[[Tensor, Tensor, Tensor], Tensor]
    ) -> tuple[Tensor, Tensor, Tensor]:
        """All states, contexts and weights, with any scorer; `advance` is the cell, of word, context and state."""
        steps = []
        for word in words.unbind(1):
            context, weights = self.attention(state, *memory)
            state = advance(word, context, state)
            steps.append((state, context, weights))
        states, contexts, weights = (torch.stack(parts, 1) for parts in zip(*steps, strict=True))
        return states, contexts, weights

    def _run_additive(
        self, from_words: Tensor, state: Tensor, memory: Memory, context_columns: Tensor
    ) -> tuple[Tensor, Tensor, Tensor]:
        """The same with additive scores, faster."""
        scorer = self.attention.scorer
        assert isinstance(scorer, AdditiveScorer)
        parts = BahdanauSteps.apply(
            from_words.transpose(0, 1),
            state,
            *memory,
            scorer.query_layer.weight,
            scorer.energy_layer.weight,
            context_columns,
            self.cell.weight_hh,
            self.cell.bias_hh,
        )
        states, contexts, weights = (part.transpose(0, 1) for part in parts)
        return states, contexts, weights

    def _gates(self, from_input: Tensor, state: Tensor) -> Tensor:
        r"""The GRU of ``self.cell`` from its precomputed input part $W x + b$, (batch, 3 × hidden_size)."""
        from_state = F.linear(state, self.cell.weight_hh, self.cell.bias_hh)
        reset_input, update_input, new_input = from_input.chunk(3, dim=-1)
        reset_state, update_state, new_state = from_state.chunk(3, dim=-1)
        reset = torch.sigmoid(reset_input + reset_state)
        update = torch.sigmoid(update_input + update_state)
        new = torch.tanh(new_input + reset * new_state)
        return torch.lerp(new, state, update)  # (1 - update) ∘ new + update ∘ state


class SimplifiedBahdanauDecoder(BahdanauDecoder):
    r"""The simplified variant of Bahdanau et al. (2015), with a scorer of your choice; not the paper's decoder.

    $$s_0 = \tanh(W_s [\overrightarrow h_T; \overleftarrow h_1])$$
    $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j$$
    $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1}), \qquad
      p(y_i) = \mathrm{softmax}(W_o [s_i; c_i; E y_{i-1}])$$

    Line by line, what it keeps of appendix A of the paper, and where it departs from it:

    - First state: the paper uses the backward state at word 1 alone (A.2.2); here the last states of both directions
      are joined. A departure.
    - Score: the state before the step, $s_{i-1}$, is scored against each key (A.1.2, A.2.2). As in the paper. Some
      public code puts $W$ and $U$ in one layer over $[s_{i-1}; h_j]$; that is the same function, but the keys are then
      projected again at every step, and the layer often has a bias, unlike the paper's.
    - Context: the weighted sum of the encoder states (equation 5). As in the paper.
    - Cell: word and context enter a GRU (A.2.2). As in the paper, except for the two points of PyTorch's GRU that
      :class:`BahdanauDecoder` lists.
    - Output: the paper has a maxout layer of pairs before the output layer (A.2.2, a deep output); here the output
      layer reads state, context and word directly, so the logits are linear in them. A departure. The matrix is larger
      (state, context and word sizes together by the vocabulary), and the readout has no maxima.
    - Attention over the source is masked here; in much public code it is not.

    Shape: as :class:`BahdanauDecoder`.

    Raises:
        ValueError: encoder_size is odd, so it has no two halves.
    """

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
        self.bridge = Bridge(encoder_size, hidden_size)  # W_s, over both halves
        self.readout = Concatenation()
        self.output_layer = nn.Linear(hidden_size + encoder_size + embedding_size, vocab_size)  # W_o

    def start(
        self,
        states: Tensor,
        final: Tensor,
        source_mask: Tensor,
    ) -> tuple[Memory, Tensor]:
        memory = Memory(self.attention.scorer.project_keys(states), states, source_mask)
        return memory, self.bridge(final).squeeze(0)

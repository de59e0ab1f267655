r"""The simplified Bahdanau decoder: what most public code under the name of Bahdanau et al. (2015) computes."""

import torch
from torch import Tensor, nn

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.bridge import Bridge
from seq2seq.decoders.decoder import Memory
from seq2seq.scorer import Scorer


class Concatenation(nn.Module):
    r"""A readout without the maxout layer: the three vectors side by side, $[s_i; c_i; E y_{i-1}]$.

    Shape:
        state: (..., state_size)
        embedded: (..., embedding_size)
        context: (..., context_size)
        readout: (..., state_size + context_size + embedding_size)
    """

    def forward(self, state: Tensor, embedded: Tensor, context: Tensor) -> Tensor:
        return torch.cat([state, context, embedded], dim=-1)


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
      :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder` lists.
    - Output: the paper has a maxout layer of pairs before the output layer (A.2.2, a deep output); here the output
      layer reads state, context and word directly, so the logits are linear in them. A departure. The matrix is larger
      (state, context and word sizes together by the vocabulary), and the readout has no maxima.
    - Attention over the source is masked here; in much public code it is not.

    Shape: as :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder`.

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

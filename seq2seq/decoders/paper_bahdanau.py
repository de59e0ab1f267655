r"""The Bahdanau decoder with the gated unit that its appendix prints."""

from torch import Tensor

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.layers.paper_gru import PaperGruCell
from seq2seq.scorer import Scorer


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
    the word just written; that is :class:`~seq2seq.decoders.orders.AuthorsDecoder`.

    Shape and errors: as :class:`~seq2seq.decoders.bahdanau.BahdanauDecoder`.
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
        self.cell = PaperGruCell(embedding_size + encoder_size, hidden_size)  # type: ignore[assignment]

    def _gates(self, from_input: Tensor, state: Tensor) -> Tensor:
        assert isinstance(self.cell, PaperGruCell)
        return self.cell.gates(from_input, state)

r"""The bridge from encoder to decoder: the decoder's first state."""

import torch
from torch import Tensor, nn

from seq2seq.layers.recurrent import RecurrentState


class Bridge(nn.Module):
    r"""From a summary of the source to the decoder's first state.

    $$s_0 = \tanh(W_s h)$$

    The decoder chooses $h$: the backward state at word 1 for Bahdanau et al. (2015, appendix A.2.2), the fixed
    vector for Cho et al. (2014).
    An LSTM's memory cell starts the same way, with its own matrix.
    A bridge lets encoder and decoder differ in size; papers that copy the state need them equal.

    Shape:
        summary: (batch, summary_size)
        state: (1, batch, hidden_size), layer first as ``nn.GRU`` expects; with cell="lstm" a pair of these
    """

    def __init__(self, summary_size: int, hidden_size: int, cell: str = "gru") -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(summary_size, hidden_size)  # W_s
        self.memory_layer = nn.Linear(summary_size, hidden_size) if cell == "lstm" else None

    def forward(self, summary: Tensor) -> RecurrentState:
        hidden = torch.tanh(self.hidden_layer(summary)).unsqueeze(0)
        if self.memory_layer is None:
            return hidden
        return hidden, torch.tanh(self.memory_layer(summary)).unsqueeze(0)

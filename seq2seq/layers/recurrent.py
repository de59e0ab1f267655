"""Recurrent layers by name, for encoders and decoders."""

from torch import Tensor, nn

from seq2seq.layers.gru import Gru
from seq2seq.layers.paper_gru import PaperGru
from seq2seq.layers.precision import in_type_of_weights


class Rnn(nn.RNN):
    """``nn.RNN``, in the type of its weights under autocast too."""

    forward = in_type_of_weights(nn.RNN.forward)


class Lstm(nn.LSTM):
    """``nn.LSTM``, in the type of its weights under autocast too."""

    forward = in_type_of_weights(nn.LSTM.forward)


CELLS = {"rnn": Rnn, "gru": Gru, "lstm": Lstm, "paper_gru": PaperGru}
Recurrent = nn.RNN | nn.GRU | nn.LSTM | PaperGru
RecurrentState = Tensor | tuple[Tensor, Tensor]  # RNN, GRU: hidden state; LSTM: hidden state and memory cell


def recurrent_layer(cell: str, input_size: int, hidden_size: int) -> Recurrent:
    r"""One layer of the named cell, batch first.

    "rnn" is the simple network without gates (Elman, 1990), $s_i = \tanh(W x_i + U s_{i-1} + b)$; "gru" is the unit of
    Cho et al. (2014) with PyTorch's placement of the reset gate, "paper_gru" with the paper's; "lstm" is that of
    Hochreiter and Schmidhuber (1997) with the forget gate of Gers et al. (2000).

    Raises:
        ValueError: the cell is not "rnn", "gru", "paper_gru" or "lstm".
    """
    if cell not in CELLS:
        raise ValueError(f"cell: got {cell!r}, expected one of {sorted(CELLS)}.")
    return CELLS[cell](input_size, hidden_size, batch_first=True)

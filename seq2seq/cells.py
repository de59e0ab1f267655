"""Recurrent layers by name, for encoders and decoders alike."""

from torch import Tensor, nn

from seq2seq.gru import Gru

CELLS = {"gru": Gru, "lstm": nn.LSTM}
RecurrentState = Tensor | tuple[Tensor, Tensor]  # GRU: hidden state; LSTM: hidden state and memory cell


def recurrent_layer(cell: str, input_size: int, hidden_size: int) -> nn.GRU | nn.LSTM:
    """One layer of the named cell, batch first.

    Raises:
        ValueError: the cell is not "gru" or "lstm".
    """
    if cell not in CELLS:
        raise ValueError(f"cell: got {cell!r}, expected one of {sorted(CELLS)}.")
    return CELLS[cell](input_size, hidden_size, batch_first=True)

"""Answers to the encoder that reads both ways."""

TASK, CHECKS, PARTS = "encoder", "both_ways", ("Encoder",)

SETUP = """\
from seq2seq.encoders import reverse_within_length

class Frame(nn.Module):
    def __init__(self, vocab_size, embedding_size, hidden_size, bidirectional=True, cell="gru", dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)
        self.forward_rnn = recurrent_layer(cell, embedding_size, hidden_size)
        self.backward_rnn = recurrent_layer(cell, embedding_size, hidden_size)
        self.state_size = 2 * hidden_size
"""

EMBED = "embedded = self.dropout(self.embedding(source))"
MASK = "real = (torch.arange(source.size(1)) < source_lengths.unsqueeze(1)).unsqueeze(-1)"
FORWARD = "forward, _ = self.forward_rnn(embedded)"
TURN = "turned = reverse_within_length(embedded, source_lengths)"
BACKWARD = "backward = reverse_within_length(self.backward_rnn(turned)[0], source_lengths)"
JOIN = "states = torch.cat([forward, backward], -1) * real"
ROWS = "rows = torch.arange(len(source))"
FINAL = "final = torch.cat([forward[rows, source_lengths - 1], backward[:, 0]], -1)"
RETURN = "return states, final"
LINES = {
    "embed": EMBED,
    "mask": MASK,
    "forward": FORWARD,
    "turn": TURN,
    "backward": BACKWARD,
    "join": JOIN,
    "rows": ROWS,
    "final": FINAL,
    "return": RETURN,
}


def encoder(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"class Encoder(Frame):\n    def forward(self, source, source_lengths):\n{body}"


def but(**changed: str) -> str:
    """The right answer with some lines changed."""
    return encoder(*(LINES | {key.rstrip("_"): line for key, line in changed.items()}).values())


WRONG = [
    (
        "whole rows reversed",
        "visible",
        ("states", "begins in the padding"),
        but(turn="turned = embedded.flip(1)", backward="backward = self.backward_rnn(turned)[0].flip(1)"),
    ),
    (
        "PyTorch's own two directions",
        "visible",
        "begins in the padding",
        but(
            turn="layer = nn.GRU(embedded.size(-1), forward.size(-1), batch_first=True, bidirectional=True)",
            backward="backward = self.backward_rnn(embedded.flip(1))[0].flip(1)",
        ),
    ),
    (
        "backward states not turned back",
        "visible",
        "left in reading order",
        but(backward="backward = self.backward_rnn(turned)[0]"),
    ),
    (
        "both read forward",
        "visible",
        "both directions read from first to last",
        but(turn="turned = embedded", backward="backward = self.backward_rnn(turned)[0]"),
    ),
    ("halves exchanged", "visible", "forward first", but(join="states = torch.cat([backward, forward], -1) * real")),
    (
        "one layer for both",
        "visible",
        "weights of its own",
        but(backward="backward = reverse_within_length(self.forward_rnn(turned)[0], source_lengths)"),
    ),
    (
        "padding has states",
        "visible",
        "a state at padding is no state of a word",
        but(join="states = torch.cat([forward, backward], -1)"),
    ),
    (
        "directions added",
        "visible",
        ("shape (4, 5, 3)", "one direction only"),
        but(join="states = (forward + backward) * real"),
    ),
    (
        "final of the last word",
        "visible",
        ("final", "where it has read that word alone"),
        but(final="final = states[rows, source_lengths - 1]"),
    ),
    (
        "final of the last column",
        "visible",
        "both halves come from the last column",
        but(final="final = states[:, -1]"),
    ),
    ("final of the first word", "visible", "both halves come from word 1", but(final="final = states[:, 0]")),
    (
        "final of the layer",
        "visible",
        "the forward half comes from the last column",
        but(final="final = torch.cat([self.forward_rnn(embedded)[1][0], backward[:, 0]], -1)"),
    ),
    (
        "final from masked states",
        "visible",
        "where the states are 0",
        but(final="final = torch.cat([(forward * real)[:, -1], backward[:, 0]], -1)"),
    ),
    (
        "final exchanged",
        "visible",
        ("final", "the halves are exchanged"),
        but(final="final = torch.cat([backward[:, 0], forward[rows, source_lengths - 1]], -1)"),
    ),
    (
        "the mean",
        "visible",
        "the mean of the states",
        but(final="final = states.sum(1) / source_lengths.unsqueeze(1)"),
    ),
    (
        "final with the axis of layers",
        "visible",
        "the axis of layers",
        but(**{"return": "return states, final.unsqueeze(0)"}),
    ),
    ("states alone", "visible", ("(states, final)", "in this order"), but(**{"return": "return states"})),
    (
        "lengths counted from one",
        "visible",
        "the word before the last",
        but(final="final = torch.cat([forward[rows, (source_lengths - 2).clamp(0)], backward[:, 0]], -1)"),
    ),
    (
        "cut off",
        "visible",
        "cut off from autograd",
        but(**{"return": "return states.detach(), final"}),
    ),
    (
        "squeezed",
        "hidden",
        ("final", "a bare `.squeeze()`"),
        but(**{"return": "return states, final.squeeze()"}),
    ),
    (
        "columns of padding cut",
        "visible",
        "as many states as the source has columns",
        but(**{"return": "return states[:, : int(source_lengths.max())], final"}),
    ),
    (
        "a mask in place",
        "visible",
        ("source_lengths", "changed in place"),
        but(
            rows="rows = torch.arange(len(source)); source_lengths -= 1",
            final=FINAL.replace("source_lengths - 1", "source_lengths"),
        ),
    ),
]

RIGHT = [
    ("as in the library", but()),
    (
        "packed sentences",
        encoder(
            "pack = nn.utils.rnn.pack_padded_sequence",
            "unpack = nn.utils.rnn.pad_packed_sequence",
            "def read(layer, embedded):",
            "    packed = pack(embedded, source_lengths, batch_first=True, enforce_sorted=False)",
            "    states, last = layer(packed)",
            "    return unpack(states, batch_first=True, total_length=source.size(1))[0], last[0]",
            EMBED,
            "forward, at_end = read(self.forward_rnn, embedded)",
            "backward, at_start = read(self.backward_rnn, reverse_within_length(embedded, source_lengths))",
            "backward = reverse_within_length(backward, source_lengths)",
            "return torch.cat([forward, backward], -1), torch.cat([at_end, at_start], -1)",
        ),
    ),
    (
        "a sentence at a time",
        encoder(
            "states, finals = [], []",
            "for ids, length in zip(source, source_lengths.tolist()):",
            "    words = self.embedding(ids[:length]).unsqueeze(0)",
            "    forward, at_end = self.forward_rnn(words)",
            "    backward, at_start = self.backward_rnn(words.flip(1))",
            "    both = torch.cat([forward, backward.flip(1)], -1)[0]",
            "    states.append(F.pad(both, (0, 0, 0, source.size(1) - length)))",
            "    finals.append(torch.cat([at_end[0, 0], at_start[0, 0]]))",
            "return torch.stack(states), torch.stack(finals)",
        ),
    ),
    (
        "the index by hand",
        but(
            turn="index = (source_lengths.unsqueeze(1) - 1 - torch.arange(source.size(1))) % source.size(1)",
            backward="rows = torch.arange(len(source)).unsqueeze(1); turned = embedded[rows, index]",
            join="backward = self.backward_rnn(turned)[0][rows, index]; " + JOIN,
        ),
    ),
]

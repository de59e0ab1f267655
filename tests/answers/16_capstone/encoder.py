"""Answers to the encoder that reads both ways."""

import inspect

from seq2seq.encoders import reverse_within_length

TASK = "encoder"

# Written out, as in the released cell: a notebook cannot import it.
SETUP = f"""\
{inspect.getsource(reverse_within_length)}

class Frame(nn.Module):
    def __init__(self, vocab_size, embedding_size, hidden_size, bidirectional=True, cell="gru", dropout=0.0):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.dropout = nn.Dropout(dropout)
        self.forward_rnn = recurrent_layer(cell, embedding_size, hidden_size)
        self.backward_rnn = recurrent_layer(cell, embedding_size, hidden_size)
        self.state_size = 2 * hidden_size
"""

LINES = {
    "embed": "embedded = self.dropout(self.embedding(source))",
    "mask": "real = (torch.arange(source.size(1)) < source_lengths.unsqueeze(1)).unsqueeze(-1)",
    "forward": "forward, _ = self.forward_rnn(embedded)",
    "turn": "turned = reverse_within_length(embedded, source_lengths)",
    "backward": "backward = reverse_within_length(self.backward_rnn(turned)[0], source_lengths)",
    "join": "states = torch.cat([forward, backward], -1) * real",
    "rows": "rows = torch.arange(len(source))",
    "final": "final = torch.cat([forward[rows, source_lengths - 1], backward[:, 0]], -1)",
    "give": "return states, final",
}


def encoder(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"class Encoder(Frame):\n    def forward(self, source, source_lengths):\n{body}"


def but(**changed: str) -> str:
    """The right answer with some lines changed."""
    return encoder(*(LINES | changed).values())


WRONG = [
    ("rows turned by hand, padding first", "from_padding",
     but(turn="turned = embedded.flip(1)", backward="backward = self.backward_rnn(turned)[0].flip(1)")),
    ("states alone", "results", but(give="return states")),
    ("cut off", "no_gradient", but(give="return states.detach(), final")),
    ("a dropout of its own", "random", but(embed="embedded = F.dropout(self.embedding(source), 0.5)")),
]

RIGHT = [
    ("as in the library", but()),
    ("a sentence at a time",
        encoder("states, finals = [], []", "for ids, length in zip(source, source_lengths.tolist()):",
                "    words = self.embedding(ids[:length]).unsqueeze(0)",
                "    forward, at_end = self.forward_rnn(words)",
                "    backward, at_start = self.backward_rnn(words.flip(1))",
                "    both = torch.cat([forward, backward.flip(1)], -1)[0]",
                "    states.append(F.pad(both, (0, 0, 0, source.size(1) - length)))",
                "    finals.append(torch.cat([at_end[0, 0], at_start[0, 0]]))",
                "return torch.stack(states), torch.stack(finals)")),
    ("the index by hand",
        but(
            turn="index = (source_lengths.unsqueeze(1) - 1 - torch.arange(source.size(1))) % source.size(1)",
            backward="rows = torch.arange(len(source)).unsqueeze(1); turned = embedded[rows, index]",
            join=f"backward = self.backward_rnn(turned)[0][rows, index]; {LINES['join']}",
        )),
]

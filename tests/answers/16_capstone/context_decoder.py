"""Answers to the decoder that is handed its context."""

TASK = "context_decoder"

SETUP = """\
class Frame(nn.Module):
    def __init__(self, vocab_size, embedding_size, hidden_size, encoder_size):
        super().__init__()
        self.embedding = nn.Embedding(vocab_size, embedding_size)
        self.bridge = nn.Linear(encoder_size // 2, hidden_size)
        self.cell = nn.GRUCell(embedding_size + encoder_size, hidden_size)
        self.readout = MaxoutReadout(hidden_size, embedding_size, encoder_size, hidden_size // 2)
        self.output_layer = nn.Linear(hidden_size // 2, vocab_size)
"""

START = "return torch.tanh(self.bridge(final[:, final.size(1) // 2 :]))"
WORD = "embedded = self.embedding(previous)"
CELL = "state = self.cell(torch.cat([embedded, context], -1), state)"
RETURN = "return self.output_layer(self.readout(state, embedded, context)), state"


def decoder(*step: str, start: str = START) -> str:
    body = "".join(f"        {line}\n" for line in step or (WORD, CELL, RETURN))
    return (
        f"class ContextDecoder(Frame):\n    def start(self, final):\n        {start}\n\n"
        f"    def step(self, previous, state, context):\n{body}"
    )


WRONG = [
    ("both halves", "raised.RuntimeError", decoder(start="return torch.tanh(self.bridge(final))")),
    ("logits alone", "results", decoder(WORD, CELL, RETURN.removesuffix(", state"))),
    (
        "readout of word and state exchanged",
        "change",
        decoder(WORD, CELL, "return self.output_layer(self.readout(embedded, state, context)), state"),
    ),
    ("readout forgotten", "raised.RuntimeError", decoder(WORD, CELL, "return self.output_layer(state), state")),
    (
        "detached state",
        "gradient | no_gradient",
        decoder(WORD, "state = self.cell(torch.cat([embedded, context], -1), state.detach())", RETURN),
    ),
    (
        "a state of its own",
        "remembers",
        decoder(
            WORD,
            "self.state = state if not hasattr(self, 'state') else self.state",
            "state = self.cell(torch.cat([embedded, context], -1), self.state)",
            RETURN,
        ),
    ),
]

RIGHT = [
    ("as in the library", decoder()),
    ("chunk", decoder(start="return self.bridge(final.chunk(2, dim=-1)[1]).tanh()")),
    (
        "functional layers",
        decoder(
            "embedded = F.embedding(previous, self.embedding.weight)",
            "state = self.cell(torch.hstack([embedded, context]), state)",
            "read = self.readout(state, embedded, context)",
            "return F.linear(read, self.output_layer.weight, self.output_layer.bias), state",
            start="return F.linear(final[:, -(final.size(1) // 2) :], self.bridge.weight, self.bridge.bias).tanh()",
        ),
    ),
    (
        "the cell by hand",
        decoder(
            WORD,
            "inputs = F.linear(torch.cat([embedded, context], -1), self.cell.weight_ih, self.cell.bias_ih)",
            "states = F.linear(state, self.cell.weight_hh, self.cell.bias_hh)",
            "(a, b, c), (d, e, f) = inputs.chunk(3, -1), states.chunk(3, -1)",
            "reset, update = torch.sigmoid(a + d), torch.sigmoid(b + e)",
            "state = (1 - update) * torch.tanh(c + reset * f) + update * state",
            RETURN,
        ),
    ),
    (
        "maxima by hand",
        decoder(
            WORD,
            CELL,
            "pairs = self.readout.layer(torch.cat([state, embedded, context], -1))",
            "return self.output_layer(torch.maximum(pairs[:, ::2], pairs[:, 1::2])), state",
        ),
    ),
]

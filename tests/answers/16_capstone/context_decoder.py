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
    ("a word of 0 for marks", "hidden: values",
     decoder(f"{WORD} * (previous > UNK).unsqueeze(1)", CELL, RETURN)),
    ("logits alone", "results", decoder(WORD, CELL, RETURN.removesuffix(", state"))),
    ("readout of word and state exchanged", "change",
     decoder(WORD, CELL, "return self.output_layer(self.readout(embedded, state, context)), state")),
    ("detached state", "gradient | no_gradient",
     decoder(WORD, "state = self.cell(torch.cat([embedded, context], -1), state.detach())", RETURN)),
]

RIGHT = [
    ("as in the library", decoder()), ("chunk", decoder(start="return self.bridge(final.chunk(2, dim=-1)[1]).tanh()")),
    ("maxima by hand",
        decoder(
            WORD, CELL, "pairs = self.readout.layer(torch.cat([state, embedded, context], -1))",
            "return self.output_layer(torch.maximum(pairs[:, ::2], pairs[:, 1::2])), state",
        )),
]

"""Answers to the decoder that is handed its context."""

TASK, CHECKS, PARTS = "context_decoder", "context_decoder", ("ContextDecoder",)

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


def given_back(expression: str) -> str:
    return decoder(WORD, CELL, f"return {expression}, state")


WRONG = [
    (
        "forward half",
        "visible",
        ("the first state", "forward half"),
        decoder(start="return torch.tanh(self.bridge(final[:, : final.size(1) // 2]))"),
    ),
    ("no tanh", "visible", "the tanh is missing", decoder(start="return self.bridge(final[:, final.size(1) // 2 :])")),
    (
        "sigmoid",
        "visible",
        "a sigmoid in place of the tanh",
        decoder(start="return torch.sigmoid(self.bridge(final[:, final.size(1) // 2 :]))"),
    ),
    ("bridge forgotten", "visible", "the bridge is not used", decoder(start="return final[:, final.size(1) // 2 :]")),
    (
        "starts from zeros",
        "visible",
        "starts from nothing",
        decoder(start="return final.new_zeros(len(final), self.cell.hidden_size)"),
    ),
    (
        "both halves",
        "visible",
        ("the first state", "raised RuntimeError"),
        decoder(start="return torch.tanh(self.bridge(final))"),
    ),
    (
        "halves averaged",
        "visible",
        "the two halves are averaged",
        decoder(start="return torch.tanh(self.bridge(sum(final.chunk(2, -1)) / 2))"),
    ),
    (
        "axis of layers",
        "visible",
        "the axis of layers",
        decoder(start="return torch.tanh(self.bridge(final[:, final.size(1) // 2 :])).unsqueeze(0)"),
    ),
    (
        "context first",
        "visible",
        "context and word are exchanged in what the cell reads",
        decoder(WORD, "state = self.cell(torch.cat([context, embedded], -1), state)", RETURN),
    ),
    (
        "word replaced",
        "visible",
        "does not read the previous word",
        decoder(WORD, "state = self.cell(torch.cat([torch.zeros_like(embedded), context], -1), state)", RETURN),
    ),
    (
        "context only in the readout",
        "visible",
        "does not read the context",
        decoder(WORD, "state = self.cell(torch.cat([embedded, torch.zeros_like(context)], -1), state)", RETURN),
    ),
    (
        "old state returned",
        "visible",
        ("state", "the state as it came"),
        decoder(
            WORD,
            "new = self.cell(torch.cat([embedded, context], -1), state)",
            "return self.output_layer(self.readout(new, embedded, context)), state",
        ),
    ),
    (
        "state not carried",
        "visible",
        "starts from zeros at every step",
        decoder(WORD, "state = self.cell(torch.cat([embedded, context], -1))", RETURN),
    ),
    (
        "readout of the old state",
        "visible",
        ("logits", "the state before the step"),
        decoder(
            WORD,
            "new = self.cell(torch.cat([embedded, context], -1), state)",
            "return self.output_layer(self.readout(state, embedded, context)), new",
        ),
    ),
    (
        "softmax",
        "visible",
        "logits are raw",
        given_back("self.output_layer(self.readout(state, embedded, context)).softmax(-1)"),
    ),
    (
        "log-softmax",
        "visible",
        "a log-softmax is applied",
        given_back("self.output_layer(self.readout(state, embedded, context)).log_softmax(-1)"),
    ),
    (
        "the chosen word",
        "visible",
        "logits",
        given_back("self.output_layer(self.readout(state, embedded, context)).argmax(-1)"),
    ),
    (
        "order of the pair",
        "visible",
        "the pair is (logits, state)",
        decoder(WORD, CELL, "return state, self.output_layer(self.readout(state, embedded, context))"),
    ),
    (
        "logits alone",
        "visible",
        ("(logits, state)", "in this order"),
        decoder(WORD, CELL, "return self.output_layer(self.readout(state, embedded, context))"),
    ),
    (
        "readout in another order",
        "visible",
        "reverse order",
        decoder(
            WORD,
            CELL,
            "pairs = self.readout.layer(torch.cat([context, embedded, state], -1)).unflatten(-1, (-1, 2))",
            "return self.output_layer(pairs.amax(-1)), state",
        ),
    ),
    (
        "readout of word and state exchanged",
        "visible",
        "in another order than",
        given_back("self.output_layer(self.readout(embedded, state, context))"),
    ),
    (
        "readout without the context",
        "visible",
        "does not get the context",
        given_back("self.output_layer(self.readout(state, embedded, torch.zeros_like(context)))"),
    ),
    (
        "one tanh more",
        "visible",
        "one more tanh in front of the output layer",
        given_back("self.output_layer(self.readout(state, embedded, context).tanh())"),
    ),
    (
        "readout forgotten",
        "visible",
        "raised RuntimeError",
        given_back("self.output_layer(state)"),
    ),
    (
        "detached state",
        "visible",
        ("gradient", "detach"),
        decoder(WORD, "state = self.cell(torch.cat([embedded, context], -1), state.detach())", RETURN),
    ),
    (
        "squeezed",
        "hidden",
        "a bare `.squeeze()`",
        decoder(WORD, CELL, "return self.output_layer(self.readout(state, embedded, context)).squeeze(), state"),
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

"""Answers to the whole decoder, tried on a step and a readout that are given."""

TASK = "forced_decoder"

FIRST = "state = torch.tanh(self.first_layer(final.chunk(2, -1)[1]))"
KEYS = "keys = step.project_keys(values)"
CALL = "state, context, row = step(word, state, keys, values, source_mask)"
KEEP = "rows.append((state, context, row))"
STACK = "states, contexts, weights = (torch.stack(part, 1) for part in zip(*rows))"
RETURN = "return self.output_layer(readout(states, embedded, contexts)), weights"


def decoder(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"""\
class ForcedDecoder(nn.Module):
    def __init__(self, encoder_size: int, hidden_size: int, readout_size: int, vocab_size: int) -> None:
        super().__init__()
        self.first_layer = nn.Linear(encoder_size // 2, hidden_size)  # W_s
        self.output_layer = nn.Linear(readout_size, vocab_size)  # W_o

    def forward(
        self, step: nn.Module, readout: nn.Module, embedded: Tensor, final: Tensor, values: Tensor, source_mask: Tensor
    ) -> tuple[Tensor, Tensor]:
{body}"""


def loop(
    call: str = CALL, first: str = FIRST, keep: str = KEEP, end: str = RETURN, words: str = "embedded.unbind(1)"
) -> str:
    return decoder(first, KEYS, "rows = []", f"for word in {words}:", f"    {call}", f"    {keep}", STACK, end)


WRONG = [
    ("a fixed half", "hidden: raised.RuntimeError", loop(first="state = torch.tanh(self.first_layer(final[:, 4:]))")),
    ("state detached", "no_gradient | gradient", loop(f"state = state.detach(); {CALL}")),
    ("the way back cut after 16 words", "hidden: gradient",
     loop(f"state = state.detach() if len(rows) == 16 else state; {CALL}")),
    ("order of the results", "change | shape",
     loop(end=f"{RETURN.replace('return ', 'logits, weights = ')}; return weights, logits")),
    ("two results of three", "results", loop(end="return states, contexts, weights")),
]

RIGHT = [
    ("one list of triples", loop()),
    ("three lists, by index",
        decoder("half = self.first_layer.in_features", "hidden = [self.first_layer(final[:, -half:]).tanh()]",
                f"{KEYS}; contexts, weights = [], []", "for i in range(embedded.size(1)):",
                "    new, context, row = step(embedded[:, i], hidden[-1], keys, values, source_mask)",
                "    hidden.append(new); contexts.append(context); weights.append(row)",
                "read = readout(torch.stack(hidden[1:], 1), embedded, torch.stack(contexts, 1))",
                "return [self.output_layer(read), torch.stack(weights, 1)]")),
    ("joined as it goes, the tanh by a sigmoid",
        decoder("state = 2 * torch.sigmoid(2 * self.first_layer(final.unflatten(1, (2, -1))[:, 1])) - 1",
                f"{KEYS}; results = None", "for word in embedded.split(1, dim=1):",
                "    new = step(word.squeeze(1), state, keys, values, source_mask)",
                "    state, new = new[0], [part.unsqueeze(1) for part in new]",
                "    results = new if results is None else [torch.cat(pair, dim=1) for pair in zip(results, new)]",
                "states, contexts, weights = results", RETURN)),
]

"""Answers to the loop with input feeding, tried on a step that is given."""

TASK = "unroll_feeding"

BEFORE = "projected_keys, fed = step.project_keys(values), torch.zeros_like(state)"
STEP = "fed, row, state = step(word, fed, state, projected_keys, values, source_mask)"
STACKED = "torch.stack(attentionals, 1), torch.stack(weights, 1)"


def loop(
    call: str = STEP, before: str = BEFORE, result: str = STACKED, words: str = "embedded.unbind(1)", kept: str = "fed"
) -> str:
    return f"""\
def unroll_feeding(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor]:
    {before}
    attentionals, weights = [], []
    for word in {words}:
        {call}
        attentionals.append({kept})
        weights.append(row)
    return {result}
"""


WRONG = [
    ("joined", "joined", loop(result=STACKED.replace("stack", "cat"))),
    ("first word left out", "one_missing", loop(words="embedded[:, 1:].unbind(1)")),
    ("order", "change | shape", loop(result="torch.stack(weights, 1), torch.stack(attentionals, 1)")),
    ("the way back cut after 16 words", "hidden: gradient",
     loop(f"fed, state = (fed.detach(), state.detach()) if len(weights) == 16 else (fed, state); {STEP}")),
    ("float32 zeros", "hidden: dtype | raised.RuntimeError | single_precision",
     loop(before=BEFORE.replace("torch.zeros_like(state)", "torch.zeros(state.shape)"))),
]

RIGHT = [
    ("two lists", loop()),
    ("new zeros, index",
        loop(
            call=STEP.replace("word", "embedded[:, word]"),
            before=BEFORE.replace("torch.zeros_like(state)", "values.new_zeros(state.shape)"),
            words="range(embedded.size(1))",
        )),
    ("one list of triples", """\
def unroll_feeding(step, embedded, state, values, source_mask):
    memory = step.project_keys(values), values, source_mask
    triples = [(0 * state, None, state)]
    for word in embedded.transpose(0, 1):
        triples.append(step(word, triples[-1][0], triples[-1][2], *memory))
    attentionals, weights, _ = zip(*triples[1:])
    return torch.stack(attentionals, dim=1), torch.stack(weights, dim=1)
"""),
]

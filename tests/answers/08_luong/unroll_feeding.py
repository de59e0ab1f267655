"""Answers to the loop with input feeding, tried on a step that is given."""

TASK, CHECKS, PARTS = "unroll_feeding", "unrolling", ("unroll_feeding", "feeding_rehearsal_step")

BEFORE = "projected_keys, fed = step.project_keys(values), torch.zeros_like(state)"
STEP = "fed, row, state = step(word, fed, state, projected_keys, values, source_mask)"
STACKED = "torch.stack(attentionals, 1), torch.stack(weights, 1)"


def loop(
    call: str = STEP,
    before: str = BEFORE,
    result: str = STACKED,
    words: str = "embedded.unbind(1)",
    kept: str = "fed",
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
    (
        "zeros at every step",
        "visible",
        "every step is fed zeros",
        loop(call=f"fed = torch.zeros_like(state)\n        {STEP}"),
    ),
    (
        "state fed",
        "visible",
        "the recurrent state is fed",
        loop(
            call=STEP.replace("fed, row", "attentional, row") + "\n        fed = state",
            kept="attentional",
        ),
    ),
    (
        "attentional state as the state",
        "visible",
        "takes the place of the recurrent state",
        loop(call=f"{STEP}\n        state = fed"),
    ),
    (
        "always from h_0",
        "visible",
        "every step starts from the first state",
        loop(call="fed, row, _ = step(word, fed, state, projected_keys, values, source_mask)"),
    ),
    (
        "first step fed h_0",
        "visible",
        "the first step is fed the first state",
        loop(before="projected_keys, fed = step.project_keys(values), state"),
    ),
    (
        "first step fed ones",
        "visible",
        "the first step is fed ones",
        loop(before=BEFORE.replace("zeros", "ones")),
    ),
    ("states returned", "visible", "the recurrent states are returned", loop(kept="state")),
    (
        "exchanged in the call",
        "visible",
        "fed and state are exchanged",
        loop(call=STEP.replace("fed, state, projected", "state, fed, projected")),
    ),
    (
        "results exchanged",
        "visible",
        "first and last of the results are exchanged",
        loop(call=STEP.replace("fed, row, state =", "state, row, fed =")),
    ),
    (
        "projected at every step",
        "visible",
        ("8 times", "once per sentence"),
        loop(call=f"projected_keys = step.project_keys(values)\n        {STEP}"),
    ),
    ("stacked on axis 0", "visible", "stack them on axis 1", loop(result=STACKED.replace(", 1)", ")"))),
    ("joined", "visible", "they get an axis of their own", loop(result=STACKED.replace("stack", "cat"))),
    ("last step alone", "visible", "this is one step", loop(result="fed, row")),
    ("words backwards", "visible", "from last to first", loop(words="embedded.flip(1).unbind(1)")),
    ("first word left out", "visible", "one step is missing", loop(words="embedded[:, 1:].unbind(1)")),
    ("order", "visible", "the order is another", loop(result="torch.stack(weights, 1), torch.stack(attentionals, 1)")),
    (
        "no mask",
        "visible",
        "the mask is not used",
        loop(call=STEP.replace("source_mask", "torch.ones_like(source_mask)")),
    ),
    ("fed cut off", "hidden", "gradient", loop(call=STEP.replace("(word, fed", "(word, fed.detach()"))),
    (
        "float32 zeros",
        "hidden",
        "float64",
        loop(before=BEFORE.replace("torch.zeros_like(state)", "torch.zeros(state.shape)")),
    ),
]

RIGHT = [
    ("two lists", loop()),
    (
        "new zeros, index",
        loop(
            call=STEP.replace("word", "embedded[:, word]"),
            before=BEFORE.replace("torch.zeros_like(state)", "values.new_zeros(state.shape)"),
            words="range(embedded.size(1))",
        ),
    ),
    (
        "one list of triples",
        """\
def unroll_feeding(step, embedded, state, values, source_mask):
    memory = step.project_keys(values), values, source_mask
    triples = [(0 * state, None, state)]
    for word in embedded.transpose(0, 1):
        triples.append(step(word, triples[-1][0], triples[-1][2], *memory))
    attentionals, weights, _ = zip(*triples[1:])
    return torch.stack(attentionals, dim=1), torch.stack(weights, dim=1)
""",
    ),
    (
        "filled in",
        """\
def unroll_feeding(step, embedded, state, values, source_mask):
    keys, fed = step.project_keys(values), torch.zeros_like(state)
    batch, steps = embedded.shape[:2]
    attentionals = values.new_zeros(batch, steps, state.size(1))
    weights = values.new_zeros(batch, steps, values.size(1))
    for t in range(steps):
        fed, weights[:, t], state = step(embedded[:, t], fed, state, keys, values, source_mask)
        attentionals[:, t] = fed
    return attentionals, weights
""",
    ),
]

"""Answers to the teacher-forced loop, tried on a step that is given."""

TASK, CHECKS, PARTS = "unroll", "unrolling", ("unroll", "rehearsal_step")

STACKED = "torch.stack(states, 1), torch.stack(contexts, 1), torch.stack(weights, 1)"
STEP = "state, context, row = step(word, state, projected_keys, values, source_mask)"


def loop(
    result: str = STACKED,
    call: str = STEP,
    words: str = "embedded.unbind(1)",
    before: str = "projected_keys = step.project_keys(values)",
    kept: str = "state",
) -> str:
    return f"""\
def unroll(
    step: nn.Module, embedded: Tensor, state: Tensor, values: Tensor, source_mask: Tensor
) -> tuple[Tensor, Tensor, Tensor]:
    {before}
    states, contexts, weights = [], [], []
    for word in {words}:
        {call}
        states.append({kept})
        contexts.append(context)
        weights.append(row)
    return {result}
"""


START = "projected_keys, first = step.project_keys(values), state"

WRONG = [
    (
        "always from s_0",
        "visible",
        "every step starts from the first state",
        loop(call="new, context, row = step(word, state, projected_keys, values, source_mask)", kept="new"),
    ),
    (
        "projected at every step",
        "visible",
        ("7 times", "once per sentence"),
        loop(
            call="state, context, row = step(word, state, step.project_keys(values), values, source_mask)",
            before="pass",
        ),
    ),
    (
        "projected in between",
        "visible",
        ("8 times", "do not change from step to step"),
        loop(call=f"projected_keys = step.project_keys(values)\n        {STEP}"),
    ),
    ("keys not projected", "visible", "raised RuntimeError", loop(before="projected_keys = values")),
    (
        "states before the steps",
        "visible",
        "the steps are one place late",
        loop(call="before = state\n        " + STEP, kept="before"),
    ),
    ("stacked on axis 0", "visible", "stack them on axis 1", loop(STACKED.replace(", 1)", ")"))),
    ("joined on axis 1", "visible", "they get an axis of their own", loop(STACKED.replace("stack", "cat"))),
    ("last axis", "visible", "they belong on axis 1", loop(STACKED.replace(", 1)", ", -1)"))),
    ("last step alone", "visible", "this is one step", loop("state, context, row")),
    ("words backwards", "visible", "from last to first", loop(words="embedded.flip(1).unbind(1)")),
    ("words one early", "visible", "one place early", loop(words="embedded.roll(-1, 1).unbind(1)")),
    ("first word left out", "visible", "one step is missing", loop(words="embedded[:, 1:].unbind(1)")),
    (
        "first word only",
        "visible",
        "every step gets the first word",
        loop(words="[embedded[:, 0]] * embedded.size(1)"),
    ),
    ("over the batch", "visible", "raised", loop(words="embedded")),
    (
        "from zeros",
        "visible",
        "the loop starts from zeros",
        loop(before=f"state = torch.zeros_like(state)\n    {START}"),
    ),
    (
        "no mask",
        "visible",
        "the mask is not used",
        loop(call=STEP.replace("source_mask", "torch.ones_like(source_mask)")),
    ),
    (
        "order",
        "visible",
        "the order is another",
        loop("torch.stack(states, 1), torch.stack(weights, 1), torch.stack(contexts, 1)"),
    ),
    ("lists", "visible", "expected a tensor", loop("states, contexts, weights")),
    (
        "state detached",
        "hidden",
        "gradient",
        loop(call=f"state = state.detach()\n        {STEP}"),
    ),
]

RIGHT = [
    ("three lists", loop()),
    (
        "index",
        loop(
            call=STEP.replace("word", "embedded[:, word]"),
            words="range(embedded.size(1))",
        ),
    ),
    (
        "one list of triples",
        """\
def unroll(step, embedded, state, values, source_mask):
    memory = step.project_keys(values), values, source_mask
    triples = [(state, None, None)]
    for word in embedded.transpose(0, 1):
        triples.append(step(word, triples[-1][0], *memory))
    return tuple(torch.stack(part, dim=1) for part in zip(*triples[1:]))
""",
    ),
    (
        "filled in",
        """\
def unroll(step, embedded, state, values, source_mask):
    keys = step.project_keys(values)
    batch, steps = embedded.shape[:2]
    states = values.new_zeros(batch, steps, state.size(1))
    contexts = values.new_zeros(batch, steps, values.size(2))
    weights = values.new_zeros(batch, steps, values.size(1))
    for i in range(steps):
        state, contexts[:, i], weights[:, i] = step(embedded[:, i], state, keys, values, source_mask)
        states[:, i] = state
    return states, contexts, weights
""",
    ),
    (
        "joined as it goes",
        """\
def unroll(step, embedded, state, values, source_mask):
    keys, results = step.project_keys(values), None
    for word in embedded.split(1, dim=1):
        new = step(word.squeeze(1), state, keys, values, source_mask)
        state = new[0]
        new = [part.unsqueeze(1) for part in new]
        results = new if results is None else [torch.cat(pair, dim=1) for pair in zip(results, new)]
    return results
""",
    ),
]

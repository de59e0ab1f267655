"""Answers to the weighted sum by loop."""

TASK, CHECKS, PARTS = "weighted_sum_loop", "context", ("weighted_sum_loop",)


def loop(body: str, start: str = "torch.zeros(values.size(0), values.size(2), dtype=values.dtype)") -> str:
    return f"""\
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    context = {start}
{body}
    return context
"""


WRONG = [
    (
        "replaces instead of adding",
        "visible",
        "only the last key arrives",
        loop("""\
    for row in range(len(values)):
        for j in range(values.size(1)):
            context[row] = weights[row, j] * values[row, j]"""),
    ),
    (
        "stops one key early",
        "visible",
        "the last key is left out",
        loop("""\
    for row in range(len(values)):
        for j in range(values.size(1) - 1):
            context[row] += weights[row, j] * values[row, j]"""),
    ),
    (
        "starts at key 1",
        "visible",
        "the first key is left out",
        loop("""\
    for row in range(len(values)):
        for j in range(1, values.size(1)):
            context[row] += weights[row, j] * values[row, j]"""),
    ),
    (
        "sentence 0 alone",
        "visible",
        "only sentence 0 of the batch is computed",
        loop("""\
    for j in range(values.size(1)):
        context[0] += weights[0, j] * values[0, j]"""),
    ),
    (
        "weights of sentence 0",
        "visible",
        "the weights of sentence 0 are used for every sentence",
        loop("""\
    for row in range(len(values)):
        for j in range(values.size(1)):
            context[row] += weights[0, j] * values[row, j]"""),
    ),
    (
        "weights forgotten",
        "visible",
        "plain sum of the values",
        loop("""\
    for row in range(len(values)):
        for j in range(values.size(1)):
            context[row] += values[row, j]"""),
    ),
    (
        "return forgotten",
        "visible",
        ("nothing (None)", "`return`"),
        loop("""\
    for row in range(len(values)):
        for j in range(values.size(1)):
            context[row] += weights[row, j] * values[row, j]""").replace("    return context\n", ""),
    ),
    (
        "a list",
        "visible",
        ("a list of 2", "expected a tensor"),
        """\
def weighted_sum_loop(weights, values):
    return [sum(w * v for w, v in zip(row, rows)) for row, rows in zip(weights, values)]
""",
    ),
    (
        "float32 whatever comes",
        "hidden",
        ("float64", "dtype"),
        loop(
            """\
    for row in range(len(values)):
        for j in range(values.size(1)):
            context[row] += weights[row, j] * values[row, j]""",
            "torch.zeros(values.size(0), values.size(2))",
        ),
    ),
    (
        "numbers by item",
        "visible",
        ("no gradient reaches weights", ".item()"),
        loop("""\
    for row in range(len(values)):
        for j in range(values.size(1)):
            context[row] += weights[row, j].item() * values[row, j]"""),
    ),
    (
        "values changed in place",
        "visible",
        ("values", "changed in place"),
        """\
def weighted_sum_loop(weights, values):
    for row in range(len(values)):
        for j in range(values.size(1)):
            values[row, j] *= weights[row, j]
    return values.sum(1)
""",
    ),
]

RIGHT = [
    (
        "in-place sum",
        loop("""\
    for row in range(len(values)):
        for j in range(values.size(1)):
            context[row] += weights[row, j] * values[row, j]"""),
    ),
    (
        "loop over keys only",
        """\
def weighted_sum_loop(weights, values):
    context = torch.zeros_like(values[:, 0])
    for j in range(values.size(1)):
        context = context + weights[:, j : j + 1] * values[:, j]
    return context
""",
    ),
    (
        "stacked sums",
        """\
def weighted_sum_loop(weights, values):
    rows = []
    for row_weights, row_values in zip(weights, values):
        rows.append(sum(weight * value for weight, value in zip(row_weights, row_values)))
    return torch.stack(rows)
""",
    ),
    (
        "loop over every number",
        loop("""\
    for row in range(len(values)):
        for j in range(values.size(1)):
            for d in range(values.size(2)):
                context[row, d] = context[row, d] + weights[row, j] * values[row, j, d]"""),
    ),
]

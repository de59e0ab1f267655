"""Answers to the weighted sum by loop."""

TASK = "weighted_sum_loop"

ADD = "context[row] += weights[row, j] * values[row, j]"
ZEROS = "torch.zeros(values.size(0), values.size(2), dtype=values.dtype)"


def loop(line: str = ADD, zeros: str = ZEROS, keys: str = "range(values.size(1))") -> str:
    return f"""\
def weighted_sum_loop(weights: Tensor, values: Tensor) -> Tensor:
    context = {zeros}
    for row in range(len(values)):
        for j in {keys}:
            {line}
    return context
"""


def whole(body: str) -> str:
    return f"def weighted_sum_loop(weights, values):\n{body}"


WRONG = [
    ("starts at key 1", "change", loop(keys="range(1, values.size(1))")),
    ("weights forgotten", "plain_sum", loop("context[row] += values[row, j]")),
    ("return forgotten", "nothing", loop().replace("    return context\n", "")),
    (
        "a list",
        "not_a_tensor",
        whole("    return [sum(w * v for w, v in zip(row, rows)) for row, rows in zip(weights, values)]\n"),
    ),
    ("numbers by item", "no_gradient", loop("context[row] += weights[row, j].item() * values[row, j]")),
    (
        "values changed in place",
        "changed_in_place",
        whole("""\
    for row in range(len(values)):
        for j in range(values.size(1)):
            values[row, j] *= weights[row, j]
    return values.sum(1)
"""),
    ),
    (
        "a sum kept between calls",
        "remembers | random",
        f"total = {{}}\n{loop(zeros=f'total.setdefault(values.shape, {ZEROS})')}",
    ),
]

RIGHT = [
    ("in-place sum", loop()),
    (
        "loop over keys only",
        whole("""\
    context = torch.zeros_like(values[:, 0])
    for j in range(values.size(1)):
        context = context + weights[:, j : j + 1] * values[:, j]
    return context
"""),
    ),
    (
        "stacked sums",
        whole("""\
    rows = []
    for row_weights, row_values in zip(weights, values):
        rows.append(sum(weight * value for weight, value in zip(row_weights, row_values)))
    return torch.stack(rows)
"""),
    ),
    (
        "loop over every number",
        loop(
            "for d in range(values.size(2)):\n                "
            "context[row, d] = context[row, d] + weights[row, j] * values[row, j, d]"
        ),
    ),
]

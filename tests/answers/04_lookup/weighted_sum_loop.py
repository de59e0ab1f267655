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
    ("weights of 0 skipped", "hidden: gradient", loop(f"if weights[row, j]:\n                {ADD}")),
    ("return forgotten", "nothing", loop().replace("    return context\n", "")),
    ("numbers by item", "no_gradient", loop("context[row] += weights[row, j].item() * values[row, j]")),
]

RIGHT = [
    ("in-place sum", loop()),
    ("loop over keys only", whole("""\
    context = torch.zeros_like(values[:, 0])
    for j in range(values.size(1)):
        context = context + weights[:, j : j + 1] * values[:, j]
    return context
""")),
    ("loop over every number",
        loop(
            "for d in range(values.size(2)):\n                "
            "context[row, d] = context[row, d] + weights[row, j] * values[row, j, d]"
        )),
]

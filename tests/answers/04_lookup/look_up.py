"""Answers to the look-up for a whole target sentence."""

TASK = "look_up"

SOFTMAX = "torch.softmax(queries @ keys.transpose(1, 2), dim=-1)"


def look_up(weights: str = SOFTMAX, end: str = "weights @ values, weights", before: str = "pass") -> str:
    return f"""\
def look_up(queries: Tensor, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    {before}
    weights = {weights}
    return {end}
"""


WRONG = [
    ("scores cut off", "hidden: values", look_up("torch.softmax((queries @ keys.mT).clamp(-80, 80), dim=-1)")),
    ("bare squeeze", "hidden: squeezed | raised.IndexError | raised.RuntimeError",
     look_up("torch.softmax((queries @ keys.mT).squeeze(), dim=-1)")),
    ("a loop over the sentences", "values",
     look_up("torch.stack([(q @ k.T).softmax(-1) for q, k in zip(queries, keys)])")),
    ("detached weights", "no_gradient", look_up(end="weights.detach() @ values, weights")),
    ("float32 inside", "hidden: dtype | single_precision",
     look_up("torch.softmax((queries @ keys.mT).float(), -1).to(keys)")),
]

RIGHT = [
    ("two products", look_up()),
    ("bmm", look_up("torch.bmm(queries, keys.mT).softmax(2)", "torch.bmm(weights, values), weights")),
    ("fused", look_up(end="(F.scaled_dot_product_attention(queries, keys, values, scale=1.0), weights)")),
]

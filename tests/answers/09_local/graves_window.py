"""Answers to the window that moves forward."""

TASK = "graves_window"


def window(
    parts: str = "raw.exp().chunk(3, -1)", centres: str = "before[:, None] + torch.cumsum(step, 1)",
    positions: str = "torch.arange(source_mask.size(1))",
    bells: str = "torch.exp(-beta[..., None] * (centres[..., None] - positions) ** 2)",
    result: str = "(alpha[..., None] * bells).sum(2) * source_mask[:, None]",
) -> str:
    return f"""\
def graves_window(raw, before, source_mask):
    alpha, beta, step = {parts}
    centres = {centres}
    positions = {positions}
    bells = {bells}
    return {result}, centres
"""


WRONG = [
    ("bells on the keys' axis", "shape", window(result="(alpha[..., None] * bells).sum(3) * 1.0")),
    ("a step of the first sentence", "values | first_sentence", window(centres="before[:, None] + step[:1].cumsum(1)")),
    ("weights alone", "results | raised.ValueError", window().replace(", centres\n", "\n")),
    ("centres detached", "no_gradient | gradient", window(centres="before[:, None] + torch.cumsum(step, 1).detach()")),
]

RIGHT = [
    ("cumsum", window()),
    ("split, the logarithm of the height in the exponent",
        window("*raw.split(raw.size(-1) // 3, -1)[:1], *raw[..., raw.size(-1) // 3 :].exp().chunk(2, -1)",
               bells="torch.exp(alpha[..., None] - beta[..., None] * (centres[..., None] - positions).square())",
               result="bells.sum(-2).masked_fill(~source_mask[:, None], 0.0)")),
    ("step by step", """\
def graves_window(raw, before, source_mask):
    bells, weights, centres = raw.size(-1) // 3, [], []
    positions = torch.arange(source_mask.size(1))
    for now in raw.unbind(1):
        alpha, beta = now[:, :bells].exp(), now[:, bells : 2 * bells].exp()
        before = before + now[:, 2 * bells :].exp()
        row = torch.zeros_like(source_mask, dtype=raw.dtype)
        for k in range(bells):
            row = row + alpha[:, k, None] * torch.exp(-beta[:, k, None] * (before[:, k, None] - positions) ** 2)
        weights.append(row * source_mask)
        centres.append(before)
    return torch.stack(weights, 1), torch.stack(centres, 1)
"""),
]

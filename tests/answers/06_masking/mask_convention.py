"""Answers to the conventions of a mask."""

TASK = "mask_convention"

MADE = """\
    low = scores - 1e9 * (~mask).to(scores.dtype)
    turned = scores - 1e9 * mask.to(scores.dtype)
    made = {
        "real": low.softmax(-1) * mask,
        "padding": turned.softmax(-1) * ~mask,
        "added": (scores + mask).softmax(-1),
        "afterwards": scores.softmax(-1) * mask,
        "ignored": scores.softmax(-1),
    }
"""


def convention(end: str, made: str = MADE) -> str:
    return f"def mask_convention(scores, mask, weights):\n{made}    {end}\n"


NEAR = "fits = [name for name, one in made.items() if float((one - weights).abs().max()) < 2e-5]"
ONE = "return fits[0] if len(fits) == 1 else 'unknown'"

WRONG = [
    ("divided again afterwards", "renormalised", convention(f"{NEAR}; {ONE}", MADE.replace(
        "scores.softmax(-1) * mask,", "(scores.softmax(-1) * mask) / (scores.softmax(-1) * mask).sum(-1)[:, None],"))),
    ("minus infinity", "minus_infinity", convention(f"{NEAR}; {ONE}", MADE.replace(
        "1e9 * (~mask).to(scores.dtype)", "torch.zeros_like(scores).masked_fill(~mask, torch.inf)").replace(
        "1e9 * mask.to(scores.dtype)", "torch.zeros_like(scores).masked_fill(mask, torch.inf)"))),
    ("added as 0 and minus infinity", "added_infinity",
     convention(f"{NEAR}; {ONE}", MADE.replace("(scores + mask).softmax(-1)", "low.softmax(-1)"))),
    ("the nearest", "nearest",
     convention("return min(made, key=lambda name: float((made[name] - weights).abs().max()))")),
    ("the sums of the rows", "values",
     convention("return 'real' if torch.allclose(weights.sum(-1), torch.ones(len(weights))) else 'afterwards'", "")),
    ("the last sentence alone", "values", convention(f"{NEAR.replace('weights)', 'weights)[-1]')}; {ONE}")),
    ("nothing told", "values | nothing | kind", convention(f"{NEAR}\n    if len(fits) == 1:\n        return fits[0]")),
]

RIGHT = [
    ("all five compared", convention(f"{NEAR}; {ONE}")),
    ("with allclose",
     convention(f"fits = [name for name in made if torch.allclose(made[name], weights, 1e-3, 1e-4)]; {ONE}")),
    ("counted in a loop",
        convention(
            "fits = []\n    for name, one in made.items():\n        if ((one - weights).norm() < 1e-3):\n            "
            f"fits.append(name)\n    {ONE}"
        )),
]

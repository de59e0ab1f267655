"""Answers to the Gaussian around the centre."""

TASK = "favour_centre"


def favour(result: str, sigma: str = "half_width / 2", distances: str = "positions - centres.unsqueeze(-1)") -> str:
    return f"""\
def favour_centre(weights: Tensor, positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    sigma = {sigma}
    distances = {distances}
    return {result}
"""


BELL = "torch.exp(-(distances**2) / (2 * sigma**2))"
WRONG = [
    ("no axis", "raised.RuntimeError", favour(f"weights * {BELL}", distances="positions - centres")),
    ("in place", "changed_in_place", favour(f"weights.mul_({BELL})")),
    ("the mean of the two", "values | factor", favour(f"weights * (1 + {BELL}) / 2")),
    ("by numbers", "no_gradient", favour(f"torch.tensor((weights * {BELL}).tolist(), dtype=weights.dtype)")),
]

RIGHT = [
    ("as written", favour(f"weights * {BELL}")),
    ("with D", favour("weights * torch.exp(-2 * (distances / half_width) ** 2)")),
    ("power of e", favour("weights * math.e ** (-0.5 * (distances / sigma) ** 2)")),
]

"""Answers to the Gaussian around the centre."""

TASK, CHECKS, PARTS = "favour_centre", "gaussian", ("favour_centre",)


def favour(
    result: str = "weights * factor",
    factor: str = "torch.exp(-(distances**2) / (2 * sigma**2))",
    sigma: str = "half_width / 2",
    distances: str = "positions - centres.unsqueeze(-1)",
) -> str:
    return f"""\
def favour_centre(weights: Tensor, positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    sigma = {sigma}
    distances = {distances}
    factor = {factor}
    return {result}
"""


WRONG = [
    (
        "normalised again",
        "visible",
        "made to sum to 1 again",
        favour("weights * factor / (weights * factor).sum(-1, keepdim=True)"),
    ),
    ("softmax after", "visible", "a softmax comes after the Gaussian", favour("(weights * factor).softmax(-1)")),
    ("Gaussian alone", "visible", "the Gaussian alone", favour("factor")),
    ("added", "visible", "it multiplies them", favour("weights + factor")),
    ("sigma is D", "visible", "σ is D; it is D/2", favour(sigma="half_width")),
    ("sigma is 2D", "visible", "σ is 2D", favour(sigma="2 * half_width")),
    ("no 2", "visible", "the factor 2 before σ² is missing", favour(factor="torch.exp(-(distances**2) / sigma**2)")),
    (
        "no square",
        "visible",
        "the distance is not squared",
        favour(factor="(-distances.abs() / (2 * sigma**2)).exp()"),
    ),
    (
        "no minus",
        "visible",
        "the minus in the exponent is missing",
        favour(factor="torch.exp(distances**2 / (2 * sigma**2))"),
    ),
    (
        "density",
        "visible",
        "this is the density",
        favour("weights * factor / (sigma * math.sqrt(2 * math.pi))"),
    ),
    (
        "rounded centre",
        "visible",
        "the centre is rounded",
        favour(distances="positions - centres.round()[..., None]"),
    ),
    (
        "centre to int",
        "visible",
        "the centre is cut to a whole number",
        favour(distances="positions - centres.long().unsqueeze(-1)"),
    ),
    (
        "detached centre",
        "visible",
        "no gradient reaches centres",
        favour(distances="positions - centres.detach().unsqueeze(-1)"),
    ),
    ("no Gaussian", "visible", "the Gaussian is missing", favour("weights + 0 * factor")),
    (
        "brackets",
        "hidden",
        ("half width 1", "wrong values"),
        favour(factor="torch.exp(-(distances**2) / 2 * sigma**2)"),
    ),
    (
        "sigma not squared",
        "hidden",
        ("half width 1", "σ is not squared"),
        favour(factor="torch.exp(-(distances**2) / (2 * sigma))"),
    ),
    ("sigma is 1", "hidden", "half width 1", favour(sigma="1.0")),
    (
        "whole division",
        "hidden",
        "half width 1",
        favour(sigma="max(half_width // 2, 1)"),
    ),
    (
        "no axis",
        "visible",
        ("raised RuntimeError", "centres (2, 3)"),
        favour(distances="positions - centres"),
    ),
    (
        "in place",
        "visible",
        ("weights", "in-place operation"),
        favour("weights.mul_(factor)"),
    ),
    (
        "query 0",
        "visible",
        "the centre of query 0",
        favour(distances="positions - centres[:, :1].unsqueeze(-1)"),
    ),
]

RIGHT = [
    ("as written", favour()),
    ("with D", favour(factor="torch.exp(-2 * (distances / half_width) ** 2)")),
    ("square", favour(factor="distances.square().div(-2 * sigma * sigma).exp()")),
    ("power of e", favour(factor="math.e ** (-0.5 * (distances / sigma) ** 2)")),
    (
        "loop over queries",
        """\
def favour_centre(weights: Tensor, positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    columns = []
    for q in range(centres.size(1)):
        own = positions if positions.dim() == 1 else positions[:, q]
        away = own - centres[:, q : q + 1]
        columns.append(weights[:, q] * torch.exp(-away * away * 2 / half_width**2))
    return torch.stack(columns, dim=1)
""",
    ),
]

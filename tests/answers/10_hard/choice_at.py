"""Answers to the draw from a given number."""

TASK = "choice_at"


def choice(*lines: str, result: str = "F.one_hot(s, weights.size(-1)).to(weights.dtype) * real") -> str:
    first = ("ends = weights.detach().cumsum(dim=-1)", "real = ends[..., -1:] > 0")
    body = "".join(f"    {line}\n" for line in (*first, "number = uniform.unsqueeze(-1) * ends[..., -1:]", *lines))
    return f"def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:\n{body}    return {result}\n"


FIRST = "s = (ends > number).int().argmax(-1)"
DIFF = "passed.diff(prepend=torch.zeros_like(passed[..., :1]))"

WRONG = [
    ("a way back to the numbers", "gradient", """\
def choice_at(weights, uniform):
    ends = weights.detach().cumsum(dim=-1)
    passed = (ends > uniform.unsqueeze(-1) * ends[..., -1:]).to(weights.dtype)
    choice = passed.diff(prepend=torch.zeros_like(passed[..., :1]))
    return choice + (uniform - uniform.detach()).unsqueeze(-1).to(weights.dtype)
"""),
    ("up to the number", "hidden: values", choice("s = ((ends >= number) & (weights > 0)).int().argmax(-1)")),
    ("no axis for the number", "raised.RuntimeError", choice("s = (ends > uniform).int().argmax(-1)")),
    ("in place", "changed_in_place", choice(FIRST, "weights.mul_(0)")),
    ("straight through", "gradient", choice(FIRST, "hot = F.one_hot(s, weights.size(-1)).to(weights.dtype) * real",
                                            result="hot + (weights - weights.detach())")),
]
RIGHT = [
    ("first true", choice(FIRST)),
    ("difference of neighbours", choice("passed = (ends > number).to(weights.dtype)", result=DIFF)),
    ("count what is passed", choice("s = (ends <= number).sum(-1).clamp(max=weights.size(-1) - 1)")),
]

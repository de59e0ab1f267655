"""Answers to the draw from a given number."""

TASK, CHECKS, PARTS = "choice_at", "drawing", ("choice_at",)


def choice(*lines: str, result: str = "passed.diff(prepend=torch.zeros_like(passed[..., :1]))") -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:\n{body}    return {result}\n"


WEIGHTS = "weights = weights.detach()"
ENDS = "ends = weights.detach().cumsum(dim=-1)"
NUMBER = "number = uniform.unsqueeze(-1) * ends[..., -1:]"
PASSED = "passed = (ends > number).to(weights.dtype)"
HOT = "F.one_hot(s, weights.size(-1)).to(weights.dtype) * (weights.detach().sum(-1, keepdim=True) > 0)"

WRONG = [
    (
        "largest weight",
        "visible",
        "the position of the largest weight",
        choice("s = weights.argmax(-1)", result=HOT),
    ),
    ("soft", "visible", "these are the weights", choice(result="weights.detach().clone()")),
    (
        "even stretches",
        "visible",
        "the weights are not used",
        choice("s = (uniform * weights.size(-1)).long()", result=HOT),
    ),
    ("all from there on", "visible", "only the first of them", choice(ENDS, NUMBER, PASSED, result="passed")),
    (
        "one before",
        "visible",
        "the position before the one",
        choice(ENDS, NUMBER, "s = ((ends <= number).sum(-1) - 1).clamp(min=0)", result=HOT),
    ),
    (
        "one after",
        "visible",
        "the position after the one",
        choice(ENDS, NUMBER, "s = ((ends <= number).sum(-1) + 1).clamp(max=weights.size(-1) - 1)", result=HOT),
    ),
    (
        "not summed up",
        "visible",
        "the weights have to be summed up",
        choice("s = (weights > uniform.unsqueeze(-1)).int().argmax(-1)", result=HOT),
    ),
    (
        "reaches instead of exceeds",
        "visible",
        "a position of weight 0 is chosen where the number is 0",
        choice(ENDS, NUMBER, "s = (ends >= number).int().argmax(-1)", result=HOT),
    ),
    (
        "a row of zeros chooses",
        "visible",
        "it gives zeros",
        choice(
            ENDS,
            NUMBER,
            "s = (ends > number).int().argmax(-1)",
            result="F.one_hot(s, weights.size(-1)).to(weights.dtype)",
        ),
    ),
    (
        "its own draw",
        "visible",
        ("choice",),
        choice("s = torch.multinomial(weights, 1).squeeze(-1)", result=HOT),
    ),
    (
        "position returned",
        "visible",
        ("the number of the position", "a one-hot row"),
        choice(ENDS, NUMBER, result="(ends > number).int().argmax(-1)"),
    ),
    (
        "whole numbers",
        "visible",
        ("dtype torch.int64", "torch.float32"),
        choice(ENDS, NUMBER, "s = (ends > number).int().argmax(-1)", result="F.one_hot(s, weights.size(-1))"),
    ),
    (
        "no axis for the number",
        "visible",
        ("raised RuntimeError", "uniform (4,)"),
        choice(ENDS, result="(ends > uniform).to(weights.dtype)"),
    ),
    (
        "from the right",
        "visible",
        "summed up from the right",
        choice(
            "ends = weights.flip(-1).cumsum(-1)",
            NUMBER,
            PASSED,
            result="passed.diff(prepend=torch.zeros_like(passed[..., :1])).flip(-1)",
        ),
    ),
    (
        "other end of the number",
        "visible",
        "1 − u is used",
        choice(ENDS, "number = (1 - uniform).unsqueeze(-1) * ends[..., -1:]", PASSED),
    ),
    (
        "sum below 1",
        "hidden",
        ("a little below 1", "no position is chosen", "the number times the whole sum"),
        choice(ENDS, "number = uniform.unsqueeze(-1)", PASSED),
    ),
    (
        "sums over the batch",
        "visible",
        "choice",
        choice("ends = weights.detach().cumsum(dim=0)", NUMBER, PASSED),
    ),
    (
        "in place",
        "visible",
        ("weights", "changed in place"),
        choice(
            "copy = weights.clone()", "ends = weights.cumsum_(-1)", NUMBER, "passed = (ends > number).to(copy.dtype)"
        ),
    ),
]

RIGHT = [
    ("difference of neighbours", choice(ENDS, NUMBER, PASSED)),
    (
        "count what is passed",
        choice(ENDS, NUMBER, "s = (ends <= number).sum(-1).clamp(max=weights.size(-1) - 1)", result=HOT),
    ),
    (
        "first true",
        choice(
            ENDS,
            NUMBER,
            "s = (ends > number).int().argmax(-1, keepdim=True)",
            result="torch.zeros_like(weights).scatter(-1, s, 1.0) * (weights.detach() > 0)",
        ),
    ),
    (
        "both ends of the stretch",
        choice(
            ENDS,
            NUMBER,
            "starts = F.pad(ends, (1, 0))[..., :-1]",
            result="((starts <= number) & (number < ends)).to(weights.dtype)",
        ),
    ),
    (
        "searchsorted",
        choice(
            ENDS,
            NUMBER,
            "s = torch.searchsorted(ends, number, right=True).squeeze(-1).clamp(max=weights.size(-1) - 1)",
            result=HOT,
        ),
    ),
    (
        "loop",
        """\
def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:
    choice = torch.zeros_like(weights).flatten(0, -2)
    rows = weights.detach().flatten(0, -2)
    for n, (row, u) in enumerate(zip(rows.tolist(), uniform.flatten().tolist())):
        left = u * sum(row)
        for i, weight in enumerate(row):
            left -= weight
            if left < 0:
                choice[n, i] = 1.0
                break
    return choice.view(weights.shape).detach()
""",
    ),
]

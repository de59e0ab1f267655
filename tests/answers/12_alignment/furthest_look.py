"""Answers to the weights that look elsewhere."""

TASK = "furthest_look"

MOVED = "moved = (outputs - output).abs().sum(-1) / 2"
MIDDLE = "middle = (weights + others) / 2"
BOTH, MOVES = "(share(weights) + share(others)) / 2", "moved <= tolerance"
CHOSEN = "chosen, some = torch.where(allowed, {}, -1.0).argmax(0), allowed.any(0)"
REST = ("best = apart.gather(0, chosen[None])[0]", "return torch.where(some, chosen, -1), torch.where(some, best, 0.0)")


def look(
    moved: str = MOVED, apart: str = BOTH, test: str = MOVES, *rest: str,
) -> str:
    lines = rest or (CHOSEN.format("apart"), *REST)
    end = "".join(f"    {line}\n" for line in lines)
    return f"""\
def furthest_look(weights, others, output, outputs, tolerance):
    {moved}
    {MIDDLE}

    def share(rows):
        return torch.where(rows > 0, rows * (rows.clamp(min=1e-30) / middle.clamp(min=1e-30)).log(), 0.0).sum(-1)

    apart = {apart}
    allowed = {test}
{end}"""


WRONG = [
    ("not halved", "not_halved", look(MOVED.removesuffix(" / 2"))),
    ("largest word", "one_word", look("moved = (outputs - output).abs().amax(-1)")),
    ("not just the tolerance", "just_within", look(test="moved < tolerance")),
    ("chosen by one side", "values", look(MOVED, BOTH, MOVES, CHOSEN.format("share(weights)"), *REST)),
]

LOOPS = """\
def furthest_look(weights, others, output, outputs, tolerance):
    chosen, divergences = [], []
    for row in range(len(weights)):
        best = (-1, 0.0)
        for n in range(len(others)):
            if float((outputs[n, row] - output[row]).abs().sum()) <= 2 * tolerance:
                apart = 0.0
                for a, b in zip(weights[row].tolist(), others[n, row].tolist()):
                    apart += sum(x * math.log(2 * x / (a + b)) for x in (a, b) if x > 0) / 2
                if best[0] < 0 or apart > best[1]:
                    best = (n, apart)
        chosen.append(best[0])
        divergences.append(best[1])
    return torch.tensor(chosen), torch.tensor(divergences, dtype=weights.dtype)
"""

RIGHT = [
    ("where", look()),
    ("entropies", """\
def furthest_look(weights, others, output, outputs, tolerance):
    def entropy(rows):
        return torch.special.entr(rows).sum(-1)

    apart = entropy((weights + others) / 2) - (entropy(weights) + entropy(others)) / 2
    apart[(outputs - output).clamp(min=0).sum(-1) > tolerance] = -1.0
    best, chosen = apart.max(0)
    best, chosen = best.clone(), chosen.clone()
    chosen[best < -0.5], best[best < -0.5] = -1, 0.0
    return chosen, best
"""),
    ("loops", LOOPS), ("the last of several that are equally far", LOOPS.replace("apart > best", "apart >= best")),
]

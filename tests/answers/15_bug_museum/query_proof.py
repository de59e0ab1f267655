"""Answers to the proof by queries."""

TASK, CHECKS, PARTS = "query_proof", "proofs", ("query_proof",)


def proof(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def query_proof(weights: Tensor) -> bool:\n{body}"


WRONG = [
    (
        "exact",
        "visible",
        ("the exhibit, where steps differ by rounding", "rounding is no difference"),
        proof("return not torch.equal(weights, weights[:, :1].expand_as(weights))"),
    ),
    (
        "sentences compared",
        "visible",
        ("sentences that differ", "only steps of one sentence"),
        proof("return bool((weights - weights[:1]).abs().max() > 1e-5)"),
    ),
    (
        "words compared",
        "visible",
        "True, expected False",
        proof("return bool((weights - weights[:, :, :1]).abs().max() > 1e-5)"),
    ),
    (
        "the other way round",
        "visible",
        "False, expected True",
        proof("return bool((weights - weights[:, :1]).abs().max() <= 1e-5)"),
    ),
    (
        "first two steps",
        "visible",
        ("weights that change at the last step only", "compared with all the others"),
        proof("return bool((weights[:, 1:2] - weights[:, :1]).abs().sum() > 1e-5)"),
    ),
    (
        "every sentence",
        "visible",
        "weights that change at the last step only",
        proof("return bool(((weights - weights[:, :1]).abs().amax((1, 2)) > 1e-5).all())"),
    ),
    ("always true", "visible", "True, expected False", proof("return True")),
    ("always false", "visible", "False, expected True", proof("return False")),
    (
        "for each sentence",
        "visible",
        ("True or False", "one verdict for the whole batch"),
        proof("return (weights - weights[:, :1]).abs().amax((1, 2)) > 1e-5"),
    ),
    ("a number", "visible", "True or False", proof("return float((weights - weights[:, :1]).abs().max())")),
    (
        "largest words compared",
        "hidden",
        "a small change",
        proof("return bool((weights - weights[:, :1]).abs().max() > 0.1)"),
    ),
    (
        "the first sentence",
        "hidden",
        "a change in the last sentence alone",
        proof("return bool((weights[0] - weights[0, :1]).abs().max() > 1e-5)"),
    ),
    (
        "step and next step",
        "hidden",
        ("one step", "raised RuntimeError"),
        proof("return bool((weights[:, 1:] - weights[:, :-1]).abs().max() > 1e-5)"),
    ),
    (
        "the sign of the difference",
        "hidden",
        "need not sum to 1",
        proof("return bool((weights - weights[:, :1]).max() > 1e-5)"),
    ),
    (
        "float32 only",
        "hidden",
        "float64",
        proof("assert weights.dtype == torch.float32", "return bool((weights - weights[:, :1]).abs().max() > 1e-5)"),
    ),
]

RIGHT = [
    ("the first step", proof("return bool((weights - weights[:, :1]).abs().max() > 1e-5)")),
    ("allclose", proof("return not torch.allclose(weights, weights[:, :1].expand_as(weights), rtol=0, atol=1e-5)")),
    ("spread", proof("return bool((weights.amax(1) - weights.amin(1)).max() > 1e-5)")),
    ("a tensor", proof("return (weights - weights.mean(1, keepdim=True)).abs().max() > 1e-5")),
    (
        "loop",
        proof(
            "for sentence in weights:",
            "    for step in sentence:",
            "        if (step - sentence[0]).abs().max() > 1e-5:",
            "            return True",
            "return False",
        ),
    ),
]

"""Answers to the proof by queries."""

TASK = "query_proof"

GAPS = "(weights - weights[:, :1]).abs()"


def proof(result: str, before: str = "pass") -> str:
    return f"def query_proof(weights: Tensor) -> bool:\n    {before}\n    return {result}\n"


WRONG = [
    ("for each sentence", "kind | values", proof(f"{GAPS}.amax((1, 2)) > 1e-5")),
    ("a number", "kind", proof(f"float({GAPS}.max())")),
    ("average of the differences", "hidden: coarse", proof(f"bool({GAPS}.mean() > 1e-4)")),
    (
        "standard deviation",
        "hidden: coarse | raised.RuntimeError | values",
        proof("weights.std(1).max().item() > 1e-3"),
    ),
    ("loose allclose", "hidden: coarse | values", proof("not torch.allclose(weights, weights[:, :1], atol=1e-3)")),
    (
        "step and next step",
        "hidden: raised.RuntimeError",
        proof("bool((weights[:, 1:] - weights[:, :-1]).abs().max() > 1e-5)"),
    ),
    (
        "float32 only",
        "hidden: raised.AssertionError",
        proof(f"{GAPS}.max().item() > 1e-5", "assert weights.dtype == torch.float"),
    ),
]
RIGHT = [
    ("allclose", proof("not torch.allclose(weights, weights[:, :1].expand_as(weights), rtol=0, atol=1e-5)")),
    ("spread", proof("(weights.amax(1) - weights.amin(1)).max().item() > 1e-5")),
    ("a tensor", proof("(weights - weights.mean(1, keepdim=True)).abs().max() > 1e-5")),
    (
        "numpy",
        proof(
            "w.ptp(1).max() > 1e-5 if hasattr(w, 'ptp') else (w.max(1) - w.min(1)).max() > 1e-5", "w = weights.numpy()"
        ),
    ),
    (
        "loop",
        proof("any((step - sentence[0]).abs().max() > 1e-5 for sentence in weights for step in sentence)"),
    ),
]

"""Answers to the proof by queries."""

TASK = "query_proof"

GAPS = "(weights - weights[:, :1]).abs()"


def proof(result: str, before: str = "pass") -> str:
    return f"def query_proof(weights: Tensor) -> bool:\n    {before}\n    return {result}\n"


WRONG = [
    ("for each sentence", "kind | values", proof(f"{GAPS}.amax((1, 2)) > 1e-5")),
    ("average of the differences", "coarse | consecutive", proof(f"bool({GAPS}.mean() > 1e-4)")),
    ("step and next step", "consecutive", proof("bool((weights.diff(dim=1).abs() > 1e-5).any())")),
    ("another bound", "coarse", proof(f"{GAPS}.max().item() > 1e-4")),
    ("sentences summed", "summed", proof("bool((weights.sum(0) - weights.sum(0)[:1]).abs().max() > 1e-5)")),
]
RIGHT = [
    ("allclose", proof("not torch.allclose(weights, weights[:, :1].expand_as(weights), rtol=0, atol=1e-5)")),
    ("spread", proof("(weights.amax(1) - weights.amin(1)).max().item() > 1e-5")),
    ("a tensor", proof("(weights - weights.mean(1, keepdim=True)).abs().max() > 1e-5")),
]

"""Answers to the proof by queries."""

TASK = "query_proof"

GAPS = "(weights - weights[:, :1]).abs()"


def proof(result: str, before: str = "pass") -> str:
    return f"def query_proof(weights: Tensor) -> bool:\n    {before}\n    return {result}\n"


WRONG = [
    ("for each sentence", "kind | values", proof(f"{GAPS}.amax((1, 2)) > 1e-5")),
    ("average of the differences", "hidden: coarse", proof(f"bool({GAPS}.mean() > 1e-4)")),
    ("step and next step", "hidden: raised.RuntimeError",
     proof("bool((weights[:, 1:] - weights[:, :-1]).abs().max() > 1e-5)")),
    ("float32 only", "hidden: raised.AssertionError",
     proof(f"{GAPS}.max().item() > 1e-5", "assert weights.dtype == torch.float")),
]
RIGHT = [
    ("allclose", proof("not torch.allclose(weights, weights[:, :1].expand_as(weights), rtol=0, atol=1e-5)")),
    ("spread", proof("(weights.amax(1) - weights.amin(1)).max().item() > 1e-5")),
    ("a tensor", proof("(weights - weights.mean(1, keepdim=True)).abs().max() > 1e-5")),
]

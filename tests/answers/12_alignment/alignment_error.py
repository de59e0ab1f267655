"""Answers to the alignment error rate from tables."""

TASK = "alignment_error"

MAY = "may = possible | sure"
HITS = "hits = (predicted * sure).sum() + (predicted * may).sum()"
BOTH = "(predicted.sum() + sure.sum())"


def error(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def alignment_error(predicted: Tensor, sure: Tensor, possible: Tensor) -> Tensor:\n{body}"


WRONG = [
    ("and for weights", "raised.NotImplementedError",
     error(MAY, "hits = (predicted & sure).sum() + (predicted & may).sum()", f"return 1 - hits / {BOTH}")),
    ("in place", "changed_in_place", error("possible |= sure", "may = possible", HITS, f"return 1 - hits / {BOTH}")),
    ("sentences without a sure link left out", "hidden: values | factor",
     error("known = sure.flatten(1).any(1)", "predicted, sure, may = predicted[known], sure[known], "
           "(possible | sure)[known]", HITS, f"return 1 - hits / {BOTH}")),
    ("0 without a prediction", "hidden: off_-1 | values",
     error(MAY, HITS, f"return 1 - hits / {BOTH} if predicted.any() else torch.tensor(0.0)")),
]

RIGHT = [
    ("products", error(MAY, HITS, f"return 1 - hits / {BOTH}")),
    ("indexing", error("hits = predicted[sure].sum() + predicted[torch.logical_or(sure, possible)].sum()",
                       f"return 1 - hits / {BOTH}")),
    ("numpy", error("import numpy", "a, s = predicted.double().numpy(), sure.numpy()",
                    "p = numpy.logical_or(s, possible.numpy())",
                    "return 1 - ((a * s).sum() + (a * p).sum()) / (a.sum() + s.sum())")),
]

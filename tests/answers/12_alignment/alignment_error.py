"""Answers to the alignment error rate from tables."""

TASK, CHECKS, PARTS = "alignment_error", "alignment_error", ("alignment_error",)

MAY = "may = possible | sure"
HITS = "hits = (predicted * sure).sum() + (predicted * may).sum()"
BOTH = "(predicted.sum() + sure.sum())"


def error(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def alignment_error(predicted: Tensor, sure: Tensor, possible: Tensor) -> Tensor:\n{body}"


WRONG = [
    ("not turned round", "visible", "this is the share of right links", error(MAY, HITS, f"return hits / {BOTH}")),
    (
        "sure not possible",
        "visible",
        "a sure link counts as possible too",
        error("may = possible", HITS, f"return 1 - hits / {BOTH}"),
    ),
    (
        "sum of the tables",
        "visible",
        "are added twice",
        error("may = sure.float() + possible.float()", HITS, f"return 1 - hits / {BOTH}"),
    ),
    (
        "sure only",
        "visible",
        "the possible links are not used",
        error(f"return 1 - 2 * (predicted * sure).sum() / {BOTH}"),
    ),
    (
        "possible as if sure",
        "visible",
        "possible links count as if they were sure",
        error(MAY, "return 1 - 2 * (predicted * may).sum() / (predicted.sum() + may.sum())"),
    ),
    (
        "possible below",
        "visible",
        "the denominator counts the possible links",
        error(MAY, HITS, "return 1 - hits / (predicted.sum() + may.sum())"),
    ),
    (
        "sure and possible below",
        "visible",
        "the denominator counts sure and possible links",
        error(MAY, HITS, "return 1 - hits / (sure.sum() + may.sum())"),
    ),
    (
        "union below",
        "visible",
        "counts a link that is predicted and sure once",
        error(MAY, HITS, "return 1 - hits / torch.maximum(predicted.float(), sure.float()).sum()"),
    ),
    (
        "precision",
        "visible",
        "sure links that are missed are errors too",
        error(MAY, "return 1 - (predicted * may).sum() / predicted.sum()"),
    ),
    (
        "recall",
        "visible",
        "this is the share of sure links that are missed",
        error("return 1 - (predicted * sure).sum() / sure.sum()"),
    ),
    (
        "mean of the sentences",
        "visible",
        "the mean of each sentence's error",
        error(
            MAY,
            "hits = (predicted * sure).sum((1, 2)) + (predicted * may).sum((1, 2))",
            "return (1 - hits / (predicted.sum((1, 2)) + sure.sum((1, 2)))).mean()",
        ),
    ),
    (
        "one for each sentence",
        "visible",
        "one error for each sentence",
        error(
            MAY,
            "hits = (predicted * sure).sum((1, 2)) + (predicted * may).sum((1, 2))",
            "return 1 - hits / (predicted.sum((1, 2)) + sure.sum((1, 2)))",
        ),
    ),
    (
        "cells that differ",
        "visible",
        "cells without a link on either side say nothing",
        error(MAY, "return (predicted.float() - may.float()).abs().mean()"),
    ),
    (
        "weights made bool",
        "visible",
        "every weight above 0 counts as a whole link",
        error("predicted = predicted.bool()", MAY, HITS, f"return 1 - hits / {BOTH}"),
    ),
    (
        "weights hardened",
        "visible",
        "only the largest weight of each row counts",
        error(
            "if predicted.is_floating_point():",
            "    hard = F.one_hot(predicted.argmax(-1), predicted.size(-1))",
            "    predicted = hard * (predicted.sum(-1, keepdim=True) > 0)",
            MAY,
            HITS,
            f"return 1 - hits / {BOTH}",
        ),
    ),
    (
        "bitwise and",
        "visible",
        ("error of weights", "`&` joins bools alone"),
        error(MAY, "hits = (predicted & sure).sum() + (predicted & may).sum()", f"return 1 - hits / {BOTH}"),
    ),
    (
        "one term",
        "visible",
        "the hits are counted once",
        error(MAY, f"return 1 - (predicted * may).sum() / {BOTH}"),
    ),
    (
        "in place",
        "visible",
        ("possible", "changed in place"),
        error("possible |= sure", "may = possible", HITS, f"return 1 - hits / {BOTH}"),
    ),
    (
        "sentence by sentence, no sure link",
        "hidden",
        "a sentence without a sure link",
        error(
            MAY,
            "known = sure.flatten(1).any(1)",
            "predicted, sure, may = predicted[known], sure[known], may[known]",
            HITS,
            f"return 1 - hits / {BOTH}",
        ),
    ),
]

RIGHT = [
    ("products", error(MAY, HITS, f"return 1 - hits / {BOTH}")),
    (
        "loops over links",
        error(
            "hits = links = 0.0",
            "for ours, must, may in zip(predicted.tolist(), sure.tolist(), possible.tolist()):",
            "    for row, wanted, allowed in zip(ours, must, may):",
            "        for share, is_sure, is_possible in zip(row, wanted, allowed):",
            "            hits += share * (is_sure + (is_sure or is_possible))",
            "            links += share + is_sure",
            "return torch.tensor(1 - hits / links, dtype=torch.float64)",
        ),
    ),
    ("a number", error(MAY, HITS, f"return 1 - hits.item() / {BOTH}.item()")),
    (
        "indexing",
        error(
            "hits = predicted[sure].sum() + predicted[torch.logical_or(sure, possible)].sum()",
            "return 1 - hits / (predicted.sum() + sure.sum())",
        ),
    ),
    (
        "twice the sure, once what is only possible",
        error(
            "a = predicted.double()",
            "s = sure.double()",
            "p = torch.maximum(s, possible.double())",
            "return (1 - torch.einsum('bts,bts->', a, s + p) / (a + s).sum()).to(torch.float64)",
        ),
    ),
]

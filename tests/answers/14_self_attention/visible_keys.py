"""Answers to the mask of padding and of the words to come."""

TASK, CHECKS, PARTS = "visible_keys", "visibility", ("visible_keys",)

REFUSE = ("if causal.size(-1) != source_mask.size(-1):", "    raise ValueError('masks for different lengths')")
NONE = ("if causal is None:", "    return source_mask.unsqueeze(1)")


def visible(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def visible_keys(source_mask: Tensor, causal: Tensor | None = None) -> Tensor:\n{body}"


WRONG = [
    ("or", "visible", "one mask OR the other", visible(*NONE, *REFUSE, "return source_mask.unsqueeze(1) | causal")),
    (
        "causal ignored",
        "visible",
        "the causal mask has not been used",
        visible("return source_mask.unsqueeze(1)"),
    ),
    (
        "causal ignored, expanded",
        "visible",
        "the causal mask is ignored",
        visible(*NONE, "return source_mask.unsqueeze(1).expand(-1, causal.size(0), -1)"),
    ),
    (
        "padding ignored",
        "visible",
        "the padding is ignored",
        visible(*NONE, "return causal.expand(source_mask.size(0), -1, -1)"),
    ),
    (
        "axis missing",
        "visible",
        "the axis of the queries is missing",
        visible("if causal is None:", "    return source_mask", "return source_mask.unsqueeze(1) & causal"),
    ),
    (
        "axis of the keys",
        "visible",
        "this would hide queries, not keys",
        visible("rows = source_mask.unsqueeze(-1)", "return rows if causal is None else rows & causal"),
    ),
    (
        "padding as queries",
        "visible",
        "the padding is hidden as a query",
        visible(*NONE, *REFUSE, "return source_mask.unsqueeze(-1) & causal"),
    ),
    (
        "padding as queries too",
        "visible",
        "the padding is hidden as a query",
        visible(*NONE, *REFUSE, "return source_mask.unsqueeze(1) & source_mask.unsqueeze(2) & causal"),
    ),
    (
        "polarity of the padding",
        "visible",
        ("visible: ", "True and False are exchanged"),
        visible("padding = ~source_mask.unsqueeze(1)", "return padding if causal is None else padding & causal"),
    ),
    (
        "polarity of the result",
        "visible",
        "True and False are exchanged",
        visible("hidden = ~source_mask.unsqueeze(1)", "return hidden if causal is None else hidden | ~causal"),
    ),
    (
        "polarity of the causal mask",
        "visible",
        "the causal mask is turned round",
        visible(*NONE, *REFUSE, "return source_mask.unsqueeze(1) & ~causal"),
    ),
    (
        "causal transposed",
        "visible",
        "the causal mask is transposed",
        visible(*NONE, *REFUSE, "return source_mask.unsqueeze(1) & causal.T"),
    ),
    (
        "equal is not and",
        "visible",
        "a key passes when both masks agree",
        visible(*NONE, *REFUSE, "return source_mask.unsqueeze(1) == causal"),
    ),
    (
        "multiplied into numbers",
        "visible",
        ("dtype torch.float32", "torch.bool"),
        visible("real = source_mask.unsqueeze(1).float()", "return real if causal is None else real * causal.float()"),
    ),
    (
        "always square",
        "hidden",
        "fewer queries than keys",
        visible(
            *NONE,
            *REFUSE,
            "keys = source_mask.size(1)",
            "return source_mask.unsqueeze(1) & torch.ones(keys, keys, dtype=torch.bool).tril()",
        ),
    ),
    (
        "queries are not keys",
        "hidden",
        ("fewer queries than keys", "raised ValueError"),
        visible(
            *NONE,
            "if causal.size(0) != source_mask.size(-1):",
            "    raise ValueError('masks for different lengths')",
            "return source_mask.unsqueeze(1) & causal",
        ),
    ),
    (
        "silence",
        "hidden",
        ("a ValueError", "broadcasts in silence"),
        visible(*NONE, "return source_mask.unsqueeze(1) & causal"),
    ),
    (
        "in place",
        "visible",
        ("causal", "changed in place"),
        visible(
            *NONE,
            *REFUSE,
            "rows = [causal.logical_and_(real).clone() for real in source_mask]",
            "return source_mask.unsqueeze(1) & torch.stack([causal | row for row in rows])"
            " & torch.ones_like(causal).tril()",
        ),
    ),
]

RIGHT = [
    ("and", visible(*NONE, *REFUSE, "return source_mask[:, None, :] & causal")),
    (
        "logical_and",
        visible(
            "visible = source_mask.unsqueeze(1)",
            "if causal is not None:",
            "    if causal.shape[-1] != source_mask.shape[-1]:",
            "        raise ValueError('masks for different lengths')",
            "    visible = torch.logical_and(visible, causal.unsqueeze(0))",
            "return visible",
        ),
    ),
    (
        "masked_fill",
        visible(*NONE, *REFUSE, "return causal.unsqueeze(0).masked_fill(~source_mask.unsqueeze(1), False)"),
    ),
    (
        "loop",
        visible(
            *NONE,
            *REFUSE,
            "return torch.stack([causal & real.expand_as(causal) for real in source_mask])",
        ),
    ),
    ("product", visible(*NONE, *REFUSE, "return torch.einsum('bk,qk->bqk', source_mask.int(), causal.int()).bool()")),
]

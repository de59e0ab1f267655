"""Answers to the mask of the last positions."""

TASK = "seen_by_last"

NONE = ("if queries is None:", "    return source_mask.unsqueeze(1)")
SIZES = "keys = source_mask.size(1)"
REFUSE = ("if queries > source_mask.size(1):", "    raise ValueError('more queries than keys')")
BEGIN = (*NONE, *REFUSE, SIZES, "place = torch.arange(keys, device=source_mask.device)")
SEEN = "place <= place[keys - queries :, None]"


def mask(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def seen_by_last(source_mask: Tensor, queries: int | None = None) -> Tensor:\n{body}"


WRONG = [
    ("None read as all queries", "all_ask",
     mask("if queries is None:", "    queries = source_mask.size(1)", *BEGIN[2:],
          f"return source_mask[:, None] & ({SEEN})")),
    ("0 read as None", "hidden: zero_is_none",
     mask("if not queries:", *BEGIN[1:], f"return source_mask[:, None] & ({SEEN})")),
    ("an assertion", "hidden: error_wrong",
     mask(*NONE, "assert queries <= source_mask.size(1)", *BEGIN[4:], f"return source_mask[:, None] & ({SEEN})")),
    ("batch in the triangle", "raised.RuntimeError | raised.IndexError | shape | values | change",
     mask(*BEGIN, f"return source_mask & ({SEEN})")),
    ("one too far", "too_far",
     mask(*BEGIN, "return source_mask[:, None] & (place <= place[keys - queries :, None] + 1)")),
    ("real keys counted", "hidden: values | padding_counts | padded_sentences",
     mask(*BEGIN, "return (place < source_mask.sum(1, keepdim=True))[:, None] & (" + SEEN + ")")),
]

RIGHT = [
    ("two ranges", mask(*BEGIN, f"return source_mask[:, None] & ({SEEN})")),
    ("masked_fill",
     mask(*BEGIN, f"return ({SEEN}).expand(len(source_mask), -1, -1).masked_fill(~source_mask.unsqueeze(1), False)")),
    ("loop",
        mask(
            *BEGIN, "visible = source_mask[:, None].repeat(1, queries, 1)", "for i in range(queries):",
            "    visible[:, i] &= place <= keys - queries + i", "return visible",
        )),
]

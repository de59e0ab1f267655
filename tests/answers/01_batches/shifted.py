"""Answers to the two sides of the target."""

TASK, CHECKS, PARTS = "shifted", "collation", ("shifted",)

READ = "target_in = F.pad(target, (1, 0), value=BOS)"
SAY = "target_out = F.pad(target, (0, 1), value=PAD).scatter(1, lengths.unsqueeze(1), EOS)"
RETURN = "return target_in, target_out"


def shifted(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def shifted(target: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:\n{body}"


WRONG = [
    ("order", "visible", "the two sides are exchanged", shifted(READ, SAY, "return target_out, target_in")),
    (
        "EOS behind the padding",
        "visible",
        "at the end of the row, behind the padding",
        shifted(READ, "target_out = F.pad(target, (0, 1), value=EOS)", RETURN),
    ),
    (
        "no EOS",
        "visible",
        "never learn to stop",
        shifted(READ, "target_out = F.pad(target, (0, 1), value=PAD)", RETURN),
    ),
    (
        "no BOS",
        "visible",
        "no <bos> comes first",
        shifted("target_in = F.pad(target, (0, 1), value=PAD)", SAY, RETURN),
    ),
    (
        "PAD is BOS",
        "visible",
        "in the place of <bos>",
        shifted("target_in = F.pad(target, (1, 0), value=PAD)", SAY, RETURN),
    ),
    (
        "EOS is BOS",
        "visible",
        "<eos> stands in the place of <bos>",
        shifted("target_in = F.pad(target, (1, 0), value=EOS)", SAY, RETURN),
    ),
    (
        "BOS behind",
        "visible",
        "<bos> stands behind the row",
        shifted("target_in = F.pad(target, (0, 1), value=BOS)", SAY, RETURN),
    ),
    ("not shifted", "visible", "the very word that it reads", shifted(READ, "target_out = target_in.clone()", RETURN)),
    (
        "EOS over the last word",
        "visible",
        "takes the place of the last word",
        shifted(READ, "target_out = F.pad(target.scatter(1, lengths.unsqueeze(1) - 1, EOS), (0, 1))", RETURN),
    ),
    (
        "EOS for all padding",
        "visible",
        "<eos> fills the padding",
        shifted(
            READ,
            "real = torch.arange(target.size(1) + 1) < lengths.unsqueeze(1)",
            "target_out = F.pad(target, (0, 1)).masked_fill(~real, EOS)",
            RETURN,
        ),
    ),
    (
        "last word cut off",
        "visible",
        "one place more than the longest",
        shifted("target_in = F.pad(target[:, :-1], (1, 0), value=BOS)", "return target_in, target"),
    ),
    (
        "both marks on both sides",
        "visible",
        "do not meet",
        shifted(SAY, "both = F.pad(target_out, (1, 0), value=BOS)", "return both, both"),
    ),
    (
        "EOS is read too",
        "visible",
        "<eos> is on the side that is read",
        shifted(
            SAY,
            READ,
            "target_in[torch.arange(len(target)), (lengths + 1).clamp(max=target.size(1))] = EOS",
            RETURN,
        ),
    ),
    (
        "EOS one too far",
        "visible",
        "one place too far",
        shifted(
            READ,
            "place = (lengths + 1).clamp(max=target.size(1)).unsqueeze(1)",
            "target_out = F.pad(target, (0, 1), value=PAD).scatter(1, place, EOS)",
            RETURN,
        ),
    ),
    (
        "EOS where the first ends",
        "visible",
        "where the first sentence does",
        shifted(READ, "target_out = F.pad(target, (0, 1))", "target_out[:, lengths[0]] = EOS", RETURN),
    ),
    ("one side", "visible", ("(4, 6)", "the pair (target_in, target_out)"), shifted(READ, "return target_in")),
    (
        "floats",
        "visible",
        ("dtype torch.float32", "ids are whole numbers"),
        shifted("target_in = torch.cat([torch.full((len(target), 1), float(BOS)), target], 1)", SAY, RETURN),
    ),
    (
        "shifted twice",
        "visible",
        "shifted by two",
        shifted(READ, SAY, "target_out = F.pad(target_out[:, 1:], (0, 1))", RETURN),
    ),
    (
        "in place",
        "visible",
        ("lengths", "changed in place"),
        shifted(READ, SAY, "lengths += 1", RETURN),
    ),
    (
        "BOS over the first word",
        "visible",
        "takes the place of the first word",
        shifted("target_in = F.pad(target, (0, 1))", "target_in[:, 0] = BOS", SAY, RETURN),
    ),
    (
        "empty sentence without an end",
        "hidden",
        ("an empty sentence among others", "wrong values"),
        shifted(
            READ,
            "target_out = F.pad(target, (0, 1))",
            "for row, length in enumerate(lengths.tolist()):",
            "    if length:",
            "        target_out[row, length] = EOS",
            RETURN,
        ),
    ),
]

RIGHT = [
    ("pad and scatter", shifted(READ, SAY, RETURN)),
    (
        "cat and index",
        shifted(
            "target_in = torch.cat([torch.full_like(target[:, :1], BOS), target], dim=1)",
            "target_out = torch.cat([target, torch.full_like(target[:, :1], PAD)], dim=1)",
            "target_out[torch.arange(len(target)), lengths] = EOS",
            RETURN,
        ),
    ),
    (
        "lists",
        shifted(
            "rows = [row[:n] for row, n in zip(target.tolist(), lengths.tolist())]",
            "width = target.size(1) + 1",
            "fill = lambda row: row + [PAD] * (width - len(row))",
            "return torch.tensor([fill([BOS, *r]) for r in rows]), torch.tensor([fill([*r, EOS]) for r in rows])",
        ),
    ),
    (
        "where",
        shifted(
            READ,
            "places = torch.arange(target.size(1) + 1)",
            "target_out = torch.where(places == lengths.unsqueeze(1), EOS, F.pad(target, (0, 1)))",
            "return [target_in, target_out]",
        ),
    ),
    (
        "a loop over rows",
        shifted(
            "target_in = target.new_full((target.size(0), target.size(1) + 1), PAD)",
            "target_out = target_in.clone()",
            "for row in range(len(target)):",
            "    n = int(lengths[row])",
            "    target_in[row, 0], target_in[row, 1 : n + 1] = BOS, target[row, :n]",
            "    target_out[row, :n], target_out[row, n] = target[row, :n], EOS",
            RETURN,
        ),
    ),
]

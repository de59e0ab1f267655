"""Answers to the proof by padding."""

TASK, CHECKS, PARTS = "padding_proof", "proofs", ("padding_proof",)

MASK = "mask = torch.cat([target_mask, torch.zeros_like(target_mask)], dim=1)"


def proof(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def padding_proof(losses: Tensor, target_mask: Tensor) -> tuple[Tensor, Tensor]:\n{body}"


def padded(added: str, mask: str = MASK) -> str:
    return proof(mask, f"return torch.cat([losses, {added}], dim=1), mask")


WRONG = [
    (
        "zeros",
        "visible",
        "a sum that has the padding in it goes unnoticed",
        padded("torch.zeros_like(losses)"),
    ),
    ("nothing added", "visible", ("shapes (3, 5) and (3, 5)", "more positions"), proof("return losses, target_mask")),
    (
        "the same losses again",
        "visible",
        "an average over all positions goes unnoticed",
        padded("losses"),
    ),
    (
        "infinite padding",
        "visible",
        ("padded losses", "infinity", "0 · ∞"),
        padded("torch.full_like(losses, torch.inf)"),
    ),
    (
        "real words added",
        "visible",
        "what is added has to be padding for the mask too",
        padded("losses + 1", "mask = torch.cat([target_mask, torch.ones_like(target_mask)], dim=1)"),
    ),
    (
        "losses changed",
        "visible",
        "a sentence has other real losses than before",
        proof(MASK, "return torch.cat([2 * losses, losses + 1], dim=1), mask"),
    ),
    (
        "sentences added",
        "visible",
        "the same sentences, more positions",
        proof(
            "mask = torch.cat([target_mask, torch.zeros_like(target_mask)])",
            "return torch.cat([losses, losses + 1]), mask",
        ),
    ),
    ("losses alone", "visible", ("one tensor", "the pair"), proof("return F.pad(losses, (0, 4), value=9.0)")),
    (
        "mask not padded",
        "visible",
        "shapes (3, 9) and (3, 5)",
        proof("return F.pad(losses, (0, 4), value=9.0), target_mask"),
    ),
    (
        "mask of numbers",
        "visible",
        ("padded mask", "dtype torch.float32"),
        padded("losses + 1", "mask = F.pad(target_mask.float(), (0, losses.size(1)))"),
    ),
    (
        "order of the pair",
        "visible",
        "padded losses",
        proof("return F.pad(target_mask, (0, 4)), F.pad(losses, (0, 4), value=9.0)"),
    ),
    (
        "padded in front of the mask only",
        "visible",
        "a sentence has other real losses than before",
        proof("return F.pad(losses, (0, 4), value=9.0), F.pad(target_mask, (4, 0))"),
    ),
    (
        "padded to ten",
        "hidden",
        ("no padding yet", "raised RuntimeError"),
        proof(
            "more = torch.full((len(losses), 10), 9.0)",
            "mask = torch.zeros(len(losses), 10, dtype=torch.bool)",
            "more[:, :5], mask[:, :5] = losses[:, :5], target_mask[:, :5]",
            "return more, mask",
        ),
    ),
    (
        "in place",
        "visible",
        ("losses", "changed in place"),
        proof(MASK, "losses[~target_mask] = 5.0", "return torch.cat([losses, losses + 1], dim=1), mask"),
    ),
]

RIGHT = [
    ("cat", padded("losses + 1.0")),
    ("pad", proof("return F.pad(losses, (0, 3), value=9.0), F.pad(target_mask, (0, 3), value=False)")),
    (
        "in front",
        proof("return F.pad(losses, (2, 0), value=7.0), F.pad(target_mask, (2, 0), value=False)"),
    ),
    (
        "one position",
        proof(
            "worst = losses.new_full((len(losses), 1), 50.0)",
            "never = target_mask.new_zeros(len(losses), 1)",
            "return torch.cat([losses, worst], 1), torch.cat([target_mask, never], 1)",
        ),
    ),
]

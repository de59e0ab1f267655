"""Answers to the proof by padding."""

TASK = "padding_proof"


def proof(losses: str, mask: str = "F.pad(target_mask, (0, 4))", before: str = "pass") -> str:
    head = "def padding_proof(losses: Tensor, target_mask: Tensor) -> tuple[Tensor, Tensor]:"
    return f"{head}\n    {before}\n    return {losses}, {mask}\n"


WIDER = "F.pad(losses, (0, 4), value=9.0)"

WRONG = [
    ("nothing added", "pair_shapes", proof("losses", "target_mask")),
    ("mask of numbers", "pair_kinds", proof(WIDER, "F.pad(target_mask.float(), (0, 4))")),
    ("padded in front of the mask only", "real_words", proof(WIDER, "F.pad(target_mask, (4, 0))")),
    ("padded with 7, whatever the losses are", "hidden: constant | again", proof(WIDER.replace("9.0", "7.0"))),
    ("in place", "changed_in_place", proof(WIDER, before="losses[~target_mask] = 5.0")),
]
RIGHT = [
    ("pad", proof(WIDER)),
    ("in front", proof("F.pad(losses, (4, 0), value=8.0)", "F.pad(target_mask, (4, 0), value=False)")),
    ("one position", proof("F.pad(losses, (0, 1), value=50.0)", "F.pad(target_mask, (0, 1))")),
]

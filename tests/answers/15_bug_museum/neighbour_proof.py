"""Answers to the proof by neighbours."""

TASK = "neighbour_proof"


def proof(result: str, before: str = "pass") -> str:
    return f"def neighbour_proof(scores: Tensor) -> tuple[Tensor, Tensor]:\n    {before}\n    return {result}\n"


WRONG = [
    ("twice the same", "same", proof("scores, scores.clone()")),
    ("turned round", "other_first", proof("scores, scores.flip(0)")),
    ("no axis for the batch", "no_batch", proof("scores[0], scores")),
    ("neighbours without a share where scores are large", "hidden: values",
     proof("scores[:1], torch.cat([scores[:1], torch.zeros_like(scores[1:])])")),
    ("a change as small as rounding", "small_change",
     proof("scores, scores + 1e-6 * (torch.arange(len(scores)) > 0)[:, None]")),
    ("in place", "changed_in_place", proof("scores[:1], scores", "scores += 3.0")),
]
RIGHT = [
    ("alone", proof("scores[:1], scores")),
    ("the last neighbour gone", proof("scores, scores[: max(1, len(scores) - 1)]")),
    ("the neighbours raised by a constant", proof("scores, torch.cat([scores[:1], scores[1:] + 3])")),
]

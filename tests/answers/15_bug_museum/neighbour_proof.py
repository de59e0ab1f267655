"""Answers to the proof by neighbours."""

TASK, CHECKS, PARTS = "neighbour_proof", "proofs", ("neighbour_proof",)


def proof(*lines: str) -> str:
    body = "".join(f"    {line}\n" for line in lines)
    return f"def neighbour_proof(scores: Tensor) -> tuple[Tensor, Tensor]:\n{body}"


BATCH = "a softmax over the batch goes unnoticed"

WRONG = [
    ("twice the same", "visible", BATCH, proof("return scores, scores.clone()")),
    (
        "other order of the neighbours",
        "visible",
        (BATCH, "only in another order"),
        proof("return scores, torch.cat([scores[:1], scores[1:].flip(0)])"),
    ),
    ("another first sentence", "visible", "the first sentences differ", proof("return scores[:1], scores[1:]")),
    ("turned round", "visible", "right code would be blamed", proof("return scores, scores.flip(0)")),
    ("words turned round", "visible", "right code would be blamed", proof("return scores, scores.flip(1)")),
    ("one batch", "visible", ("one tensor", "the pair"), proof("return scores[:1]")),
    ("no axis for the batch", "visible", ("one batch", "shape (5,)"), proof("return scores[0], scores")),
    ("one word less", "visible", ("other batch", "keys=5"), proof("return scores, scores[:, :-1]")),
    (
        "a neighbour of padding",
        "visible",
        ("infinity", "nobody is padding"),
        proof("return scores[:1], torch.cat([scores[:1], torch.full_like(scores[1:], -torch.inf)])"),
    ),
    (
        "a quiet neighbour",
        "visible",
        "a softmax over the batch goes unnoticed",
        proof("return scores[:1], torch.cat([scores[:1], scores[1:] - 1e4])"),
    ),
    (
        "the first sentence again",
        "visible",
        "centring the scores over the batch goes unnoticed",
        proof("return scores[:1], scores[:1].expand(4, -1)"),
    ),
    (
        "in place",
        "visible",
        ("scores", "changed in place"),
        proof("scores += 3.0", "return scores[:1], scores"),
    ),
    (
        "an invented sentence",
        "hidden",
        "two sentences",
        proof("return torch.zeros(1, 5), torch.cat([torch.zeros(1, 5), torch.arange(10.0).view(2, 5)])"),
    ),
]

RIGHT = [
    ("alone", proof("return scores[:1], scores")),
    ("the last neighbour gone", proof("return scores, scores[: max(1, len(scores) - 1)]")),
    (
        "other neighbours",
        proof("return scores, torch.cat([scores[:1], scores[1:] + torch.arange(scores.size(1)).to(scores)])"),
    ),
    (
        "a neighbour changed",
        proof("other = scores.clone()", "other[-1] = other[-1].flip(0) * 2 + 1", "return [scores, other]"),
    ),
]

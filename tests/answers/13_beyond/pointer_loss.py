"""Answers to the loss of a pointer-generator; most make the whole distribution first."""

TASK = "pointer_loss"


def loss(
    known: str = "F.pad(generated, (0, size - generated.size(-1)))",
    copied: str = "torch.zeros_like(known).scatter_add(-1, ids, weights)",
    mixed: str = "gate * known + (1 - gate) * copied",
    cost: str = "-right.clamp(min=1e-10).log()",
    end: str = "(costs * target_mask).sum() / target_mask.sum().clamp(min=1)",
    ids: str = "extended_source.unsqueeze(1).expand_as(weights)",
    size: str = "max(generated.size(-1), int(extended_source.max()) + 1, int(target.max()) + 1)",
    gate: str = "gate.unsqueeze(-1)",
) -> str:
    return f"""\
def pointer_loss(
    generated: Tensor, weights: Tensor, gate: Tensor, extended_source: Tensor, target: Tensor, target_mask: Tensor
) -> Tensor:
    size, gate, ids = {size}, {gate}, {ids}
    known = {known}
    copied = {copied}
    mixed = {mixed}
    right = mixed.gather(-1, target.unsqueeze(-1)).squeeze(-1)
    costs = {cost}
    return {end}
"""


WRONG = [
    ("padded in front", "values", loss("F.pad(generated, (size - generated.size(-1), 0))")),
    (
        "not padded",
        "raised.RuntimeError",
        loss("generated", "generated.new_zeros(*weights.shape[:2], size).scatter_add(-1, ids, weights)"),
    ),
    ("gate without its axis", "raised.RuntimeError", loss(gate="gate")),
    ("put, not added", "one_place | values", loss(copied="torch.zeros_like(known).scatter(-1, ids, weights)")),
    ("detached gate", "no_gradient", loss(gate="gate.detach().unsqueeze(-1)")),
    ("in place", "changed_in_place", loss(cost="-torch.maximum(right, gate.mul_(0)[..., 0] + 1e-10).log()")),
    ("weights cut off", "no_gradient", loss(copied="torch.zeros_like(known).scatter_add(-1, ids, weights.data)")),
    ("a softmax again", "values", loss(mixed="(gate * known + (1 - gate) * copied).softmax(-1)")),
    ("mean of what the mask leaves", "hidden: nothing_real", loss(end="costs[target_mask].mean()")),
    (
        "no clamp",
        "hidden: infinite",
        loss(cost="-right.log()", end="costs.masked_fill(~target_mask, 0).sum() / target_mask.sum().clamp(min=1)"),
    ),
    (
        "vocabulary of the target",
        "hidden: raised.IndexError | raised.RuntimeError",
        loss(size="max(generated.size(-1), int(extended_source.max()) + 1)"),
    ),
    ("gate by the known", "values", loss(mixed="torch.where(torch.arange(size) < generated.size(-1), known, copied)")),
]

RIGHT = [
    ("the whole distribution", loss()),
    ("masked_fill", loss(end="costs.masked_fill(~target_mask, 0).sum() / max(1, int(target_mask.sum()))")),
    (
        "the shares of the right word",
        """\
def pointer_loss(generated, weights, gate, extended_source, target, target_mask):
    size = generated.size(-1)
    written = torch.where(target < size, generated.gather(-1, target.clamp(max=size - 1)[..., None])[..., 0], 0)
    copied = torch.einsum("bts,bts->bt", weights, (extended_source[:, None] == target[..., None]).to(weights.dtype))
    right = torch.lerp(copied, written, gate).clamp_min(1e-10)
    return -(right.log() * target_mask).sum() / target_mask.sum().clamp(min=1)
""",
    ),
    (
        "a loop",
        """\
def pointer_loss(generated, weights, gate, extended_source, target, target_mask):
    total, count = 0 * generated.sum(), 0
    for b, t in target_mask.nonzero().tolist():
        word = int(target[b, t])
        right = (1 - gate[b, t]) * weights[b, t][extended_source[b] == word].sum()
        if word < generated.size(-1):
            right = right + gate[b, t] * generated[b, t, word]
        total, count = total - right.clamp(min=1e-10).log(), count + 1
    return total / max(count, 1)
""",
    ),
]

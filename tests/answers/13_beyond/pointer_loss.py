"""Answers to the loss of a pointer-generator; most make the whole distribution first."""

TASK = "pointer_loss"


def loss(
    known: str = "F.pad(generated, (0, size - generated.size(-1)))",
    copied: str = "torch.zeros_like(known).scatter_add(-1, ids, weights)",
    mixed: str = "gate * known + (1 - gate) * copied", cost: str = "-right.clamp(min=1e-10).log()",
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
    ("put, not added", "one_place | values", loss(copied="torch.zeros_like(known).scatter(-1, ids, weights)")),
    ("1e-10 added", "hidden: added", loss(cost="-(right + 1e-10).log()")),
    ("gates never 0", "hidden: values", loss(gate="gate.unsqueeze(-1).clamp(0.01, 0.99)")),
    ("no clamp", "hidden: infinite",
     loss(cost="-right.log()", end="costs.masked_fill(~target_mask, 0).sum() / target_mask.sum().clamp(min=1)")),
    ("vocabulary of the target", "hidden: raised.IndexError | raised.RuntimeError",
     loss(size="max(generated.size(-1), int(extended_source.max()) + 1)")),
]

RIGHT = [
    ("the whole distribution", loss()),
    ("masked_fill", loss(end="costs.masked_fill(~target_mask, 0).sum() / max(1, int(target_mask.sum()))")),
    ("the shares of the right word", """\
def pointer_loss(generated, weights, gate, extended_source, target, target_mask):
    size = generated.size(-1)
    written = torch.where(target < size, generated.gather(-1, target.clamp(max=size - 1)[..., None])[..., 0], 0)
    copied = torch.einsum("bts,bts->bt", weights, (extended_source[:, None] == target[..., None]).to(weights.dtype))
    right = torch.lerp(copied, written, gate).clamp_min(1e-10)
    return -(right.log() * target_mask).sum() / target_mask.sum().clamp(min=1)
"""),
]

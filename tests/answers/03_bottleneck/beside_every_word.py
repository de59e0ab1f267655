"""Answers to the vector beside every word."""

TASK = "beside_every_word"

BESIDE = "vector.unsqueeze(1).expand(-1, embedded.size(1), -1)"


def joined(beside: str = BESIDE, join: str = "torch.cat([embedded, beside], dim=-1)") -> str:
    return f"def beside_every_word(embedded, vector):\n    beside = {beside}\n    return {join}\n"


WRONG = [
    ("no axis", "raised.RuntimeError", joined("vector")),
    ("detached vector", "no_gradient", joined(f"vector.detach(){BESIDE.removeprefix('vector')}")),
    ("gradient of one step", "gradient", joined(
        "torch.cat([vector[:, None], vector.detach()[:, None].expand(-1, embedded.size(1) - 1, -1)], 1)")),
    ("times ones", "hidden: dtype", joined("torch.ones(*embedded.shape[:2], 1) * vector.unsqueeze(1)")),
    ("in place", "changed_in_place", joined("vector.mul_(1.5).unsqueeze(1).div(1.5).expand(-1, embedded.size(1), -1)")),
]  # fmt: skip

RIGHT = [
    ("expand", joined()), ("repeat", joined("vector.unsqueeze(1).repeat(1, embedded.size(1), 1)")),
    ("repeat_interleave", joined("vector[:, None].repeat_interleave(embedded.size(1), dim=1)")),
]  # fmt: skip

"""Answers to the vector beside every word."""

TASK = "beside_every_word"

BESIDE = "vector.unsqueeze(1).expand(-1, embedded.size(1), -1)"


def joined(beside: str = BESIDE, join: str = "torch.cat([embedded, beside], dim=-1)") -> str:
    return f"def beside_every_word(embedded, vector):\n    beside = {beside}\n    return {join}\n"


WRONG = [
    ("no axis", "raised.RuntimeError", joined("vector")),
    ("axis not expanded", "raised.RuntimeError", joined("vector.unsqueeze(1)")),
    ("along the steps", "raised.RuntimeError", joined(join="torch.cat([embedded, beside], 1)")),
    ("detached vector", "no_gradient", joined(f"vector.detach(){BESIDE.removeprefix('vector')}")),
    ("gradient of one step", "gradient", joined(
        "torch.cat([vector[:, None], vector.detach()[:, None].expand(-1, embedded.size(1) - 1, -1)], 1)")),
    ("new tensor", "no_gradient", joined(join="torch.tensor(torch.cat([embedded, beside], -1).tolist())")),
    ("in place", "changed_in_place", joined("vector.mul_(1.5).unsqueeze(1).div(1.5).expand(-1, embedded.size(1), -1)")),
    ("numbers in a loop", "no_gradient", joined(join="embedded.new_tensor([[word + v for word in s] for s, v in zip("
                                                "embedded.tolist(), vector.tolist())])")),
]  # fmt: skip

RIGHT = [
    ("expand", joined()),
    ("repeat", joined("vector.unsqueeze(1).repeat(1, embedded.size(1), 1)")),
    ("repeat_interleave", joined("vector[:, None].repeat_interleave(embedded.size(1), dim=1)")),
    ("stack of steps", joined("None", "torch.stack([torch.cat([w, vector], -1) for w in embedded.unbind(1)], 1)")),
    ("einsum", joined("torch.einsum('bv,bs->bsv', vector, torch.ones_like(embedded[..., 0]))")),
    ("an empty tensor filled", """\
def beside_every_word(embedded, vector):
    size = embedded.size(-1)
    joined = embedded.new_empty(*embedded.shape[:2], size + vector.size(-1))
    joined[..., :size], joined[..., size:] = embedded, vector[:, None]
    return joined
"""),
]  # fmt: skip

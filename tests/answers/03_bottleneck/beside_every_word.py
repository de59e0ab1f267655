"""Answers to the vector beside every word."""

TASK, CHECKS, PARTS = "beside_every_word", "every_step", ("beside_every_word",)

BESIDE = "vector.unsqueeze(1).expand(-1, embedded.size(1), -1)"


def joined(beside: str = BESIDE, join: str = "torch.cat([embedded, beside], dim=-1)") -> str:
    return f"def beside_every_word(embedded, vector):\n    beside = {beside}\n    return {join}\n"


def placed(step: str) -> str:
    return f"""\
def beside_every_word(embedded, vector):
    beside = embedded.new_zeros(*embedded.shape[:2], vector.size(-1))
    beside[:, {step}] = vector
    return torch.cat([embedded, beside], dim=-1)
"""


WRONG = [
    ("order", "visible", "the vector comes first", joined(join="torch.cat([beside, embedded], -1)")),
    ("first step only", "visible", "beside the first word only", placed("0")),
    ("last step only", "visible", "beside the last word only", placed("-1")),
    (
        "mixed rows",
        "visible",
        "mix the rows",
        joined("vector.repeat(embedded.size(1), 1).view(*embedded.shape[:2], -1)"),
    ),
    (
        "sentence 0",
        "visible",
        "the vector of sentence 0",
        joined("vector[0].expand(embedded.size(0), embedded.size(1), -1)"),
    ),
    ("averaged", "visible", "averaged over the batch", joined("vector.mean(0).expand(*embedded.shape[:2], -1)")),
    ("shared out", "visible", "shared out among the steps", joined(BESIDE + " / embedded.size(1)")),
    ("words gone", "visible", "the words are gone", joined(join="beside")),
    ("vector gone", "visible", "not put beside the words", joined(join="embedded.clone()")),
    ("one step", "visible", "only one step has arrived", joined("None", "torch.cat([embedded[:, 0], vector], -1)")),
    ("no axis", "visible", ("raised", "at your line"), joined("vector")),
    ("axis not expanded", "visible", ("raised", "at your line"), joined("vector.unsqueeze(1)")),
    ("along the steps", "visible", ("raised", "at your line"), joined(join="torch.cat([embedded, beside], 1)")),
    (
        "detached vector",
        "visible",
        "no gradient reaches vector",
        joined("vector.detach().unsqueeze(1).expand(-1, embedded.size(1), -1)"),
    ),
    (
        "detached words",
        "visible",
        "no gradient reaches embedded",
        joined(join="torch.cat([embedded.detach(), beside], -1)"),
    ),
    (
        "gradient of one step",
        "visible",
        "the values are right, the way to them is not",
        """\
def beside_every_word(embedded, vector):
    later = vector.detach().unsqueeze(1).expand(-1, embedded.size(1) - 1, -1)
    return torch.cat([embedded, torch.cat([vector.unsqueeze(1), later], 1)], -1)
""",
    ),
    (
        "new tensor",
        "visible",
        "cut off from autograd",
        joined(join="torch.tensor(torch.cat([embedded, beside], -1).tolist())"),
    ),
    ("words moved", "visible", "moved by one", joined(join="torch.cat([embedded.roll(1, 1), beside], -1)")),
    (
        "first word everywhere",
        "visible",
        "the first word stands at every step",
        joined(join="torch.cat([embedded[:, :1].expand_as(embedded), beside], -1)"),
    ),
    (
        "in place",
        "visible",
        ("vector", "changed in place"),
        joined("vector.mul_(1.5).unsqueeze(1).div(1.5).expand(-1, embedded.size(1), -1)"),
    ),
    ("bare squeeze", "hidden", "squeeze", joined(join="torch.cat([embedded, beside], -1).squeeze()")),
]

RIGHT = [
    ("expand", joined()),
    ("repeat", joined("vector.unsqueeze(1).repeat(1, embedded.size(1), 1)")),
    ("repeat_interleave", joined("vector[:, None].repeat_interleave(embedded.size(1), dim=1)")),
    (
        "stack of steps",
        joined("None", "torch.stack([torch.cat([word, vector], -1) for word in embedded.unbind(1)], 1)"),
    ),
    ("einsum", joined("torch.einsum('bv,bs->bsv', vector, torch.ones_like(embedded[..., 0]))")),
    ("a product of ones", joined("embedded.new_ones(*embedded.shape[:2], 1) * vector[:, None]")),
    (
        "an empty tensor filled",
        """\
def beside_every_word(embedded, vector):
    size = embedded.size(-1)
    joined = embedded.new_empty(*embedded.shape[:2], size + vector.size(-1))
    joined[..., :size] = embedded
    joined[..., size:] = vector[:, None]
    return joined
""",
    ),
]

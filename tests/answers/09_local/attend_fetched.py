"""Answers to local-p from the words of the window alone."""

TASK = "attend_fetched"


def attend(
    first: str = "torch.ceil(centres - half_width).long()", inside: str = "places.clamp(0, keys.size(1) - 1)",
    real: str = "(places == inside) & source_mask[rows, inside]",
    weights: str = "favour_centre(shares, places, centres, half_width)",
    contexts: str = "(weights.unsqueeze(-1) * values[rows, inside]).sum(2)",
) -> str:
    return f"""\
def attend_fetched(queries, keys, values, source_mask, centres, half_width):
    places = ({first})[..., None] + torch.arange(2 * half_width + 1)
    inside = {inside}
    rows = torch.arange(len(keys))[:, None, None]
    real = {real}
    scores = torch.einsum("bqk,bqwk->bqw", queries, keys[rows, inside])
    shares = window_softmax(scores, places, centres, half_width, real)
    weights = {weights}
    contexts = {contexts}
    return contexts, weights
"""


WIDE = """\
def attend_fetched(queries, keys, values, source_mask, centres, half_width):
    positions = torch.arange(keys.size(1))
    weights = window_softmax(queries @ keys.mT, positions, centres, half_width, source_mask[:, None])
    weights = favour_centre(weights, positions, centres, half_width)
    return weights @ values, weights
"""
WRONG = [
    ("cut towards 0", "change", attend(first="(centres - half_width).long()")),
    ("negative index", "wraps", attend("(centres - half_width).ceil().long()", "places.clamp(max=keys.size(1) - 1)")),
    ("lengths", "hidden: padding_counts", attend(real="(places >= 0) & (places < source_mask.sum(1)[:, None, None])")),
    ("gathered from the whole table", "all_scored", WIDE.replace(
            "    return weights @ values, weights",
            """\
    places = (centres - half_width).ceil().long()[..., None] + torch.arange(2 * half_width + 1)
    inside = places.clamp(0, keys.size(1) - 1)
    return weights @ values, weights.gather(-1, inside) * (places == inside)""",
        )),
    ("contexts before the Gaussian", "gaussian_returned",
     attend(contexts="(shares.unsqueeze(-1) * values[rows, inside]).sum(2)")),
    ("modulo", "values | beyond", attend(inside="places % keys.size(1)", real="source_mask[rows, inside]")),
]

RIGHT = [
    ("with the parts", attend()),
    ("one after the other", """\
def attend_fetched(queries, keys, values, source_mask, centres, half_width):
    contexts, weights = [], []
    for row, (question, centre) in enumerate(zip(queries, centres)):
        places = (centre - half_width).ceil().long()[:, None] + torch.arange(2 * half_width + 1)
        inside = places.clamp(0, keys.size(1) - 1)
        real = (places == inside) & source_mask[row, inside] & (abs(places - centre[:, None]) <= half_width)
        scores = (keys[row, inside] * question[:, None]).sum(-1)
        weights.append(masked_softmax(scores, real) * torch.exp(-2 * ((places - centre[:, None]) / half_width) ** 2))
        contexts.append((weights[-1][..., None] * values[row, inside]).sum(1))
    return torch.stack(contexts), torch.stack(weights)
"""),
    ("by hand, edge and all",
        attend(
            real="(places >= 0) & (places < keys.size(1)) & source_mask[rows, inside]"
            " & (abs(places - centres[..., None]) <= half_width)",
            weights="masked_softmax(scores, real) * torch.exp(-2 * ((places - centres[..., None]) / half_width) ** 2)",
        )),
]

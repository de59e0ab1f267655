"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "window_softmax",
        "largest score taken over all words",
        "The largest score that is subtracted before exp is that of the whole row, so a far higher score outside the"
        " window makes every weight inside underflow to 0.",
        '''
def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    if half_width < 1:
        raise ValueError("the half width must be at least 1")
    return (positions - centres.unsqueeze(-1)).abs() <= half_width


def window_softmax(
    scores: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
    source_mask: Tensor,
) -> Tensor:
    inside = in_window(positions, centres, half_width) & source_mask
    shifted = scores - scores.amax(-1, keepdim=True)  # no overflow
    exponentials = torch.where(inside, shifted.exp(), torch.zeros_like(scores))
    total = exponentials.sum(-1, keepdim=True)
    total = torch.where(total > 0, total, torch.ones_like(total))  # empty window
    return exponentials / total
''',
    ),
    (
        "window_softmax",
        "centres pushed back into the sentence",
        "A centre beyond the end of the sentence is clamped to its last word, so a window that should be empty or"
        " nearly so holds words after all.",
        '''
def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    if half_width < 1:
        raise ValueError(f"no window of half width {half_width}")
    centres = centres[:, :, None]
    return (centres - half_width <= positions) & (positions <= centres + half_width)


def window_softmax(
    scores: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
    source_mask: Tensor,
) -> Tensor:
    # a window may reach beyond the ends, but its centre has to be a place of the sentence
    first, last = positions.min().item(), positions.max().item()
    centres = centres.clamp(first, last)
    mask = in_window(positions, centres, half_width) & source_mask
    return masked_softmax(scores, mask)
''',
    ),
    (
        "centre_predictor",
        "length from the last real position",
        "S is taken to be the index of the last real token plus one, which is not the number of words where the"
        " padding stands on the left.",
        '''
class CentrePredictor(nn.Module):
    def __init__(self, hidden_size: int, position_size: int) -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(hidden_size, position_size, bias=False)  # W_p
        self.position_layer = nn.Linear(position_size, 1, bias=False)  # v_p

    def forward(self, hidden: Tensor, source_mask: Tensor) -> Tensor:
        places = torch.arange(1, source_mask.size(1) + 1, device=source_mask.device)
        lengths = (places * source_mask).max(dim=1, keepdim=True).values  # (batch, 1)
        share = torch.sigmoid(self.position_layer(torch.tanh(self.hidden_layer(hidden))))
        return lengths * share.squeeze(-1)
''',
    ),
    (
        "centre_predictor",
        "squeeze without an axis",
        "squeeze() also drops the axis of the queries or of the batch where that has size 1, so with one query the"
        " lengths broadcast to (batch, batch).",
        '''
class CentrePredictor(nn.Module):
    def __init__(self, hidden_size: int, position_size: int) -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(hidden_size, position_size, bias=False)  # W_p
        self.position_layer = nn.Linear(position_size, 1, bias=False)  # v_p

    def forward(self, hidden: Tensor, source_mask: Tensor) -> Tensor:
        length = source_mask.sum(-1, keepdim=True)
        h = self.hidden_layer(hidden).tanh()
        p = self.position_layer(h).sigmoid().squeeze()
        return length * p
''',
    ),
    (
        "favour_centre",
        "half the width by whole-number division",
        "Sigma is half_width // 2, which cuts off the half where the half width is odd, and is 0 for a half width of"
        " 1.",
        '''
def favour_centre(
    weights: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
) -> Tensor:
    sigma = half_width // 2
    distance = positions - centres.unsqueeze(2)
    return weights * torch.exp(-(distance**2) / (2 * sigma**2))
''',
    ),
    (
        "favour_centre",
        "density of the normal distribution",
        "The weights are multiplied by the density of a normal distribution, whose factor 1 / (sigma sqrt(2 pi))"
        " makes the value at the centre differ from 1.",
        '''
def favour_centre(
    weights: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
) -> Tensor:
    sigma = half_width / 2
    bell = torch.distributions.Normal(centres.unsqueeze(-1), sigma, validate_args=False)
    return weights * bell.log_prob(positions.to(centres.dtype)).exp()
''',
    ),
    (
        "attend_fetched",
        "positions from the floor on",
        "The positions begin at the floor of p - D and not at its ceiling, so for a centre between two words every"
        " weight stands one place too far right in its row.",
        '''
def attend_fetched(
    queries: Tensor, keys: Tensor, values: Tensor, source_mask: Tensor, centres: Tensor, half_width: int
) -> tuple[Tensor, Tensor]:
    first = torch.floor(centres - half_width).long()
    offsets = torch.arange(2 * half_width + 1, device=centres.device)
    wanted = first.unsqueeze(-1) + offsets  # (batch, queries, window)
    safe = wanted.clamp(0, keys.size(1) - 1)
    rows = torch.arange(keys.size(0), device=keys.device).view(-1, 1, 1)
    scores = (keys[rows, safe] @ queries.unsqueeze(-1)).squeeze(-1)
    real = source_mask[rows, safe] & (safe == wanted)
    weights = window_softmax(scores, wanted, centres, half_width, real)
    weights = favour_centre(weights, wanted, centres, half_width)
    contexts = (weights.unsqueeze(-2) @ values[rows, safe]).squeeze(-2)
    return contexts, weights
''',
    ),
    (
        "attend_fetched",
        "scaled dot scores",
        "The scores are divided by the root of the key size, as in the Transformer; the task asks for plain dot"
        " scores.",
        '''
def attend_fetched(
    queries: Tensor, keys: Tensor, values: Tensor, source_mask: Tensor, centres: Tensor, half_width: int
) -> tuple[Tensor, Tensor]:
    words = keys.shape[1]
    start = (centres - half_width).ceil().long()
    pi = start[..., None] + torch.arange(2 * half_width + 1, device=keys.device)
    exists = (pi >= 0) & (pi < words)
    at = pi.clamp(min=0, max=words - 1)
    b = torch.arange(len(keys), device=keys.device)[:, None, None]
    scores = torch.einsum("bqd,bqwd->bqw", queries, keys[b, at]) / math.sqrt(queries.shape[-1])
    distance = pi - centres[..., None]
    inside = exists & source_mask[b, at] & (distance.abs() <= half_width)
    weights = masked_softmax(scores, inside) * torch.exp(-2 * distance**2 / half_width**2)
    return torch.einsum("bqw,bqwd->bqd", weights, values[b, at]), weights
''',
    ),
    (
        "attend_fetched",
        "remembers only the end, not the beginning",
        "Positions below 0 are clamped to word 0 and then compared and masked as if word 0 stood there, so near the"
        " beginning the first word takes part several times.",
        '''
def attend_fetched(
    queries: Tensor, keys: Tensor, values: Tensor, source_mask: Tensor, centres: Tensor, half_width: int
) -> tuple[Tensor, Tensor]:
    size = keys.size(1)
    steps = torch.arange(2 * half_width + 1, device=keys.device)
    positions = torch.ceil(centres - half_width).long().unsqueeze(-1) + steps
    positions = positions.clamp(min=0)  # no negative index
    beyond = positions >= size
    places = positions.clamp(max=size - 1)
    rows = torch.arange(keys.size(0), device=keys.device)[:, None, None]
    scores = (keys[rows, places] * queries.unsqueeze(2)).sum(-1)
    weights = window_softmax(scores, positions, centres, half_width, source_mask[rows, places] & ~beyond)
    weights = favour_centre(weights, positions, centres, half_width)
    contexts = (weights.unsqueeze(-1) * values[rows, places]).sum(2)
    return contexts, weights
''',
    ),
    (
        "graves_window",
        "three numbers next to each other",
        "The last axis is read as triples, one for each bell, although it holds all heights, then all widths, then all"
        " steps.",
        '''
def graves_window(raw: Tensor, before: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
    batch, queries, size = raw.shape
    alpha, beta, step = raw.reshape(batch, queries, size // 3, 3).exp().unbind(-1)
    centres = before.unsqueeze(1) + step.cumsum(1)
    s = torch.arange(source_mask.size(1), device=raw.device)
    distance = centres.unsqueeze(-1) - s
    bells = alpha.unsqueeze(-1) * torch.exp(-beta.unsqueeze(-1) * distance**2)
    weights = bells.sum(2) * source_mask.unsqueeze(1)
    return weights, centres
''',
    ),
    (
        "graves_window",
        "softmax over heights, and padding kept",
        "The heights are a softmax over the bells, as in later mixture attention, and the padding of the source keeps"
        " its weight.",
        '''
def graves_window(raw: Tensor, before: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
    heights, widths, moves = raw.chunk(3, dim=-1)
    heights = heights.softmax(-1)  # the bells share the 1 among them
    widths = widths.exp()
    centres = before[:, None, :] + moves.exp().cumsum(dim=1)
    positions = torch.arange(source_mask.shape[-1], dtype=raw.dtype, device=raw.device)
    squared = (centres[..., None] - positions) ** 2  # (batch, queries, bells, keys)
    weights = torch.einsum("bqk,bqks->bqs", heights, torch.exp(-widths[..., None] * squared))
    return weights, centres
''',
    ),
]

"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "window_softmax",
        "only a half width of zero is refused",
        "A negative half width goes through without a ValueError; only 0 is refused.",
        '''
def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    if not half_width:
        raise ValueError("a half width of 0 makes no window")
    lowest = centres.unsqueeze(-1) - half_width
    highest = centres.unsqueeze(-1) + half_width
    return (positions >= lowest) & (positions <= highest)


def window_softmax(
    scores: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
    source_mask: Tensor,
) -> Tensor:
    return masked_softmax(scores, in_window(positions, centres, half_width) & source_mask)
''',
    ),
    (
        "window_softmax",
        "exponentials of all, zeroed outside",
        "The exponential is taken of every score and the words outside are multiplied by 0 afterwards, so a huge score "
        "outside the window gives infinity times 0, which is NaN.",
        '''
def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    if half_width < 1:
        raise ValueError(f"half_width: got {half_width}, expected at least 1")
    return (positions - centres[..., None]).abs() <= half_width


def window_softmax(
    scores: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
    source_mask: Tensor,
) -> Tensor:
    takes_part = (in_window(positions, centres, half_width) & source_mask).to(scores.dtype)
    shares = scores.exp() * takes_part
    total = shares.sum(dim=-1, keepdim=True)
    return shares / torch.where(total > 0, total, torch.ones_like(total))
''',
    ),
    (
        "centre_predictor",
        "the length is where the last word stands",
        "The length is taken as the place of the last real word plus one instead of the number of real words, so padding "
        "on the left moves the centre.",
        '''
class CentrePredictor(nn.Module):
    def __init__(self, hidden_size: int, position_size: int) -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(hidden_size, position_size, bias=False)  # W_p
        self.position_layer = nn.Linear(position_size, 1, bias=False)  # v_p

    def forward(self, hidden: Tensor, source_mask: Tensor) -> Tensor:
        places = torch.arange(1, source_mask.size(1) + 1, device=source_mask.device)
        length = (places * source_mask).amax(dim=1)
        inner = torch.tanh(self.hidden_layer(hidden))
        share = torch.sigmoid(self.position_layer(inner)).squeeze(-1)
        return length[:, None] * share
''',
    ),
    (
        "centre_predictor",
        "length less one",
        "The share is multiplied by the number of words less one, because positions are counted from 0; the formula has "
        "the number of words itself.",
        '''
class CentrePredictor(nn.Module):
    def __init__(self, hidden_size: int, position_size: int) -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(hidden_size, position_size, bias=False)  # W_p
        self.position_layer = nn.Linear(position_size, 1, bias=False)  # v_p

    def forward(self, hidden: Tensor, source_mask: Tensor) -> Tensor:
        last_position = (source_mask.sum(dim=-1, keepdim=True) - 1).clamp(min=0)
        share = self.position_layer(self.hidden_layer(hidden).tanh())[..., 0].sigmoid()
        return last_position.to(share.dtype) * share
''',
    ),
    (
        "favour_centre",
        "the 2 under the square",
        "The distance is divided by twice sigma and then squared, so the exponent is divided by four sigma squared "
        "instead of two.",
        '''
def favour_centre(
    weights: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
) -> Tensor:
    sigma = half_width / 2
    distance = positions - centres.unsqueeze(-1)
    return weights * torch.exp(-((distance / (2 * sigma)) ** 2))
''',
    ),
    (
        "favour_centre",
        "sigma by whole-number division",
        "Sigma is D // 2, which is rounded down for an odd half width: 0 for D = 1, and 2 instead of 2.5 for D = 5.",
        '''
def favour_centre(
    weights: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
) -> Tensor:
    variance = (half_width // 2) ** 2
    squared = torch.square(centres[:, :, None] - positions)
    gaussian = (-0.5 * squared / variance).exp()
    return gaussian * weights
''',
    ),
    (
        "attend_fetched",
        "rounded down where it should be up",
        "The first position is p - D rounded down instead of up; for a centre between two words the contexts are right, "
        "but every weight stands one place too far to the right.",
        '''
def attend_fetched(
    queries: Tensor, keys: Tensor, values: Tensor, source_mask: Tensor, centres: Tensor, half_width: int
) -> tuple[Tensor, Tensor]:
    batch, length = source_mask.shape
    offsets = torch.arange(2 * half_width + 1, device=keys.device)
    places = torch.floor(centres - half_width).long().unsqueeze(-1) + offsets  # (batch, queries, window)
    exists = (places >= 0) & (places < length)
    safe = places.clamp(0, length - 1)
    rows = torch.arange(batch, device=keys.device)[:, None, None]
    scores = torch.einsum("bqd,bqwd->bqw", queries, keys[rows, safe])
    distance = places - centres.unsqueeze(-1)
    inside = distance.abs() <= half_width
    weights = masked_softmax(scores, exists & inside & source_mask[rows, safe])
    weights = weights * torch.exp(-2 * distance**2 / half_width**2)
    return torch.einsum("bqw,bqwv->bqv", weights, values[rows, safe]), weights
''',
    ),
    (
        "attend_fetched",
        "the upper end of the sentence forgotten",
        "Positions below 0 are masked, but those beyond the end are pushed back to the last word and still count, so the "
        "last word stands in its window several times.",
        '''
def attend_fetched(
    queries: Tensor, keys: Tensor, values: Tensor, source_mask: Tensor, centres: Tensor, half_width: int
) -> tuple[Tensor, Tensor]:
    first = torch.ceil(centres - half_width).long()
    positions = first[..., None] + torch.arange(2 * half_width + 1, device=first.device)
    index = positions.clamp(min=0, max=keys.size(1) - 1)
    rows = torch.arange(keys.size(0), device=keys.device).view(-1, 1, 1)
    window_keys, window_values = keys[rows, index], values[rows, index]
    scores = (window_keys @ queries.unsqueeze(-1)).squeeze(-1)
    mask = source_mask[rows, index] & (positions >= 0)
    weights = window_softmax(scores, positions, centres, half_width, mask)
    weights = favour_centre(weights, positions, centres, half_width)
    contexts = (weights.unsqueeze(2) @ window_values).squeeze(2)
    return contexts, weights
''',
    ),
    (
        "graves_window",
        "each step starts again",
        "Every centre takes its step from where the centres stood before the call, not from the centre of the query "
        "before it, so the steps do not add up.",
        '''
def graves_window(raw: Tensor, before: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
    bells = before.size(-1)
    heights = raw[..., :bells].exp()
    widths = raw[..., bells : 2 * bells].exp()
    steps = raw[..., 2 * bells :].exp()
    places = torch.arange(source_mask.size(1), device=raw.device, dtype=raw.dtype)
    rows, centres = [], []
    for t in range(raw.size(1)):
        centre = before + steps[:, t]
        distance = centre.unsqueeze(-1) - places  # (batch, bells, keys)
        bell = heights[:, t].unsqueeze(-1) * torch.exp(-widths[:, t].unsqueeze(-1) * distance**2)
        rows.append(bell.sum(dim=1).masked_fill(~source_mask, 0.0))
        centres.append(centre)
    return torch.stack(rows, dim=1), torch.stack(centres, dim=1)
''',
    ),
    (
        "graves_window",
        "positions that skip padding",
        "Positions are numbered by counting real words, so with padding on the left a word's position is not the "
        "column in which it stands.",
        '''
def graves_window(raw: Tensor, before: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
    log_height, log_width, log_step = raw.chunk(3, dim=-1)
    centres = before.unsqueeze(1) + log_step.exp().cumsum(dim=1)
    position = (source_mask.cumsum(dim=-1) - 1).to(raw.dtype)  # (batch, keys)
    distance = centres.unsqueeze(-1) - position[:, None, None, :]
    exponent = log_height.unsqueeze(-1) - log_width.exp().unsqueeze(-1) * distance.square()
    weights = exponent.exp().sum(dim=2)
    return weights * source_mask.unsqueeze(1), centres
''',
    ),
]

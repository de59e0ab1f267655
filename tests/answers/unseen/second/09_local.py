"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "window_softmax",
        "softmax first, window after",
        "The softmax runs over all real words and the window is cut out and normalised again afterwards, so a word outside with a huge score leaves only zeros inside.",
        '''
def in_window(positions: Tensor, centres: Tensor, half_width: int) -> Tensor:
    if half_width < 1:
        raise ValueError(f"half_width: got {half_width}, expected at least 1")
    distance = positions - centres.unsqueeze(-1)
    return distance.abs() <= half_width


def window_softmax(
    scores: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
    source_mask: Tensor,
) -> Tensor:
    inside = in_window(positions, centres, half_width)
    weights = masked_softmax(scores, source_mask) * inside
    total = weights.sum(dim=-1, keepdim=True)
    return torch.where(total > 0, weights / total.clamp(min=1e-12), torch.zeros_like(weights))
''',
    ),
    (
        "window_softmax",
        "whole centres, half width 0 allowed",
        "The centre is cut to a whole number before the window is laid, and a half width of 0 is let through because only negative ones are refused.",
        '''
def in_window(positions, centres, half_width):
    if half_width < 0:
        raise ValueError("half_width must not be negative")
    middle = centres.long()[..., None]
    lower = middle - half_width
    upper = middle + half_width
    return (positions >= lower) & (positions <= upper)


def window_softmax(scores, positions, centres, half_width, source_mask):
    visible = source_mask & in_window(positions, centres, half_width)
    return masked_softmax(scores, visible)
''',
    ),
    (
        "centre_predictor",
        "length is the place of the last real word",
        "The length is taken as the position of the last real word plus one, which is too much when the padding stands on the left.",
        '''
class CentrePredictor(nn.Module):
    def __init__(self, hidden_size: int, position_size: int) -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(hidden_size, position_size, bias=False)  # W_p
        self.position_layer = nn.Linear(position_size, 1, bias=False)  # v_p

    def forward(self, hidden: Tensor, source_mask: Tensor) -> Tensor:
        places = torch.arange(1, source_mask.size(1) + 1, device=source_mask.device)
        lengths = (places * source_mask).amax(dim=1, keepdim=True)
        share = torch.sigmoid(self.position_layer(torch.tanh(self.hidden_layer(hidden))))
        return lengths * share[..., 0]
''',
    ),
    (
        "centre_predictor",
        "squeeze of everything",
        "squeeze() without an axis also drops the axis of the queries when there is only one query, and then every sentence meets every other.",
        '''
class CentrePredictor(nn.Module):
    def __init__(self, hidden_size: int, position_size: int) -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(hidden_size, position_size, bias=False)  # W_p
        self.position_layer = nn.Linear(position_size, 1, bias=False)  # v_p

    def forward(self, hidden: Tensor, source_mask: Tensor) -> Tensor:
        h = self.hidden_layer(hidden).tanh()
        share = self.position_layer(h).sigmoid().squeeze()
        length = source_mask.sum(1, keepdim=True)
        return length * share
''',
    ),
    (
        "favour_centre",
        "brackets of the denominator",
        "The squared distance is divided by 2 and then multiplied by sigma squared instead of being divided by it, which only agrees for a half width of 2.",
        '''
def favour_centre(
    weights: Tensor,
    positions: Tensor,
    centres: Tensor,
    half_width: int,
) -> Tensor:
    sigma = half_width / 2
    distance = positions - centres[:, :, None]
    return weights * torch.exp(-distance**2 / 2 * sigma**2)
''',
    ),
    (
        "favour_centre",
        "in place",
        "The factor is multiplied into the weights in place, so the caller's table is changed.",
        '''
def favour_centre(weights, positions, centres, half_width):
    sigma = 0.5 * half_width
    z = (positions - centres.unsqueeze(2)) / sigma
    bell = torch.exp(-0.5 * z.square())
    weights *= bell
    return weights
''',
    ),
    (
        "attend_fetched",
        "clamped positions forgotten to be none",
        "After the positions are pushed into the sentence they are used everywhere, so the first or last word stands in a window several times at the border.",
        '''
def attend_fetched(
    queries: Tensor, keys: Tensor, values: Tensor, source_mask: Tensor, centres: Tensor, half_width: int
) -> tuple[Tensor, Tensor]:
    start = torch.ceil(centres - half_width).long()
    offsets = torch.arange(2 * half_width + 1, device=keys.device)
    places = (start.unsqueeze(-1) + offsets).clamp(0, keys.size(1) - 1)
    rows = torch.arange(keys.size(0), device=keys.device)[:, None, None]
    near_keys, near_values = keys[rows, places], values[rows, places]
    scores = (near_keys @ queries.unsqueeze(-1)).squeeze(-1)
    weights = window_softmax(scores, places, centres, half_width, source_mask[rows, places])
    weights = favour_centre(weights, places, centres, half_width)
    contexts = (weights.unsqueeze(2) @ near_values).squeeze(2)
    return contexts, weights
''',
    ),
    (
        "attend_fetched",
        "cut towards zero, padding let in",
        "The first position is cut by .long() instead of rounded up, and the source mask is never looked at, so padding inside the sentence's row takes part.",
        '''
def attend_fetched(queries, keys, values, source_mask, centres, half_width):
    batch, length, _ = keys.shape
    first = (centres - half_width).long()
    where = first[:, :, None] + torch.arange(2 * half_width + 1, device=keys.device)
    exists = (where >= 0) & (where < length)
    safe = where.clamp(min=0, max=length - 1)
    rows = torch.arange(batch, device=keys.device).view(-1, 1, 1)
    k = keys[rows, safe]
    v = values[rows, safe]
    scores = torch.einsum("bqd,bqwd->bqw", queries, k)
    distance = where - centres[:, :, None]
    inside = exists & (distance.abs() <= half_width)
    weights = masked_softmax(scores, inside)
    weights = weights * torch.exp(-2 * distance**2 / half_width**2)
    return torch.einsum("bqw,bqwd->bqd", weights, v), weights
''',
    ),
    (
        "graves_window",
        "exponential of the sum",
        "The raw numbers are summed first and the exponential is taken of the sum, while every single step has to be an exponential before they are added up.",
        '''
def graves_window(raw: Tensor, before: Tensor, source_mask: Tensor) -> tuple[Tensor, Tensor]:
    heights, widths, steps = raw.chunk(3, dim=-1)
    centres = before.unsqueeze(1) + steps.cumsum(dim=1).exp()
    positions = torch.arange(source_mask.size(1), device=raw.device, dtype=raw.dtype)
    distance = centres.unsqueeze(-1) - positions
    bells = heights.exp().unsqueeze(-1) * torch.exp(-widths.exp().unsqueeze(-1) * distance**2)
    weights = bells.sum(dim=2) * source_mask.unsqueeze(1)
    return weights, centres
''',
    ),
    (
        "graves_window",
        "positions from 1",
        "The characters are counted from 1 as in Graves's paper, while the task counts positions from 0.",
        '''
def graves_window(raw, before, source_mask):
    bells = before.size(-1)
    alpha = raw[..., :bells].exp()
    beta = raw[..., bells : 2 * bells].exp()
    step = raw[..., 2 * bells :].exp()
    centre, centres, rows = before, [], []
    s = torch.arange(1, source_mask.size(1) + 1, device=raw.device).to(raw.dtype)
    for t in range(raw.size(1)):
        centre = centre + step[:, t]
        phi = alpha[:, t, :, None] * torch.exp(-beta[:, t, :, None] * (centre[:, :, None] - s) ** 2)
        rows.append(phi.sum(1).masked_fill(~source_mask, 0.0))
        centres.append(centre)
    return torch.stack(rows, dim=1), torch.stack(centres, dim=1)
''',
    ),
]

"""Answers to the predicted centre."""

TASK, CHECKS, PARTS = "centre_predictor", "centre", ("CentrePredictor",)


def predictor(
    result: str = "length * share",
    share: str = "torch.sigmoid(raw)",
    raw: str = "self.position_layer(torch.tanh(self.hidden_layer(hidden))).squeeze(-1)",
    length: str = "source_mask.sum(-1, keepdim=True)",
) -> str:
    return f"""\
class CentrePredictor(nn.Module):
    def __init__(self, hidden_size: int, position_size: int) -> None:
        super().__init__()
        self.hidden_layer = nn.Linear(hidden_size, position_size, bias=False)  # W_p
        self.position_layer = nn.Linear(position_size, 1, bias=False)  # v_p

    def forward(self, hidden: Tensor, source_mask: Tensor) -> Tensor:
        length = {length}
        raw = {raw}
        share = {share}
        return {result}
"""


DETACHED = predictor().replace("(hidden)))", "(hidden.detach())))")

WRONG = [
    (
        "length of the batch",
        "visible",
        ("S is the length of the longest sentence", "padding would move"),
        predictor(length="source_mask.size(1)"),
    ),
    ("no length", "visible", "S is missing", predictor("share + 0 * length")),
    ("length minus one", "visible", "S is one too small", predictor("(length - 1) * share")),
    ("polarity", "visible", "S counts the padding", predictor(length="(~source_mask).sum(-1, keepdim=True)")),
    ("words of the batch", "visible", "the whole batch", predictor(length="source_mask.sum()")),
    ("no sigmoid", "visible", "the sigmoid is missing", predictor(share="raw")),
    ("tanh for sigmoid", "visible", "a tanh in place of the sigmoid", predictor(share="raw.tanh()")),
    ("sigmoid outermost", "visible", "S is inside the sigmoid", predictor("torch.sigmoid(length * raw)")),
    (
        "no tanh",
        "visible",
        "the tanh is missing",
        predictor(raw="self.position_layer(self.hidden_layer(hidden)).squeeze(-1)"),
    ),
    (
        "ReLU for tanh",
        "visible",
        "a ReLU in place of the tanh",
        predictor(raw="self.position_layer(torch.relu(self.hidden_layer(hidden))).squeeze(-1)"),
    ),
    (
        "two tanh",
        "visible",
        "a second tanh",
        predictor(raw="self.position_layer(torch.tanh(self.hidden_layer(hidden))).squeeze(-1).tanh()"),
    ),
    ("v forgotten", "visible", "v is forgotten", predictor(raw="torch.tanh(self.hidden_layer(hidden)).sum(-1)")),
    (
        "rounded",
        "visible",
        "the centre is rounded: a rounded number has no slope",
        predictor("(length * share).round()"),
    ),
    ("floor", "visible", "the centre is rounded", predictor("(length * share).floor()")),
    (
        "trailing axis",
        "visible",
        "its axis of size 1 is left over",
        predictor("length.unsqueeze(-1) * share", raw="self.position_layer(torch.tanh(self.hidden_layer(hidden)))"),
    ),
    (
        "lengths without an axis",
        "visible",
        ("raised RuntimeError", "source_mask (3, 7)"),
        predictor(length="source_mask.sum(-1)"),
    ),
    (
        "bare squeeze",
        "hidden",
        ("one query", "a bare `.squeeze()`"),
        predictor(raw="self.position_layer(torch.tanh(self.hidden_layer(hidden))).squeeze()"),
    ),
    (
        "longest sentence",
        "visible",
        "S is the length of the longest sentence",
        predictor(length="source_mask.sum(-1).max()"),
    ),
    (
        "last real position",
        "hidden",
        "on the left",
        predictor(length="(source_mask * torch.arange(1, source_mask.size(1) + 1)).amax(-1, keepdim=True)"),
    ),
    (
        "detached state",
        "visible",
        "no gradient reaches hidden",
        predictor().replace("(hidden)))", "(hidden.detach())))"),
    ),
    (
        "W never applied",
        "visible",
        "W is never applied",
        predictor(raw="self.position_layer(torch.tanh(hidden)).squeeze(-1)"),
    ),
    (
        "mean over queries",
        "visible",
        "raised",
        predictor(raw="self.position_layer(torch.tanh(self.hidden_layer(hidden.mean(1)))).view(3, 7)"),
    ),
]

RIGHT = [
    ("inside out", predictor()),
    ("lengths with None", predictor(length="source_mask.sum(dim=1)[:, None]")),
    ("as float", predictor(length="source_mask.to(hidden.dtype).sum(-1, keepdim=True)")),
    (
        "matrix products",
        predictor(raw="(hidden @ self.hidden_layer.weight.T).tanh() @ self.position_layer.weight.squeeze(0)"),
    ),
    ("sigmoid by hand", predictor("length / (1 + torch.exp(-raw))")),
    (
        "einsum",
        predictor(
            "torch.einsum('bo,bq->bq', length.to(share.dtype), share)",
        ),
    ),
    (
        "loop over sentences",
        predictor("torch.stack([words * row for words, row in zip(source_mask.sum(-1), share)])"),
    ),
]

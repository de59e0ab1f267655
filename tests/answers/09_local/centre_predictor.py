"""Answers to the predicted centre."""

TASK = "centre_predictor"


def predictor(
    result: str = "length * share", raw: str = "self.position_layer(torch.tanh(self.hidden_layer(hidden))).squeeze(-1)",
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
        share = torch.sigmoid(raw)
        return {result}
"""


AXIS = "self.position_layer(torch.tanh(self.hidden_layer(hidden)))"
WRONG = [
    ("words of the columns' mean", "factor", predictor(length="source_mask.float().mean(-1, keepdim=True)")),
    ("lengths without an axis", "raised.RuntimeError", predictor(length="source_mask.sum(-1)")),
    ("detached state", "no_gradient", predictor(raw=AXIS.replace("(hidden)", "(hidden.detach())") + ".squeeze(-1)")),
    ("a sigmoid of its own", "hidden: gradient_not_finite | naive",
     predictor().replace("torch.sigmoid(raw)", "1 - 1 / (1 + raw.exp())")),
    ("mean over queries", "positions_mixed", predictor("length * share.mean(1, keepdim=True).expand_as(share)")),
]

RIGHT = [
    ("inside out", predictor()),
    ("lengths with None, as float", predictor(length="source_mask.to(hidden.dtype).sum(dim=1)[:, None]")),
    ("loop", predictor("torch.stack([words * row for words, row in zip(source_mask.sum(-1), share)])")),
]

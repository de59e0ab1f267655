"""Answers to feed-forward attention."""

TASK = "feed_forward_attention"


def attention(
    scores: str = "torch.tanh(self.score_layer(states)).squeeze(-1)", weights: str = "masked_softmax(scores, mask)",
    end: str = "weighted_sum(weights, states), weights",
) -> str:
    return f"""\
class FeedForwardAttention(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.score_layer = nn.Linear(size, 1)  # w, b
        nn.init.normal_(self.score_layer.weight, std=1 / math.sqrt(size))
        nn.init.zeros_(self.score_layer.bias)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        scores = {scores}
        weights = {weights}
        return {end}
"""


WRONG = [
    ("detached weights", "gradient", attention(end="weighted_sum(weights.detach(), states), weights")),
    ("bare squeeze", "hidden: squeezed", attention("torch.tanh(self.score_layer(states)).squeeze()")),
    ("any mask", "hidden: error_missing", attention(weights="masked_softmax(scores, mask.bool())")),
    ("lengths for a mask", "hidden: padding_counts",
     attention(weights="masked_softmax(scores, torch.arange(mask.size(1)) < mask.sum(1, keepdim=True))")),
]

RIGHT = [
    ("composed", attention()),
    ("by einsum",
     attention("torch.einsum('bsd,d->bs', states, self.score_layer.weight[0]) + self.score_layer.bias",
               "masked_softmax(scores.tanh(), mask)", "(torch.einsum('bs,bsd->bd', weights, states), weights)")),
    ("loop over steps",
     attention("torch.stack([torch.tanh(self.score_layer(state))[:, 0] for state in states.unbind(1)], dim=1)",
               end="[sum(weights[:, t, None] * states[:, t] for t in range(states.size(1))), weights]")),
]

"""Answers to feed-forward attention."""

TASK, CHECKS, PARTS = "feed_forward_attention", "feed_forward", ("FeedForwardAttention",)

SCORES = "scores = torch.tanh(self.score_layer(states)).squeeze(-1)"
WEIGHTS = "weights = masked_softmax(scores, mask)"
RETURN = "return weighted_sum(weights, states), weights"


def attention(*lines: str) -> str:
    body = "".join(f"        {line}\n" for line in lines)
    return f"""\
class FeedForwardAttention(nn.Module):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.score_layer = nn.Linear(size, 1)  # w, b
        nn.init.normal_(self.score_layer.weight, std=1 / math.sqrt(size))
        nn.init.zeros_(self.score_layer.bias)

    def forward(self, states: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
{body}"""


WRONG = [
    (
        "no tanh",
        "visible",
        "the tanh is missing",
        attention("scores = self.score_layer(states).squeeze(-1)", WEIGHTS, RETURN),
    ),
    (
        "sigmoid",
        "visible",
        "a sigmoid in place of the tanh",
        attention("scores = torch.sigmoid(self.score_layer(states)).squeeze(-1)", WEIGHTS, RETURN),
    ),
    (
        "tanh of the states",
        "visible",
        "the tanh is taken of the states",
        attention("scores = self.score_layer(torch.tanh(states)).squeeze(-1)", WEIGHTS, RETURN),
    ),
    (
        "no bias",
        "visible",
        "the bias b is left out",
        attention("scores = torch.tanh(states @ self.score_layer.weight[0])", WEIGHTS, RETURN),
    ),
    (
        "bias after the tanh",
        "visible",
        "the bias b",
        attention("scores = torch.tanh(states @ self.score_layer.weight[0]) + self.score_layer.bias", WEIGHTS, RETURN),
    ),
    (
        "no mask",
        "visible",
        "the mask is not used",
        attention(SCORES, "weights = scores.softmax(-1)", RETURN),
    ),
    (
        "mask after the softmax",
        "visible",
        "the mask comes after the softmax",
        attention(SCORES, "weights = scores.softmax(-1) * mask", RETURN),
    ),
    (
        "scores times mask",
        "visible",
        "exp(0) is 1",
        attention(SCORES, "weights = (scores * mask).softmax(-1)", RETURN),
    ),
    (
        "polarity",
        "visible",
        "the mask is turned round",
        attention(SCORES, "weights = masked_softmax(scores, ~mask)", RETURN),
    ),
    (
        "softmax over the batch",
        "visible",
        "the softmax runs over the batch",
        attention(SCORES, "weights = scores.masked_fill(~mask, -1e9).softmax(0) * mask", RETURN),
    ),
    (
        "softmax over the axis of size 1",
        "visible",
        "the softmax runs over the axis of size 1",
        attention(
            "scores = torch.tanh(self.score_layer(states))",
            "weights = scores.softmax(-1).squeeze(-1)",
            RETURN,
        ),
    ),
    (
        "the mean",
        "visible",
        "that is the plain mean",
        attention("weights = masked_softmax(states.new_zeros(mask.shape), mask)", RETURN),
    ),
    (
        "mean of the states returned",
        "visible",
        "the weights are not used",
        attention(SCORES, WEIGHTS, "real = mask.unsqueeze(-1)", "return (states * real).sum(1) / real.sum(1), weights"),
    ),
    (
        "weighted mean over the steps",
        "visible",
        "divided by the number of steps as well",
        attention(SCORES, WEIGHTS, "return (weights.unsqueeze(-1) * states).mean(1), weights"),
    ),
    (
        "hard choice",
        "visible",
        "the state of the largest weight alone",
        attention(SCORES, WEIGHTS, "return states[torch.arange(len(states)), weights.argmax(-1)], weights"),
    ),
    (
        "order",
        "visible",
        "the order is the other way",
        attention(SCORES, WEIGHTS, "return weights, weighted_sum(weights, states)"),
    ),
    (
        "context alone",
        "visible",
        ("one tensor", "the caller needs both"),
        attention(SCORES, WEIGHTS, "return weighted_sum(weights, states)"),
    ),
    (
        "axis left",
        "visible",
        ("raised", "at your line"),
        attention("scores = torch.tanh(self.score_layer(states))", WEIGHTS, RETURN),
    ),
    (
        "detached weights",
        "visible",
        "no gradient reaches score_layer",
        attention(SCORES, WEIGHTS, "return weighted_sum(weights.detach(), states), weights"),
    ),
    (
        "bare squeeze",
        "hidden",
        "attention",
        attention("scores = torch.tanh(self.score_layer(states)).squeeze()", WEIGHTS, RETURN),
    ),
    (
        "minus infinity",
        "hidden",
        "a sequence without a real step gets weights of 0",
        attention(SCORES, "weights = scores.masked_fill(~mask, -torch.inf).softmax(-1)", RETURN),
    ),
]

RIGHT = [
    ("composed", attention(SCORES, WEIGHTS, RETURN)),
    (
        "by einsum",
        attention(
            "scores = torch.einsum('bsd,d->bs', states, self.score_layer.weight[0]) + self.score_layer.bias",
            "weights = masked_softmax(scores.tanh(), mask)",
            "return torch.einsum('bs,bsd->bd', weights, states), weights",
        ),
    ),
    (
        "by exponentials",
        attention(
            "raw = torch.exp(torch.tanh(self.score_layer(states))) * mask.unsqueeze(-1)",
            "weights = raw / raw.sum(1, keepdim=True).clamp(min=1e-9)",
            "return (weights * states).sum(1), weights[:, :, 0]",
        ),
    ),
    (
        "loop over steps",
        attention(
            "scores = torch.stack([torch.tanh(self.score_layer(state))[:, 0] for state in states.unbind(1)], dim=1)",
            WEIGHTS,
            "context = sum(weights[:, step, None] * states[:, step] for step in range(states.size(1)))",
            "return [context, weights]",
        ),
    ),
]

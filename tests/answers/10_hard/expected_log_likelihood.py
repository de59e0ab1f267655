"""Answers to the expected log-likelihood."""

TASK, CHECKS, PARTS = "expected_log_likelihood", "bound", ("expected_log_likelihood",)


def bound(result: str, before: str = "") -> str:
    return (
        "def expected_log_likelihood(log_weights: Tensor, log_likelihoods: Tensor) -> Tensor:\n"
        f"{before}    return {result}\n"
    )


WRONG = [
    (
        "log-weights",
        "visible",
        "the logarithms of the weights are used",
        bound("(log_weights * log_likelihoods).sum(-1)"),
    ),
    (
        "marginal",
        "visible",
        "this is the marginal",
        bound("torch.logsumexp(log_weights + log_likelihoods, -1)"),
    ),
    (
        "likelihoods",
        "visible",
        "the expected likelihood",
        bound("(log_weights.exp() * log_likelihoods.exp()).sum(-1)"),
    ),
    (
        "plain average",
        "visible",
        "the plain average",
        bound("log_likelihoods.mean(-1) + 0 * log_weights.exp().sum(-1)"),
    ),
    ("plain sum", "visible", "the plain sum", bound("log_likelihoods.sum(-1)")),
    (
        "best position",
        "visible",
        "the position of the largest weight",
        bound("log_likelihoods.gather(-1, log_weights.argmax(-1, keepdim=True)).squeeze(-1)"),
    ),
    (
        "averaged as well",
        "visible",
        "divided by the number of positions",
        bound("(log_weights.exp() * log_likelihoods).mean(-1)"),
    ),
    ("loss", "visible", "the sign is turned round", bound("-(log_weights.exp() * log_likelihoods).sum(-1)")),
    ("not summed", "visible", "weighted, but not summed yet", bound("log_weights.exp() * log_likelihoods")),
    (
        "batch summed",
        "visible",
        "each sentence has a bound of its own",
        bound("(log_weights.exp() * log_likelihoods).sum()"),
    ),
    ("wrong axis", "visible", "it ran over the batch", bound("(log_weights.exp() * log_likelihoods).sum(0)")),
    (
        "two softmax",
        "visible",
        "exp is enough",
        bound("(log_weights.exp().softmax(-1) * log_likelihoods).sum(-1)"),
    ),
    (
        "cut off",
        "visible",
        "no gradient reaches the scores",
        bound("(log_weights.detach().exp() * log_likelihoods).sum(-1)"),
    ),
    (
        "one draw",
        "visible",
        "bound",
        bound(
            "log_likelihoods.gather(-1, s).squeeze(-1)",
            "    s = torch.multinomial(log_weights.exp(), 1)\n",
        ),
    ),
]

RIGHT = [
    ("as written", bound("(log_weights.exp() * log_likelihoods).sum(dim=-1)")),
    ("einsum", bound("torch.einsum('...k,...k->...', log_weights.exp(), log_likelihoods)")),
    (
        "matrix product",
        bound("(log_weights.exp().unsqueeze(-2) @ log_likelihoods.unsqueeze(-1)).squeeze(-1).squeeze(-1)"),
    ),
    ("softmax of log-weights", bound("(log_weights.softmax(-1) * log_likelihoods).sum(-1)")),
    (
        "loop over keys",
        bound("sum(torch.exp(log_weights[..., i]) * log_likelihoods[..., i] for i in range(log_weights.size(-1)))"),
    ),
]

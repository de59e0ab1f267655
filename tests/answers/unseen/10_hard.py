"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "choice_at",
        "searchsorted from the wrong side",
        "searchsorted finds the first sum that is at least u, not greater than it, so u = 0 chooses a first position of"
        " weight 0, and u at a border falls on the position before it.",
        '''
def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:
    ends = weights.detach().cumsum(-1)
    total = ends[..., -1:]
    place = torch.searchsorted(ends.contiguous(), (uniform.unsqueeze(-1) * total).contiguous())
    place = place.clamp(max=weights.size(-1) - 1)
    choice = torch.zeros_like(ends).scatter(-1, place, 1.0)
    return choice * (total > 0)
''',
    ),
    (
        "choice_at",
        "straight-through gradient",
        "The result carries the gradient of the weights as in the straight-through estimator, although no gradient may"
        " pass through the draw.",
        '''
def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:
    ends = weights.cumsum(-1)
    passed = ends > uniform.unsqueeze(-1) * ends[..., -1:]
    before = torch.cat([torch.zeros_like(passed[..., :1]), passed[..., :-1]], dim=-1)
    choice = (passed & ~before).to(weights.dtype)
    return choice + (weights - weights.detach())  # so that the weights can learn
''',
    ),
    (
        "score_function_objective",
        "probability in place of its logarithm",
        "The reward multiplies the probability of the draw and not its log-probability, so the second gradient is too"
        " small by the factor of the weight.",
        '''
def score_function_objective(
    log_likelihood: Tensor,
    log_choice: Tensor,
    baseline: Tensor | float = 0.0,
    reward_weight: float = 1.0,
) -> Tensor:
    if isinstance(baseline, Tensor):
        baseline = baseline.detach()
    reward = log_likelihood.detach() - baseline
    probability = log_choice.exp()
    return log_likelihood + reward_weight * reward * probability
''',
    ),
    (
        "score_function_objective",
        "baseline subtracted in both terms",
        "The first term is the log-likelihood less the baseline, so a baseline that asks for gradients gets one of"
        " -1.",
        '''
def score_function_objective(
    log_likelihood: Tensor,
    log_choice: Tensor,
    baseline: Tensor | float = 0.0,
    reward_weight: float = 1.0,
) -> Tensor:
    advantage = log_likelihood - baseline
    return advantage + reward_weight * advantage.detach() * log_choice
''',
    ),
    (
        "score_estimates",
        "derivative of the weight, not its logarithm",
        "The slopes are those of the weights, alpha_i ([i = j] - alpha_j), and not of their logarithms, so each row is"
        " weighted with its chance already.",
        '''
def score_estimates(
    weights: Tensor,
    log_likelihoods: Tensor,
    baseline: float = 0.0,
) -> Tensor:
    # the Jacobian of the softmax
    jacobian = torch.diag_embed(weights) - weights.unsqueeze(-1) * weights.unsqueeze(-2)
    return (log_likelihoods - baseline).unsqueeze(-1) * jacobian
''',
    ),
    (
        "score_estimates",
        "weight of the drawn position subtracted",
        "The weights are subtracted along the rows, so row i has alpha_i where the formula has alpha_j.",
        '''
def score_estimates(
    weights: Tensor,
    log_likelihoods: Tensor,
    baseline: float = 0.0,
) -> Tensor:
    n = weights.size(-1)
    same = torch.eye(n, dtype=weights.dtype, device=weights.device)
    slopes = same - weights[..., :, None]
    rewards = log_likelihoods - baseline
    return torch.einsum("...i,...ij->...ij", rewards, slopes)
''',
    ),
    (
        "judge_estimators",
        "variance about the candidate's own mean",
        "The spread is measured around the mean of each candidate and not around the exact gradient, so a biased"
        " candidate gets too small a variance.",
        '''
def judge_estimators(tables: Tensor, weights: Tensor, log_likelihoods: Tensor) -> tuple[Tensor, Tensor, int]:
    average = (weights * log_likelihoods).sum(-1, keepdim=True)
    exact = weights * (log_likelihoods - average)  # (batch, keys)
    means = torch.einsum("bi,cbij->cbj", weights, tables)
    biases = (means - exact).abs().amax(dim=(1, 2))
    squares = ((tables - means.unsqueeze(2)) ** 2).sum(-1)  # (candidates, batch, drawn)
    variances = (squares * weights).sum(-1).mean(-1)
    fair = biases < 1e-4
    if not fair.any():
        return biases, variances, -1
    return biases, variances, int(variances.masked_fill(~fair, float("inf")).argmin())
''',
    ),
    (
        "judge_estimators",
        "number counted among the fair ones",
        "argmin runs over the list of the unbiased candidates only, and its index is returned as if it counted all"
        " candidates.",
        '''
def judge_estimators(tables: Tensor, weights: Tensor, log_likelihoods: Tensor) -> tuple[Tensor, Tensor, int]:
    biases, variances = [], []
    for table in tables:
        bias, variance = [], []
        for g, alpha, reward in zip(table, weights, log_likelihoods):
            exact = alpha * (reward - alpha @ reward)
            bias.append((alpha @ g - exact).abs().max())
            variance.append(alpha @ ((g - exact) ** 2).sum(1))
        biases.append(torch.stack(bias).max())
        variances.append(torch.stack(variance).mean())
    biases, variances = torch.stack(biases), torch.stack(variances)
    fair = variances[biases < 0.0001]
    taken = fair.argmin().item() if len(fair) else -1
    return biases, variances, taken
''',
    ),
    (
        "rollout_objective",
        "every draw paid for the whole sentence",
        "The return is the sum over all words of the sentence, so each draw is paid for the words before it too.",
        '''
def rollout_objective(log_likelihood: Tensor, log_choice: Tensor, target_mask: Tensor) -> Tensor:
    draws = log_likelihood.size(0)
    likelihood = log_likelihood.masked_fill(~target_mask, 0.0)
    returns = likelihood.detach().sum(-1, keepdim=True)  # (draws, batch, 1)
    baseline = (returns.sum(0, keepdim=True) - returns) / (draws - 1)
    choice = log_choice.masked_fill(~target_mask, 0.0)
    terms = likelihood + (returns - baseline) * choice
    return terms.sum(-1).mean(0)
''',
    ),
    (
        "rollout_objective",
        "padding paid, and mean over the words",
        "The returns add up what stands in the padding, too, and each sentence is divided by its number of words, which"
        " the formula does not do.",
        '''
def rollout_objective(log_likelihood: Tensor, log_choice: Tensor, target_mask: Tensor) -> Tensor:
    k = len(log_likelihood)
    reward = log_likelihood.detach()
    returns = reward.flip(-1).cumsum(-1).flip(-1)  # from each word to the end
    others = (returns.sum(0) - returns) / (k - 1)
    terms = log_likelihood + (returns - others) * log_choice
    terms = torch.where(target_mask, terms, torch.zeros_like(terms))
    per_draft = terms.sum(-1) / target_mask.sum(-1).clamp(min=1)
    return per_draft.mean(0)
''',
    ),
    (
        "doubly_stochastic_penalty",
        "share of steps per position instead of one",
        "Each position is asked to get T / L, the real steps over the real positions, and not 1, so the lowest penalty"
        " is always 0.",
        '''
def doubly_stochastic_penalty(
    weights: Tensor,
    source_mask: Tensor,
    target_mask: Tensor,
) -> Tensor:
    got = torch.einsum("bts,bt->bs", weights, target_mask.to(weights.dtype))
    steps = target_mask.sum(1, keepdim=True)
    positions = source_mask.sum(1, keepdim=True).clamp(min=1)
    fair_share = steps / positions
    return ((fair_share - got).square() * source_mask).sum(1)
''',
    ),
]

"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "choice_at",
        "at least instead of more than",
        "The running sum is compared with >=, so with u = 0 a leading padding position is chosen, and a row of zeros gets a choice too.",
        '''
def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:
    ends = weights.detach().cumsum(dim=-1)
    reached = (ends >= uniform.unsqueeze(-1) * ends[..., -1:]).to(weights.dtype)
    before = torch.zeros_like(reached[..., :1])
    return torch.diff(reached, dim=-1, prepend=before)
''',
    ),
    (
        "choice_at",
        "searchsorted without the whole sum",
        "The number is not scaled by the whole sum, and whatever falls off the end is pushed to the last position, which may be padding, also in a row of zeros.",
        '''
def choice_at(weights, uniform):
    ends = weights.detach().cumsum(-1).contiguous()
    place = torch.searchsorted(ends, uniform.to(ends.dtype).unsqueeze(-1).contiguous(), right=True)
    place = place.squeeze(-1).clamp(max=weights.size(-1) - 1)
    return F.one_hot(place, weights.size(-1)).to(weights.dtype)
''',
    ),
    (
        "score_function_objective",
        "gradient into the baseline",
        "Only the log-likelihood is detached in the reward, so a baseline that asks for gradients gets one.",
        '''
def score_function_objective(
    log_likelihood: Tensor,
    log_choice: Tensor,
    baseline: Tensor | float = 0.0,
    reward_weight: float = 1.0,
) -> Tensor:
    advantage = log_likelihood.detach() - baseline
    return log_likelihood + reward_weight * advantage * log_choice
''',
    ),
    (
        "score_function_objective",
        "reward weight on both terms",
        "The reward weight multiplies the whole objective, while it belongs to the second term alone.",
        '''
def score_function_objective(log_likelihood, log_choice, baseline=0.0, reward_weight=1.0):
    reward = (log_likelihood - baseline).detach()
    objective = log_likelihood + reward * log_choice
    return reward_weight * objective
''',
    ),
    (
        "score_estimates",
        "rewards along the columns",
        "The rewards go along the keys instead of along the draws, so each score is multiplied by its own position's reward and not by that of the drawn one.",
        '''
def score_estimates(
    weights: Tensor,
    log_likelihoods: Tensor,
    baseline: float = 0.0,
) -> Tensor:
    identity = torch.eye(weights.size(-1), dtype=weights.dtype, device=weights.device)
    slopes = identity - weights.unsqueeze(-2)
    return torch.einsum("...j,...ij->...ij", log_likelihoods - baseline, slopes)
''',
    ),
    (
        "score_estimates",
        "identity on the CPU",
        "The identity matrix is always made on the CPU, so the result does not follow the device of the weights.",
        '''
def score_estimates(weights, log_likelihoods, baseline=0.0):
    keys = weights.shape[-1]
    slope = torch.eye(keys, dtype=weights.dtype) - weights[..., None, :]
    reward = log_likelihoods - baseline
    return reward[..., :, None] * slope
''',
    ),
    (
        "judge_estimators",
        "biases of the words cancel",
        "The difference from the exact gradient is averaged over the words before its size is taken, so opposite errors in two words cancel and a wrong estimator looks fair.",
        '''
def judge_estimators(tables: Tensor, weights: Tensor, log_likelihoods: Tensor) -> tuple[Tensor, Tensor, int]:
    average = (weights * log_likelihoods).sum(-1, keepdim=True)
    exact = weights * (log_likelihoods - average)  # (batch, keys)
    means = (weights.unsqueeze(-1) * tables).sum(dim=2)  # (candidates, batch, keys)
    biases = (means - exact).mean(dim=1).abs().amax(dim=-1)
    squares = ((tables - exact.unsqueeze(1)) ** 2).sum(-1)  # (candidates, batch, drawn)
    variances = (weights * squares).sum(-1).mean(-1)
    fair = biases < 1e-4
    if not fair.any():
        return biases, variances, -1
    taken = int(variances.masked_fill(~fair, float("inf")).argmin())
    return biases, variances, taken
''',
    ),
    (
        "judge_estimators",
        "spread around its own mean, number within the fair ones",
        "The variance is taken around each candidate's own mean instead of the exact gradient, and the number returned counts the fair candidates only.",
        '''
def judge_estimators(tables, weights, log_likelihoods):
    exact = weights * (log_likelihoods - torch.einsum("bk,bk->b", weights, log_likelihoods)[:, None])
    means = torch.einsum("bi,cbij->cbj", weights, tables)
    biases = (means - exact).abs().flatten(1).amax(1)
    spread = (tables - means[:, :, None, :]).square().sum(-1)
    variances = torch.einsum("bi,cbi->cb", weights, spread).mean(1)
    fair = variances[biases < 0.0001]
    taken = int(torch.argmin(fair)) if len(fair) else -1
    return biases, variances, taken
''',
    ),
    (
        "rollout_objective",
        "baseline of all drafts",
        "The baseline is the mean of all drafts' returns, the draft's own among them, so it has seen the draw.",
        '''
def rollout_objective(log_likelihood: Tensor, log_choice: Tensor, target_mask: Tensor) -> Tensor:
    rewards = log_likelihood.masked_fill(~target_mask, 0.0)
    returns = rewards.detach().flip(-1).cumsum(-1).flip(-1)
    baseline = returns.mean(dim=0, keepdim=True)
    terms = rewards + (returns - baseline) * log_choice
    return terms.masked_fill(~target_mask, 0.0).sum(-1).mean(0)
''',
    ),
    (
        "rollout_objective",
        "not turned back",
        "The running sum is taken over the reversed steps but never turned back, so the first word is paid what belongs to the last.",
        '''
def rollout_objective(log_likelihood, log_choice, target_mask):
    draws = log_likelihood.size(0)
    real = target_mask.to(log_likelihood.dtype)
    reward = log_likelihood * real
    with torch.no_grad():
        to_go = torch.cumsum(torch.flip(reward, dims=[2]), dim=2)
        others = (to_go.sum(0) - to_go) / (draws - 1)
        advantage = to_go - others
    objective = reward + advantage * log_choice * real
    return objective.sum(dim=2).sum(dim=0) / draws
''',
    ),
    (
        "doubly_stochastic_penalty",
        "padding of the source is one away",
        "The masks only set weights to 0, so each padding position of the source still adds its distance of 1 to the penalty.",
        '''
def doubly_stochastic_penalty(
    weights: Tensor,
    source_mask: Tensor,
    target_mask: Tensor,
) -> Tensor:
    real = target_mask.unsqueeze(2) & source_mask.unsqueeze(1)
    looked = (weights * real).sum(dim=1)
    return ((1 - looked) ** 2).sum(dim=-1)
''',
    ),
    (
        "doubly_stochastic_penalty",
        "the two axes exchanged",
        "The weights are summed over the source positions for every step, which is about 1 anyway, instead of over the steps for every position.",
        '''
def doubly_stochastic_penalty(weights, source_mask, target_mask):
    if weights.shape != (*target_mask.shape, source_mask.size(1)):
        raise ValueError("the masks do not fit the weights")
    share = torch.einsum("bts,bs->bt", weights, source_mask.to(weights.dtype))
    away = (1 - share).square()
    return away.masked_fill(~target_mask, 0.0).sum(1)
''',
    ),
]

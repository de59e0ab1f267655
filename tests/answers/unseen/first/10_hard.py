"""Wrong answers written from the text of the exercise alone."""

WRONG = [
    (
        "choice_at",
        "at least instead of greater",
        "The sum from the left is compared with 'at least' instead of 'greater', so for u = 0 a first position of weight "
        "0 is chosen.",
        '''
def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:
    ends = weights.detach().cumsum(dim=-1)
    total = ends[..., -1:]
    reached = ends >= uniform.unsqueeze(-1) * total
    first = reached.int().argmax(dim=-1)
    choice = F.one_hot(first, weights.size(-1)).to(weights.dtype)
    return choice * (total > 0)
''',
    ),
    (
        "choice_at",
        "the whole sum left out",
        "u is compared with the sums themselves, without the whole sum beside it; where rounding leaves that sum below "
        "u, the last column is taken, which may be padding.",
        '''
def choice_at(weights: Tensor, uniform: Tensor) -> Tensor:
    with torch.no_grad():
        ends = weights.cumsum(-1)
        passed = (ends <= uniform[..., None]).sum(-1)
        place = passed.clamp(max=weights.size(-1) - 1)
        choice = torch.zeros_like(weights).scatter(-1, place[..., None], 1.0)
        return torch.where(ends[..., -1:] > 0, choice, torch.zeros_like(choice))
''',
    ),
    (
        "score_function_objective",
        "the reward weight on both terms",
        "The reward weight multiplies the whole sum; it belongs to the second term alone.",
        '''
def score_function_objective(
    log_likelihood: Tensor,
    log_choice: Tensor,
    baseline: Tensor | float = 0.0,
    reward_weight: float = 1.0,
) -> Tensor:
    advantage = (log_likelihood - baseline).detach()
    return reward_weight * (log_likelihood + advantage * log_choice)
''',
    ),
    (
        "score_function_objective",
        "a gradient into the baseline",
        "Only the log-likelihood is detached in the reward, not the baseline, so a baseline that asks for gradients gets "
        "one.",
        '''
def score_function_objective(
    log_likelihood: Tensor,
    log_choice: Tensor,
    baseline: Tensor | float = 0.0,
    reward_weight: float = 1.0,
) -> Tensor:
    reward = log_likelihood.detach()
    second = reward_weight * torch.mul(reward - baseline, log_choice)
    return log_likelihood + second
''',
    ),
    (
        "score_estimates",
        "the derivative of the weight, not of its logarithm",
        "The slopes are those of the softmax itself, with a factor of the drawn weight in front; the formula has the "
        "slope of its logarithm.",
        '''
def score_estimates(
    weights: Tensor,
    log_likelihoods: Tensor,
    baseline: float = 0.0,
) -> Tensor:
    reward = log_likelihoods - baseline
    jacobian = torch.diag_embed(weights) - torch.einsum("...i,...j->...ij", weights, weights)
    return torch.einsum("...i,...ij->...ij", reward, jacobian)
''',
    ),
    (
        "score_estimates",
        "one batch axis only",
        "The new axes are put at fixed places counted from the front, so a table of steps with more axes before the keys "
        "gets them in the wrong place.",
        '''
def score_estimates(
    weights: Tensor,
    log_likelihoods: Tensor,
    baseline: float = 0.0,
) -> Tensor:
    identity = torch.eye(weights.shape[-1], dtype=weights.dtype, device=weights.device)
    slopes = identity - weights.unsqueeze(1)
    reward = (log_likelihoods - baseline).unsqueeze(2)
    return reward * slopes
''',
    ),
    (
        "judge_estimators",
        "variance around the candidate's own mean",
        "The variance is taken around the mean of the candidate's own estimates; the definition takes the distance from "
        "the exact gradient, which for a biased candidate is another point.",
        '''
def judge_estimators(tables: Tensor, weights: Tensor, log_likelihoods: Tensor) -> tuple[Tensor, Tensor, int]:
    average = (weights * log_likelihoods).sum(-1, keepdim=True)
    exact = weights * (log_likelihoods - average)  # (batch, keys)
    means = torch.einsum("bi,cbij->cbj", weights, tables)
    biases = (means - exact).abs().amax(dim=(1, 2))
    squares = (tables - means.unsqueeze(2)).square().sum(-1)  # (candidates, batch, drawn)
    variances = (squares * weights).sum(-1).mean(-1)
    fair = biases < 1e-4
    if not fair.any():
        return biases, variances, -1
    return biases, variances, int(variances.masked_fill(~fair, float("inf")).argmin())
''',
    ),
    (
        "judge_estimators",
        "the words' biases averaged, and no -1",
        "The bias is averaged over the words, so that a candidate wrong for a single word looks better than it is, and "
        "where no candidate is fair the first is taken instead of -1.",
        '''
def judge_estimators(tables: Tensor, weights: Tensor, log_likelihoods: Tensor) -> tuple[Tensor, Tensor, int]:
    exact = weights * log_likelihoods - weights * (weights * log_likelihoods).sum(-1, keepdim=True)
    biases, variances = [], []
    for table in tables:
        mean = (weights.unsqueeze(-1) * table).sum(dim=1)
        biases.append((mean - exact).abs().max(dim=-1).values.mean())
        distance = ((table - exact.unsqueeze(1)) ** 2).sum(dim=-1)
        variances.append((weights * distance).sum(dim=-1).mean())
    biases, variances = torch.stack(biases), torch.stack(variances)
    allowed = torch.where(biases < 0.0001, variances, torch.full_like(variances, float("inf")))
    return biases, variances, allowed.argmin().item()
''',
    ),
    (
        "rollout_objective",
        "baseline with the draft itself in it",
        "The baseline is the mean of all drafts' returns, the draft's own among them, instead of the mean of the others.",
        '''
def rollout_objective(log_likelihood: Tensor, log_choice: Tensor, target_mask: Tensor) -> Tensor:
    rewards = log_likelihood.detach().masked_fill(~target_mask, 0.0)
    returns = torch.zeros_like(rewards)
    still_to_come = torch.zeros_like(rewards[..., 0])
    for t in reversed(range(rewards.size(-1))):
        still_to_come = still_to_come + rewards[..., t]
        returns[..., t] = still_to_come
    baseline = returns.mean(dim=0, keepdim=True)
    terms = log_likelihood + (returns - baseline) * log_choice
    return terms.masked_fill(~target_mask, 0.0).sum(-1).mean(0)
''',
    ),
    (
        "rollout_objective",
        "the baseline lets a gradient through",
        "The returns are detached where they are the reward, but the baseline is made of returns that are not, so a "
        "gradient flows into the log-likelihoods of the other drafts.",
        '''
def rollout_objective(log_likelihood: Tensor, log_choice: Tensor, target_mask: Tensor) -> Tensor:
    real = target_mask.expand_as(log_likelihood)
    gained = torch.where(real, log_likelihood, torch.zeros_like(log_likelihood))
    returns = gained.flip(-1).cumsum(-1).flip(-1)
    others = (returns.sum(dim=0) - returns) / (returns.size(0) - 1)
    advantage = returns.detach() - others
    looked = torch.where(real, log_choice, torch.zeros_like(log_choice))
    return (gained + advantage * looked).sum(dim=-1).mean(dim=0)
''',
    ),
    (
        "doubly_stochastic_penalty",
        "padding is one away",
        "The shares of padding are set to 0 before they are subtracted from 1, so every position of padding adds 1 to "
        "the penalty.",
        '''
def doubly_stochastic_penalty(
    weights: Tensor,
    source_mask: Tensor,
    target_mask: Tensor,
) -> Tensor:
    if source_mask.shape != weights[:, 0].shape or target_mask.shape != weights[:, :, 0].shape:
        raise ValueError("the masks do not fit the weights")
    real_cells = target_mask.unsqueeze(-1) & source_mask.unsqueeze(1)
    got = (weights * real_cells).sum(dim=1)
    return ((1 - got) ** 2).sum(dim=-1)
''',
    ),
    (
        "doubly_stochastic_penalty",
        "the weights of padding overwritten",
        "The weights at padding steps are set to 0 in the tensor that was handed in, so the caller's weights are changed.",
        '''
def doubly_stochastic_penalty(
    weights: Tensor,
    source_mask: Tensor,
    target_mask: Tensor,
) -> Tensor:
    share = weights.masked_fill_(~target_mask.unsqueeze(-1), 0.0).sum(1)
    missing = torch.where(source_mask, 1 - share, torch.zeros_like(share))
    return missing.pow(2).sum(-1)
''',
    ),
]

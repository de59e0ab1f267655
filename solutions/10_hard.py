# ---
# # ruff: noqa: I001
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
#   course:
#     title: Hard attention
#     assignment: 10_hard
#     chapters: [10]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/scorer.py
#       - seq2seq/attention.py
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
# ---

# %% [markdown]
# # Hard attention
#
# Soft attention looks a little everywhere. Hard attention looks at one position, drawn from the weights (Xu et al.,
# 2015, section 4.1).
# A draw has no derivative, so the weights have to learn in another way.
# You build the draw, the score-function estimator (also known as REINFORCE) for a word and for a whole sentence, with a
# baseline that steadies it, and a judge of such estimators.
# It goes with chapter 10 (*soft and hard*).
#
# **Time:** 80 minutes. **Points:** 16: two for each of tasks 1, 2, 3 and 6, three for each of tasks 4 and 5,
# two for a question to answer in words.
#
# **When you are done you can**
#
# - draw a position from weights, padding and rounding included;
# - write an objective whose gradient is right on average, despite a draw in the middle;
# - say exactly, on a small example, what mean and variance that estimate has, and what a baseline does to both;
# - tell from the numbers which of several estimators to trust, and reward each draw for what it can have caused;
# - discourage, with a penalty, overlooking any part of the source.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# One wrong task does not cost you the next: no task here uses another.
# The checks give you the random number, or the position that was drawn, so your grade involves no luck.
# Throughout, the batch axis comes first unless a task says otherwise, and masks are true for what is real.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.

# %% given="setup"
import torch
import torch.nn.functional as F
from IPython.display import display
from torch import Tensor

from seq2seq.attention import masked_softmax
from seq2seq.plots import alignment_plot

# One word to predict, six positions to look at: the weights, and how likely the true word is after each look.
scores = torch.tensor([1.2, 0.3, -0.5, 0.8, 0.0, -1.0])
weights = scores.softmax(-1)
log_likelihoods = torch.tensor([-3.5, -3.0, -4.5, -1.0, -4.0, -5.0])
words = ["a", "small", "brown", "dog", "runs", "away"]

# %% [markdown]
# ## Warm-up: one draw by hand
#
# Three positions have the weights $\alpha = (0.5, 0.25, 0.25)$. If the decoder looks at them, the log-likelihood of the
# true word is $-1$, $-2$ and $-4$.
#
# 1. What does the decoder get on average, $\sum_i \alpha_i \log p(y \mid s = i)$?
# 2. The random number is $u = 0.6$. The weights are laid end to end from 0 to 1: on which position, counted from 0,
#    does $u$ fall?
# 3. Suppose that position 0 was drawn, the best of the three.
#    The estimate for the score of position 0 is $\log p(y \mid s = 0) \cdot (1 - \alpha_0)$. Does it raise the score?
# 4. And with $\log p(y \mid s = 0) - b$ in place of $\log p(y \mid s = 0)$, where $b = -2$?
#
# Write your answers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
average_by_hand = None
position_by_hand = None
estimate_by_hand = None
estimate_with_baseline_by_hand = None


def compare(name, mine, right, why):
    if mine is None:
        print(f"{name}: still to do")
    else:
        print(f"{name}: {'right; ' + why if abs(mine - right) < 0.01 else 'not yet'}")


compare("average", average_by_hand, -2.0, "this is what training should raise")
compare("position", position_by_hand, 1, "it owns the stretch from 0.5 to 0.75")
compare("estimate", estimate_by_hand, -0.5, "the best position is made rarer, only because no logarithm is above 0")
compare("with baseline", estimate_with_baseline_by_hand, 0.5, "better than usual, so it is made more frequent")

# %% [markdown]
# ## Task 1: the draw
#
# Hard attention draws $s \sim \mathrm{Categorical}(\alpha)$ (chapter 10, the draw; Xu et al., 2015, equations 8 and 9).
# To draw from any weights, one uniform number $u$ is enough:
#
# $$s = \min \Big\{ i : \sum_{j \le i} \alpha_j > u \sum_j \alpha_j \Big\}$$
#
# Return a one-hot row: 1 at position $s$ and 0 elsewhere. Then the context is `choice @ values`, just as
# `weights @ values` was the soft one.
#
# - A position of weight 0, such as padding, is never chosen, not even for $u = 0$.
# - A row of zeros, a sentence without a real token, gives a row of zeros.
# - $u$ is multiplied by the whole sum because rounding may leave it a little below 1.
# - No gradient passes through a draw.
#
# > **Often believed:** "hard attention takes the position of the largest weight."
# > It draws, and so now and then it tries another position; otherwise it would never find out what is there.
# > The largest weight is taken once training is over.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Lay the weights end to end, as in the warm-up. Where does the stretch of each position end?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The ends are sums from the left. Compare all of them with the number: false, false, true, true, true.
# Which of them is the one you want?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `cumsum` gives the ends, and its last column the whole sum; `uniform` needs one more axis.
# In the row 0, 0, 1, 1, 1 the differences of neighbours, `diff` with a 0 put in front, leave only the step from 0 to 1.
# </details>

# %% answer="choice_at"
from seq2seq.hard.attention import choice_at

# %% check="choice_at_visible" points=1
from autograder.tasks.hard import check

check("choice_at", choice_at)

# %% check="choice_at_hidden" points=1 hidden=true
# When graded: one sentence, one key, many keys, a table of steps, float64, numbers just below 1 or exactly where a
# stretch ends.
from autograder.tasks.hard import check

check("choice_at", choice_at, hidden=True)

# %% tags=["demonstration"]
# Draw 20, 200 and 20 000 times (nothing to write here): the shares approach the weights.
try:
    random = torch.Generator().manual_seed(0)
    rows = {"weights": weights}
    for draws in (20, 200, 20_000):
        rows[f"{draws} draws"] = choice_at(weights.expand(draws, 6), torch.rand(draws, generator=random)).mean(0)
    print(" " * 12, *[f"{word:>6}" for word in words])
    for name, shares in rows.items():
        print(f"{name:12}", *[f"{share:6.3f}" for share in shares.tolist()])
except Exception as error:
    print(f"A table of shares appears here once the draw is written. ({type(error).__name__})")

# %% [markdown]
# ## What a draw stands for (nothing to write)
#
# Training should raise what the decoder gets on average (chapter 10, the expected log-likelihood; Xu et al., 2015,
# equation 10):
#
# $$L_s = \sum_i \alpha_i \log p(y \mid s = i) \le \log p(y)$$
#
# With few positions it can be summed exactly, and you need its gradient to judge every estimate that follows.
#
# > **Often believed:** "hard attention is soft attention with a sharper softmax."
# > Soft attention predicts from the average of the values; hard attention averages what is predicted from each value.
#
# Before you run the cell: of the six words, which one's score should go up most, and is it the one with the best
# $\log p(y \mid s)$?

# %% tags=["demonstration"]
leaf = scores.clone().requires_grad_()
bound = leaf.softmax(-1) @ log_likelihoods
(exact,) = torch.autograd.grad(bound, leaf)
print(
    f"expected log-likelihood {bound.item():.3f}; the log of the expected likelihood, never lower, is "
    f"{(weights * log_likelihoods.exp()).sum().log().item():.3f}"
)
for word, weight, likelihood, slope in zip(words, weights, log_likelihoods, exact, strict=True):
    print(f"{word:6} weight {weight:.2f}   log p(y|s) {likelihood:5.1f}   gradient {slope:+.3f}")

# %% [markdown]
# ## Task 2: the estimator
#
# When draws affect everything after them, nobody can sum over every path.
# One draw $s$ still gives an estimate (chapter 10, the score-function estimator; Xu et al., 2015, section 4.1):
#
# $$\frac{\partial L_s}{\partial W} \approx \frac{\partial \log p(y \mid s)}{\partial W}
# + \lambda_r \left(\log p(y \mid s) - b\right) \frac{\partial \log p(s \mid a)}{\partial W}$$
#
# You never compute these derivatives. For each draw you write a number of which autograd computes this gradient: a
# *surrogate objective*. It is to be maximised.
# The value of that number means nothing, and the check looks only at its gradients. None flows into the baseline.
#
# `log_likelihood` is $\log p(y \mid s)$ at the position drawn, `log_choice` its log-weight $\log p(s \mid a)$.
# `baseline` is a number, or a tensor that broadcasts to them, such as (batch, 1), one for each sentence.
#
# > **Often believed:** "hard attention cannot be trained by backpropagation."
# > The draw has no derivative, but the *probability* of what was drawn has one.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Read the formula as: this gradient, plus a number times that gradient. What has such a gradient?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A sum of two terms, with the same letters as the formula, without its $\partial$.
# But the reward in the second term must count as a constant, not as something to be changed.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `.detach()` makes a tensor a constant for autograd.
# Ask of every factor: may a gradient pass through it? Only $\log p(y \mid s)$ in the first term and $\log p(s \mid a)$
# in the second may.
# </details>

# %% answer="score_function_objective"
from seq2seq.hard.attention import score_function_objective

# %% check="score_function_objective_visible" points=1
from autograder.tasks.hard import check

check("score_function_objective", score_function_objective)

# %% check="score_function_objective_hidden" points=1 hidden=true
# When graded: a table of steps, a single draw, with an axis and without, improbable draws, a baseline for each draw or
# sentence, a plain number as baseline, a baseline that asks for gradients, float64, other reward weights.
from autograder.tasks.hard import check

check("score_function_objective", score_function_objective, hidden=True)

# %% tags=["demonstration"]
# The mean over every possible draw (nothing to write here), each weighted by its probability: the exact gradient,
# whatever the baseline is.
try:

    def estimate(drawn, baseline):
        leaf = scores.clone().requires_grad_()
        objective = score_function_objective(log_likelihoods[drawn], leaf.log_softmax(-1)[drawn], baseline)
        return torch.autograd.grad(objective, leaf)[0]

    exact = weights * (log_likelihoods - (weights * log_likelihoods).sum())
    rows = {"exact": exact}
    for baseline in (0.0, -3.0, 10.0):
        rows[f"b = {baseline}"] = sum(weights[drawn] * estimate(drawn, baseline) for drawn in range(6))
    for name, mean in rows.items():
        print(f"{name:9}", *[f"{slope:+.3f}" for slope in mean.tolist()])
except Exception as error:
    print(f"Four equal rows appear here once the objective is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: every estimate at once
#
# Right on average is not enough: how far off is a single draw?
# For six positions you can write down all six estimates (chapter 10, the variance of the estimator).
# Row $i$ is the estimate for the scores when position $i$ is drawn:
#
# $$g_{ij} = \left(\log p(y \mid s = i) - b\right) \frac{\partial \log \alpha_i}{\partial e_j}
# = \left(\log p(y \mid s = i) - b\right) \left([i = j] - \alpha_j\right)$$
#
# Return the table (batch, drawn, keys). Compute it from the formula, without autograd or a draw; it needs no gradient.
#
# <details><summary>Hint 1: a nudge</summary>
#
# In the second factor there are two axes, $i$ and $j$. What is the matrix of all $[i = j]$ called?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The identity minus the weights gives the slopes. Row $i$ of them is multiplied by the reward of position $i$.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The weights go along the columns: (batch, 1, keys). The rewards go along the rows: (batch, drawn, 1).
# The identity (keys, keys) broadcasts to every sentence; make it in the weights' dtype.
# </details>

# %% answer="score_estimates"
from seq2seq.hard.attention import score_estimates

# %% check="score_estimates_visible" points=1
from autograder.tasks.hard import check

check("score_estimates", score_estimates)

# %% check="score_estimates_hidden" points=1 hidden=true
# When graded: one sentence, one key, many keys, a table of steps, a weight of 0, float64, other
# baselines.
from autograder.tasks.hard import check

check("score_estimates", score_estimates, hidden=True)

# %% tags=["demonstration"]
# Bias and spread for several baselines (nothing to write here), computed exactly: no draw is made.
try:
    exact = weights * (log_likelihoods - (weights * log_likelihoods).sum())
    lines = ["baseline   bias    spread   (both as multiples of the exact gradient's length)"]
    for baseline in (0.0, -1.0, -2.0, -3.0, -4.0, -6.0, 10.0):
        rows = score_estimates(weights[None], log_likelihoods[None], baseline)[0]
        mean = (weights[:, None] * rows).sum(0)
        spread = (weights[:, None] * (rows - mean) ** 2).sum().sqrt() / exact.norm()
        bar = "#" * round(3 * spread.item())
        lines.append(f"{baseline:8.1f} {(mean - exact).norm() / exact.norm():6.3f} {spread:9.2f}   {bar:.60}")
    print("\n".join(lines))
except Exception as error:
    print(f"A table of spreads appears here once the estimates are written. ({type(error).__name__})")

# %% [markdown]
# The bias is 0 in every row, up to rounding; the spread is smallest when the baseline lies near the average reward.
#
# ## A question to answer in words
#
# A classmate proposes: "As baseline I take the log-likelihood of this very draw, $b = \log p(y \mid s)$.
# It is the best guess of the reward that there is, so the variance must be the lowest of all."
# What happens to the second term of the estimate, and to what the weights learn?
# And why does a baseline that does *not* know the draw leave the mean of the estimate as it is?
# Three or four sentences; use $\sum_i \alpha_i \, \partial \log \alpha_i / \partial e_j = 0$, and say why that holds.

# %% [markdown] question="why_no_bias" points=2
# **Model answer.** With $b = \log p(y \mid s)$ the factor $\log p(y \mid s) - b$ is 0 for every draw, so the second
# term vanishes: its variance is indeed 0, but its mean is 0 too, not the gradient, and the weights learn nothing.
# Such a baseline depends on the draw that it judges, and so it makes the estimate biased.
# A baseline that does not know the draw is the same number $b$ in every term of the average over draws.
# It adds $-b \sum_i \alpha_i \, \partial \log \alpha_i / \partial e_j = -b \sum_i \partial \alpha_i / \partial e_j
# = -b \, \partial (\sum_i \alpha_i) / \partial e_j$, and this is 0, because the weights sum to 1 whatever the scores
# are.
#
# **Rubric.** 1 point: the second term becomes 0 in every draw, so the weights (the scores) get no gradient from the
# reward: the estimate is biased; 1 point: a constant $b$ comes out of the sum, and $\sum_i \alpha_i \, \partial \log
# \alpha_i / \partial e_j = \partial (\sum_i \alpha_i) / \partial e_j = 0$ because the weights always sum to 1.

# %% [markdown]
# ## Task 4: which estimator to take
#
# Colleagues hand you their estimators, each as the table of all its estimates for a batch of words:
# (candidates, batch, drawn, keys), row $i$ for the draw of position $i$, as $g_{ij}$ of chapter 10.
# One of them forgot a factor, another is wrong for a single word, a third has a baseline that has seen the draw.
# You have the weights and the log-likelihoods of these words, so nothing needs to be drawn.
#
# Return three things: the bias of each candidate, its variance, and the number of the one to choose.
#
# $$B_c = \max_j \Big| \sum_i \alpha_i \, g^{(c)}_{ij} - g_j \Big|, \qquad
#   V_c = \sum_i \alpha_i \sum_j \big( g^{(c)}_{ij} - g_j \big)^2$$
#
# These are for one word, and $g_j$ is the exact gradient at its score $j$.
# The bias of a candidate is that of the word for which it is largest; its variance is a mean over the words.
# Choose the candidate with the least variance among those whose bias is below 0.0001, or -1 if there is none.
# Nothing needs a gradient here.
#
# Two questions first. What is the mean of a table in which row $i$ has the probability $\alpha_i$?
# And if an estimator returns 0 whatever is drawn, what is its variance?
#
# <details><summary>Hint 1: a nudge</summary>
#
# There are three quantities: the exact gradient of each word, the bias of each candidate, the variance of each
# candidate. Write down the shape of each of them before you write any code.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The exact gradient is (batch, keys), and is the same for all candidates; the cell above computes it for one word.
# Every mean over draws weighs row $i$ with $\alpha_i$.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Biases of opposite sign, in two words or in two scores, must not cancel: take absolute values before you take the
# largest.
# Then give the biased candidates a variance with which none of them can win.
# </details>

# %% answer="judge_estimators"
from seq2seq.exercises.hard import judge_estimators

# %% check="judge_estimators_visible" points=1
from autograder.tasks.hard import check

check("judge_estimators", judge_estimators)

# %% check="judge_estimators_hidden" points=2 hidden=true
# When graded: none that is right, biases near the bound, a very large variance, other sizes, a single word, a single
# candidate, one that would be right if every position were drawn equally often, a gradient far
# larger than the spread of its estimates, float64.
from autograder.tasks.hard import check

check("judge_estimators", judge_estimators, hidden=True)

# %% tags=["demonstration"]
# Your judge at work (nothing to write here): five baselines for the word of this notebook, one of them the draw's own
# log-likelihood.
try:
    slopes = torch.eye(6) - weights
    baselines = {"0": 0.0, "-2": -2.0, "the average": float(weights @ log_likelihoods), "its own": log_likelihoods}
    tables = torch.stack([(log_likelihoods - baseline).expand(6)[:, None] * slopes for baseline in baselines.values()])
    biases, variances, taken = judge_estimators(tables[:, None], weights[None], log_likelihoods[None])
    for name, bias, variance in zip(baselines, biases, variances, strict=True):
        print(f"baseline {name:12} bias {bias:.3f}   variance {variance:6.3f}")
    print("taken: the baseline", list(baselines)[taken])
except Exception as error:
    print(f"A table and a choice appear here once the judge is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: draws that affect all that follows
#
# So far a draw affected one word.
# In the model of Xu et al. (2015) the drawn value goes into the next state, so that a draw affects every later word
# too, and there are $n^T$ ways to draw.
# So each sentence is drawn $K \ge 2$ times, in $K$ *drafts*; you get their log-likelihoods $\ell_{kt}$ and the
# log-weights $\log \alpha_{kt}$ of what was drawn, both (draws, batch, steps), and the mask $m_t$ of the real words.
#
# $$J = \frac{1}{K} \sum_{k} \sum_{t} m_t \left[ \ell_{kt} + (R_{kt} - b_{kt}) \log \alpha_{kt} \right], \qquad
#   R_{kt} = \sum_{t' \ge t} m_{t'} \, \ell_{kt'}$$
#
# The return $R_{kt}$ is what draft $k$ got from the words from $t$ on.
# A draw cannot affect the words before it, so earlier words do not count towards its reward.
#
# And the baseline? A moving average, as in chapter 10, does not know whether this sentence is easy or hard.
# The other drafts of the same sentence do: $b_{kt}$ is the mean of the *other* drafts' returns,
# $\frac{1}{K-1} \sum_{l \ne k} R_{lt}$ (Kool, van Hoof & Welling, 2019).
# Why not the mean of all $K$, which is simpler to write?
#
# Return $J$, one number for each sentence. As in task 2 only its gradients count; returns and baseline are constants.
# The values at padding may be anything.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Do it by hand for one sentence of three words and two drafts: which numbers does the draw at the second word get?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Clean the padding out of the rewards first; then two sums remain, one along the steps and one along the drafts.
# What is the sum along the steps in which the *last* word is in every term?
# And a sum over all others is the sum over all, minus one term.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `flip` reverses a running sum. The first axis is the drafts, so its mean comes last and leaves (batch,).
# Ask again of every factor whether a gradient may pass through it, and mask the terms once more.
# </details>

# %% answer="rollout_objective"
from seq2seq.exercises.hard import rollout_objective

# %% check="rollout_objective_visible" points=1
from autograder.tasks.hard import check

check("rollout_objective", rollout_objective)

# %% check="rollout_objective_hidden" points=2 hidden=true
# When graded: one sentence, sentences of one word, much padding, also in front, a sentence without a real word, two and
# five draws, float64.
from autograder.tasks.hard import check

check("rollout_objective", rollout_objective, hidden=True)

# %% tags=["demonstration"]
# Sentences that must be read from left to right (nothing to write here): a word is predicted right only after a look at
# its own position *and* at all those before it. Twenty runs of 60 steps, with 4 drafts in each step.
try:
    right = torch.zeros(20)
    for seed in range(20):
        random, table = torch.Generator().manual_seed(seed), torch.zeros(4, 4)  # the scores: (steps, positions)
        for _ in range(60):
            table.requires_grad_()
            log_weights = table.log_softmax(-1)
            drawn = torch.multinomial(log_weights.exp(), 4, replacement=True, generator=random).T  # (draws, steps)
            chosen = log_weights.gather(1, drawn.T).T
            good = (drawn == torch.arange(4)).int().cumprod(-1)  # 1 as long as no look was wrong
            reward, real = 3.0 * good - 3.0 + 0 * chosen, torch.ones(1, 4, dtype=torch.bool)
            objective = rollout_objective(reward[:, None], chosen[:, None], real)
            table = (table + 0.5 * torch.autograd.grad(objective.sum(), table)[0]).detach()
        right[seed] = table.softmax(-1).diagonal().prod()
    print("the chance of a sentence without a mistake was 0.004 before training")
    print(f"it is now {right.min():.2f} (worst run) to {right.max():.2f} (best run)")
except Exception as error:
    print(f"A line appears here once the objective for sentences is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 6: look everywhere once
#
# Soft or hard, each *step* has weights that sum to 1. Nothing requires that each *position* get its share.
# Xu et al. add a penalty (chapter 10, the doubly stochastic penalty; section 4.2.1, equation 14):
#
# $$P = \sum_i \Big(1 - \sum_t \alpha_{ti}\Big)^2$$
#
# $i$ runs over the real positions of the source, $t$ over the real steps of the target. Return one number per sentence.
# A decoder keeps computing in the padding of the target, so its weights there are not 0.
# Raising the error that the docstring names is good manners; it is not graded.
#
# If the mask of the target has no real step, nothing is looked at, and every position is 1 away.
#
# > **Often believed:** "the weights sum to 1, so every word gets its share."
# > They sum to 1 over the positions, at each step. Over the steps, a word may get nothing, or everything.
#
# <details><summary>Hint 1: a nudge</summary>
#
# There are two sums in the formula. Over which axis does each run, and which mask belongs to which?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# First what each position gets over all real steps: (batch, source_len). Then its distance from 1, squared, where the
# position is real.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `target_mask` needs an axis at its end, to meet (batch, target_len, source_len); `source_mask` fits as it is once the
# steps are summed.
# </details>

# %% answer="doubly_stochastic_penalty"
from seq2seq.losses.penalties import doubly_stochastic_penalty

# %% check="doubly_stochastic_penalty_visible" points=1
from autograder.tasks.hard import check

check("doubly_stochastic_penalty", doubly_stochastic_penalty)

# %% check="doubly_stochastic_penalty_hidden" points=1 hidden=true
# When graded: one sentence, a single step, a single position, padding on the left, a sentence without real positions,
# one without real steps, float64, gradients.
from autograder.tasks.hard import check

check("doubly_stochastic_penalty", doubly_stochastic_penalty, hidden=True)

# %% tags=["demonstration"]
# The penalty at work (nothing to write here): six steps that all look at the same word, before and after 200 steps that
# follow the gradient of your penalty alone.
try:
    table = torch.zeros(1, 6, 6)
    table[..., 3] = 2.0
    table = table + 0.3 * torch.randn(1, 6, 6, generator=torch.Generator().manual_seed(3))
    real = torch.ones(1, 6, dtype=torch.bool)
    steps = [f"step {step}" for step in range(6)]
    for turn in range(201):
        table = table.detach().requires_grad_()
        looks = masked_softmax(table, real.unsqueeze(1))
        penalty = doubly_stochastic_penalty(looks, real, real).sum()
        if turn in (0, 200):
            print(f"after {turn} steps the penalty is {penalty.item():.3f}")
            display(alignment_plot(looks[0], words, steps))
        table = table - 0.5 * torch.autograd.grad(penalty, table)[0]
except Exception as error:
    print(f"Two tables of weights appear here once the penalty is written. ({type(error).__name__})")

# %% [markdown]
# ## To go further (not graded)
#
# 1. Xu et al. add the entropy of the weights to the objective, $H = -\sum_i \alpha_i \log \alpha_i$.
#    What does its gradient do to weights that are nearly certain already, and why may that help?
# 2. Which baseline makes the spread of task 3 as small as possible? It is not the average reward itself: derive it, as
#    the $b$ at which the derivative of the variance is 0, and compare in the cell below.
# 3. Two relatives of the estimator have a lower variance but a bias: straight-through, and the Gumbel softmax.
#    Chapter 10 measures both. Where does their bias come from?

# %% tags=["demonstration"]
best_baseline = None  # a number
if best_baseline is None:
    print("still to do, if you like")
else:
    for baseline in (float(weights @ log_likelihoods), best_baseline):
        rows = score_estimates(weights[None], log_likelihoods[None], baseline)[0]
        mean = (weights[:, None] * rows).sum(0)
        print(f"b = {baseline:.3f}: variance {(weights[:, None] * (rows - mean) ** 2).sum().item():.4f}")

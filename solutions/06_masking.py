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
#     title: Masking and normalising
#     assignment: 06_masking
#     chapters: [6]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
# ---

# %% [markdown]
# # Masking and normalising
#
# You turn scores into weights that withstand anything a batch may contain, put score, weight and sum together, measure
# how spread out the weights are, attend to keys that arrive block by block, and find out what an unfamiliar library
# does with a mask.
# This exercise goes with chapter 6 (*masking and normalising*).
#
# **Time:** 75 minutes; on the short way tasks 1 and 2 alone, 30 minutes.
# **Points:** 12, two for each of five tasks and two for a question to answer in words.
#
# **When you are done you can**
#
# - normalise scores so that padding gets nothing, without overflow and without NaN, in the values and in the
#   gradients;
# - compose attention, from scores to context;
# - say what a temperature does to the weights, and measure it;
# - keep a softmax up to date while its scores are still arriving;
# - tell from a library's results which way round its mask is.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# A wrong task does not cost you the next: no task may use what you wrote before unless it says so.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# Throughout, the batch axis comes first, and `source_mask` is true for real tokens.

# %% given="setup"
import torch
from IPython.display import display
from torch import Tensor

from seq2seq.plots import alignment_plot

source = ["the", "black", "cat", "sleeps"]
target = ["le", "chat", "noir", "dort"]
states = torch.eye(4, 6)[None] + 0.2 * torch.randn(1, 4, 6, generator=torch.Generator().manual_seed(1))
queries = 3 * states[0, [0, 2, 1, 3]]  # decoder states that look for: the, cat, black, sleeps
every = states.expand(4, -1, -1)  # the same sentence for each of the four queries: (4, 4, 6)


def weighted_sum(weights: Tensor, values: Tensor) -> Tensor:
    """The context of chapter 4: (batch, keys) and (batch, keys, value_size) → (batch, value_size)."""
    return torch.bmm(weights.unsqueeze(1), values).squeeze(1)


# %% [markdown]
# ## Warm-up: padding by hand
#
# Three source tokens have the scores $e = (0, \ln 2, \ln 5)$; a softmax gives them the weights 1/8, 2/8 and 5/8.
# The third token is padding.
#
# 1. Set its weight to 0 *after* the softmax. What is the sum of the weights now?
# 2. Leave it out *before* the softmax. What are the two weights?
# 3. All scores are raised by 1000, as by a badly scaled model. What are the two weights now?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
sum_masked_after = [None]
weights_masked_before = [None, None]
weights_raised_by_1000 = [None, None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.01 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet; look at the sum that you divide by'}")


compare("sum, masked after", sum_masked_after, [3 / 8])
compare("weights, masked before", weights_masked_before, [1 / 3, 2 / 3])
compare("weights, raised by 1000", weights_raised_by_1000, [1 / 3, 2 / 3])

# %% [markdown]
# ## Task 1: the masked softmax
#
# The masked softmax (chapter 6), with a temperature $\tau$, and with $m_j = 1$ for a real token, 0 for padding:
#
# $$\alpha_j = \frac{m_j \exp(e_j / \tau)}{\sum_l m_l \exp(e_l / \tau)}$$
#
# It has to withstand anything a batch may contain:
#
# - padding gets exactly 0, and the weights of a sentence's real tokens sum to 1;
# - scores of ±10 000 do not overflow, and no score is too low: padding stays below −1e9 and anything else;
# - a sentence without a real token gets weights of 0 and gradients of 0, not NaN;
# - the caller's scores are not modified;
# - `scores` may be (batch, keys), or a whole table (batch, queries, keys) with a mask (batch, 1, keys);
#   one mask (keys) may serve all sentences.
#
# Raising the two errors that the docstring names is good manners; it is not graded.
#
# <details><summary>Hint 1: a nudge</summary>
#
# If padding is removed after the softmax, what has it already done to the sum? Recall question 1 of the warm-up.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Before the softmax, give padding a score so low that its exponential is 0.
# Which numbers are low enough for every row, and which of them make a row of nothing but padding end in 0 / 0?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `masked_fill` (without the underscore) returns a new tensor; the lowest finite number of a dtype is in `torch.finfo`.
# `torch.softmax` subtracts the row's maximum itself.
# What does it return for a row in which all scores are equally low, and what do you have to do about that?
# </details>

# %% answer="masked_softmax"
from seq2seq.attention import masked_softmax

# %% check="masked_softmax_visible" points=1
from autograder.tasks.masking import check

check("masked_softmax", masked_softmax)

# %% check="masked_softmax_hidden" points=1 hidden=true
# When graded: one sentence, one key, padding on the left and in between, scores near ±10000 and far below −1e9,
# other temperatures, float64, scores (batch, queries, keys), one mask (keys) for all sentences, and gradients.
from autograder.tasks.masking import check

check("masked_softmax", masked_softmax, hidden=True)

# %% tags=["demonstration"]
# What the temperature does (nothing to write here): the same scores, from nearly hard to nearly even.
try:
    scores = torch.tensor([[2.0, 1.0, 0.0, -1.0]]).expand(4, -1)
    real = torch.tensor([True, True, True, False])
    rows = [masked_softmax(scores[:1], real, temperature) for temperature in (0.2, 1.0, 5.0, 100.0)]
    labels = [f"τ = {temperature}" for temperature in (0.2, 1.0, 5.0, 100.0)]
    display(alignment_plot(torch.cat(rows), ["2", "1", "0", "<pad>"], labels))
except Exception as error:
    print(f"A table of weights appears here once the masked softmax is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: attend
#
# From scores to context (chapter 6, attention with a mask): mask, normalise, sum.
# Here you may use your `masked_softmax`, and `weighted_sum` from the cell at the top; a mistake in your
# `masked_softmax` that its own check can name is not counted again.
#
# Return the pair `(context, weights)`, in this order: the decoder needs the context, and we want to look at the
# weights.
#
# > **Often believed:** "the attention vector replaces the hidden state", or "replaces the input word".
# > It does neither: the decoder keeps its state and its word, and gets the context as well.
# > Chapters 7 and 8 show where.
#
# <details><summary>Hint 1: a nudge</summary>
#
# It takes two lines, and everything they need is above.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The weights come first, then the context, which is summed with these same weights.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The mask is used once, in the first of the two steps.
# Look at the order in which the stub's docstring names the results.
# </details>

# %% answer="attend"
from seq2seq.attention import attend

# %% check="attend_visible" points=1
from autograder.tasks.masking import check

check("attend", attend)

# %% check="attend_hidden" points=1 hidden=true
# When graded: one sentence, a sentence without a real token, mostly padding, padding on the left, scores near ±10000
# and far below −1e9, float64, gradients.
from autograder.tasks.masking import check

check("attend", attend, hidden=True)

# %% tags=["demonstration"]
# Complete attention (nothing to write here): four decoder steps over a sentence with one `<pad>`.
try:
    real = torch.tensor([True, True, True, True, False])
    padded = torch.cat([every, 5 * torch.ones(4, 1, 6)], dim=1)  # padding that would shout loudest
    context, weights = attend((padded @ queries.unsqueeze(-1)).squeeze(-1), padded, real.expand(4, -1))
    display(alignment_plot(weights, [*source, "<pad>"], target))
    print("context:", tuple(context.shape))
except Exception as error:
    print(f"A table of weights appears here once attend is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: the entropy of the weights
#
# How spread out are the weights (chapter 6, temperature)?
# Their entropy is 0 if one token has all the weight, and $\ln n$ if $n$ tokens share it equally:
#
# $$H = -\sum_j \alpha_j \ln \alpha_j, \qquad 0 \ln 0 = 0$$
#
# Padding has a weight of exactly 0, and it must add nothing: neither to the entropy nor, when a training loss uses the
# entropy, to the gradients that reach the scores.
# `weights` may be (batch, keys) or a table (batch, queries, keys); the result has no axis for the keys.
#
# > **Often believed:** "a sharp softmax shows that the model is certain of its translation."
# > A low entropy says that the weights are on few tokens. It does not say whether these are the right ones.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What is `torch.tensor(0.0).log()`, and what is 0 times that?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Where the weight is 0, the logarithm may be given another number: the factor in front makes the term 0 anyway.
# Repairing the NaN afterwards, by `torch.where` or `nan_to_num`, repairs the value but leaves a NaN in the gradient.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `clamp_min` with a tiny number, such as `torch.finfo(…).tiny`, changes nothing for a weight above it.
# Only the logarithm gets the clamped weight; the factor is the weight itself. The sum runs over one axis, and there
# is a minus sign.
# </details>

# %% answer="entropy"
from seq2seq.attention import entropy

# %% check="entropy_visible" points=1
from autograder.tasks.masking import check

check("entropy", entropy)

# %% check="entropy_hidden" points=1 hidden=true
# When graded: one sentence, one key, no padding, float64, weights (batch, queries, keys), weights near 0 and near 1.
from autograder.tasks.masking import check

check("entropy", entropy, hidden=True)

# %% tags=["demonstration"]
# Entropy against temperature (nothing to write here); its exponential is the number of tokens that would have the same
# entropy if they shared the weight equally.
try:
    scores, real = torch.tensor([[2.0, 1.0, 0.0, -1.0]]), torch.tensor([[True, True, True, False]])
    print("temperature  entropy  as if shared by")
    for temperature in (0.1, 0.5, 1.0, 2.0, 10.0):
        spread = float(entropy(masked_softmax(scores, real, temperature)))
        print(f"{temperature:11} {spread:8.2f} {torch.tensor(spread).exp():13.2f} tokens")
except Exception as error:
    print(f"A small table appears here once the entropy is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: keys that arrive block by block
#
# A very long source does not fit into memory at once, so its keys arrive in blocks, and each block is discarded before
# the next one arrives. Can you still compute a softmax, although its largest score may come last?
# Three things are kept for each sentence: the largest real score so far, and two sums relative to it.
#
# $$M = \max_{j:\, m_j = 1} e_j, \qquad Z = \sum_j m_j \exp(e_j - M), \qquad u = \sum_j m_j \exp(e_j - M)\, v_j$$
#
# In the end the context is $u / Z$ (Milakov and Gimelshein, 2018; fast attention on GPUs works like this).
# Write the update of all three by one block: you get their values before it, and return those after it.
# Before the first block, and as long as a sentence has had no real token, $M$ is the lowest finite number of the dtype,
# and $Z$ and $u$ are 0.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Two keys with the scores 0 and 1 have arrived, so $M = 1$ and $Z = e^{-1} + 1$. Now a key with the score 3 arrives.
# What are $M$ and $Z$? How do you get the new $Z$ from the old one, without the old scores?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# $\exp(e - M_{new}) = \exp(e - M_{old}) \exp(M_{old} - M_{new})$, and the last factor is the same for all old keys.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# First the new $M$, from the old one and the block's real scores; then both sums, with the old ones scaled down.
# Padding gets the lowest score, as in task 1, and for the same reason its exponential must also be set to 0: where?
# </details>

# %% answer="absorb"
from seq2seq.exercises.masking import absorb

# %% check="absorb_visible" points=1
from autograder.tasks.masking import check

check("absorb", absorb)

# %% check="absorb_hidden" points=1 hidden=true
# When graded: one sentence, padding first, padding with the highest scores, one key at a time, other sizes, float64,
# gradients.
from autograder.tasks.masking import check

check("absorb", absorb, hidden=True)

# %% tags=["demonstration"]
# Block by block against all at once (nothing to write here): the largest difference between the contexts.
try:
    random = torch.Generator().manual_seed(6)
    scores, values = 9 * torch.randn(3, 12, generator=random), torch.randn(3, 12, 4, generator=random)
    real = torch.arange(12) < torch.tensor([[12], [7], [2]])
    start = torch.full((3,), torch.finfo(scores.dtype).min), torch.zeros(3), torch.zeros(3, 4)
    _, whole, together = absorb(*start, scores, values, real)
    state = start
    for block in zip(scores.split(5, 1), values.split(5, 1), real.split(5, 1), strict=True):
        state = absorb(*state, *block)
    context = state[2] / state[1].unsqueeze(-1)
    print("largest difference:", float((context - together / whole.unsqueeze(-1)).abs().max()))
except Exception as error:
    print(f"A difference appears here once task 4 is written; it should be about 0. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: which way round?
#
# Libraries disagree on what a mask means, and documentation is not always right. You have the scores and the boolean
# mask that a library was given, and the weights that it returned. What did it do? Return one of the words in quotes.
#
# - `"real"`: tokens marked True take part.
# - `"padding"`: tokens marked True are left out.
# - `"added"`: the mask, as 1 and 0, was added to the scores.
# - `"afterwards"`: the softmax ran over everything, and the weights of tokens marked False were then set to 0.
# - `"ignored"`: the mask was not used.
# - `"unknown"`: none of these fits, or more than one does. When does that happen?
#
# The weights are rounded to five decimals.
# A sentence that has no real token under some convention gets weights of 0, as in task 1.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What would each of the five have returned for these scores?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Compute all five, and count those that are close to the weights returned.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Use `torch.allclose` with a tolerance of your own. A mask without any False fits several: the answer is unknown.
# </details>

# %% answer="mask_convention"
from seq2seq.exercises.masking import mask_convention

# %% check="mask_convention_visible" points=1
from autograder.tasks.masking import check

check("mask_convention", mask_convention)

# %% check="mask_convention_hidden" points=1 hidden=true
# When graded: other sizes, low and high scores, padding with little weight, a sentence without padding.
from autograder.tasks.masking import check

check("mask_convention", mask_convention, hidden=True)

# %% tags=["demonstration"]
# Your verdict on a function of PyTorch, given two kinds of mask (nothing to write here). What do you expect?
try:
    random = torch.Generator().manual_seed(7)
    query, keys = torch.randn(3, 1, 6, generator=random), torch.randn(3, 5, 6, generator=random)
    mask = torch.arange(5) < torch.tensor([[4], [3], [2]])
    unit = torch.eye(5).expand(3, 5, 5)  # values that show the weights
    fused = torch.nn.functional.scaled_dot_product_attention(query, keys, unit, attn_mask=mask.unsqueeze(1))
    scores = (query @ keys.mT).squeeze(1) / 6**0.5
    print("scaled_dot_product_attention, a boolean mask:", mask_convention(scores, mask, fused.squeeze(1)))
    fused = torch.nn.functional.scaled_dot_product_attention(query, keys, unit, attn_mask=mask.unsqueeze(1).float())
    print("scaled_dot_product_attention, a mask of floats:", mask_convention(scores, mask, fused.squeeze(1)))
except Exception as error:
    print(f"Two words appear here once task 5 is written. ({type(error).__name__})")

# %% [markdown]
# ## A question to answer in words: before, not after
#
# A public implementation computes the softmax over all positions, sets the weights of padding to 0, and goes on.
# A second one also divides by the new sum, so that the weights sum to 1 again.
# What is wrong with the first for two sentences of different lengths in one batch?
# And where does the second go wrong, although it is right on paper? Three or four sentences are enough.

# %% [markdown] question="why_before" points=2
# **Model answer.** In the first, padding takes part in the softmax, so the weights of the real tokens sum to less
# than 1: the shorter sentence loses more, and its context depends on the length of its neighbour in the batch,
# which has nothing to do with it.
# In the second the quotient is the same on paper, but in floating point the exponentials of the real tokens can all
# become 0 when the score of a padding position is far above theirs, because the softmax subtracts the largest score of
# all; then 0 is divided by 0 and the weights are NaN.
#
# **Rubric.** 1 point: the real weights no longer sum to 1, and by how much depends on how far the sentence is padded
# (on the batch); 1 point: renormalising underflows, or gives 0/0, when padding has a much larger score than the real
# tokens.

# %% [markdown]
# ## To go further (not graded)
#
# 1. PyTorch has all of this in one fused function.
#    Fill in the cell below: which scorer, which mask and which shapes make `attend` equal to
#    `torch.nn.functional.scaled_dot_product_attention`?
#    Beware of the polarity of its mask.
# 2. Let the temperature go to 0 and to infinity: which two well-known operations does attention become?
# 3. What is the entropy of a sentence of one token, at any temperature? By what should entropies be divided in a plot
#    over sentences of different lengths?

# %% tags=["demonstration"]
theirs = torch.nn.functional.scaled_dot_product_attention(queries[:, None], every, every)[:, 0]
mine = None  # your context for the same queries, keys and values
if mine is None:
    print("still to do, if you like")
else:
    print("largest difference:", float((mine - theirs).abs().max()))

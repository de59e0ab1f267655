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
#     title: Scorers and masked attention
#     assignment: 05_scorers
#     chapters: [4, 5, 6]
#     given: [seq2seq/__init__.py, seq2seq/scorer.py, seq2seq/plots.py]
# ---

# %% [markdown]
# # Scorers and masked attention
#
# You build attention from its smallest parts: the weighted sum, its gradient, five ways to score, the masked softmax,
# and at last `attend`, which puts them together.
# It goes with chapters 4 (*attention as a differentiable look-up*), 5 (*score functions*) and 6 (*masking and
# normalising*).
#
# **Time:** 60 to 90 minutes. **Points:** 20, two for each of ten tasks.
#
# **When you are done you can**
#
# - compute weights and context by pencil, by loop and for a whole batch at once;
# - derive and check the gradient that reaches a score;
# - write the dot, scaled dot, bilinear, additive and location scorers, and say what each one costs and learns;
# - normalise scores so that padding gets nothing, without overflow and without NaN.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs
# only when your work is graded; its comment says what it tries.
# One wrong task does not cost you the next: a task may use nothing that you wrote before, unless it says so.
# Every scorer here returns *scores*; the softmax comes later, in a function of its own.
# Throughout, batch comes first, and `source_mask` is true for real tokens.

# %% given="setup"
import math

import torch
from IPython.display import display
from torch import Tensor, nn

from seq2seq.plots import alignment_plot
from seq2seq.scorer import Scorer

source = ["the", "black", "cat", "sleeps"]
target = ["le", "chat", "noir", "dort"]
states = torch.eye(4, 6)[None] + 0.2 * torch.randn(1, 4, 6, generator=torch.Generator().manual_seed(1))
queries = 3 * states[0, [0, 2, 1, 3]]  # decoder states that look for: the, cat, black, sleeps
every = states.expand(4, -1, -1)  # the same sentence for each of the four queries: (4, 4, 6)

# %% [markdown]
# ## Warm-up: attention by pencil
#
# Three source tokens have the scores $e = (0, \ln 2, \ln 5)$ and the values $v_1 = (8, 0)$, $v_2 = (4, 8)$, $v_3 =
# (0, 0.8)$.
#
# 1. Take the exponential of each score and divide by their sum: these are the weights $\alpha$.
# 2. Sum the values, each times its weight: this is the context $c$.
# 3. Now token 3 turns out to be padding. What are the weights, and the context, of the two tokens that remain?
#
# Write your numbers below before you run the cell. It is not graded.

# %%
weights_by_hand = [None, None, None]
context_by_hand = [None, None]
weights_without_token_3 = [None, None, None]
context_without_token_3 = [None, None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.01 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet; look at the sum that you divide by'}")


exps = [1.0, 2.0, 5.0]
compare("weights", weights_by_hand, [e / sum(exps) for e in exps])
compare("context", context_by_hand, [2.0, 2.5])
compare("weights without token 3", weights_without_token_3, [1 / 3, 2 / 3, 0.0])
compare("context without token 3", context_without_token_3, [16 / 3, 16 / 3])

# %% [markdown]
# ## Task 1: the weighted sum, by loop
#
# The equation of the context (chapter 4): $c = \sum_j \alpha_j v_j$.
#
# Write it as it is read: for each sentence, for each key, a number times a vector, added up.
#
# > **Often believed:** "attention weights are a matrix over the features."
# > They are one number per source token: `m` tokens, `m` weights, however large the vectors are.
# > A whole value is scaled by one number.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which axis is in `weights` and in `values`, but no longer in `context`? That one is summed.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Begin with zeros of shape (batch, value_size), of the values' dtype, and add to row `b` for each key `j` of
# sentence `b`.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Two loops, one within the other; in the innermost line, `weights[…]` with two indices is a number and `values[…]`
# with
# two indices is a vector. `values.new_zeros(…)` makes zeros of the right dtype and on the right device.
# </details>

# %% answer="weighted_sum_loop"
from seq2seq.attention import weighted_sum_loop

# %% check="weighted_sum_loop_visible" points=1
from autograder.checks.context import check_weighted_sum_loop

check_weighted_sum_loop(weighted_sum_loop)

# %% check="weighted_sum_loop_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, weights that sum to 2.
from autograder.checks.context import check_weighted_sum_loop_hidden

check_weighted_sum_loop_hidden(weighted_sum_loop)

# %% [markdown]
# ## Task 2: the weighted sum, all at once
#
# The same equation without a loop in Python: one matrix product for the whole batch.
#
# <details><summary>Hint 1: a nudge</summary>
#
# For one sentence, the weights are a row of `keys` numbers and the values a table of `keys` rows.
# What is their product?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `torch.bmm` multiplies a batch of matrices: (batch, a, b) with (batch, b, c).
# The weights want to be matrices of one row.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `unsqueeze` puts in the axis of size 1, and after the product it has to go again. Name the axis that goes:
# a bare `squeeze()` takes the batch along when there is one sentence.
# </details>

# %% answer="weighted_sum"
from seq2seq.attention import weighted_sum

# %% check="weighted_sum_visible" points=1
from autograder.checks.context import check_weighted_sum

check_weighted_sum(weighted_sum)

# %% check="weighted_sum_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, weights that sum to 2.
from autograder.checks.context import check_weighted_sum_hidden

check_weighted_sum_hidden(weighted_sum)

# %%
# What you have won: loop and product side by side (nothing to write here).
try:
    from time import perf_counter

    some_weights, some_values = torch.rand(8, 40).softmax(-1), torch.randn(8, 40, 64)
    for function in (weighted_sum_loop, weighted_sum):
        start = perf_counter()
        function(some_weights, some_values)
        print(f"{function.__name__:18} {1000 * (perf_counter() - start):8.2f} ms")
except Exception as error:
    print(f"Two times appear here once both sums are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: the gradient of a score, by hand
#
# Attention is trained like everything else: the loss says in which direction the context should move,
# $\partial L / \partial c$, and every score gets its share (chapter 4, the gradient of a score):
#
# $$\frac{\partial L}{\partial e_j} = \alpha_j \, (v_j - c)^\top \frac{\partial L}{\partial c}$$
#
# Derive it first: $\partial c / \partial \alpha_j = v_j$, and the softmax gives
# $\partial \alpha_i / \partial e_j = \alpha_i ([i = j] - \alpha_j)$.
# Compute the context here afresh, so that a slip in task 2 does not cost you this task.
#
# <details><summary>Hint 1: a nudge</summary>
#
# By how much does the loss change if only the weight of key $j$ grows? And who pays for that growth?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Three steps: the context; how far each value lies from it; the product of that difference with the gradient at the
# context.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `values` is (batch, keys, value_size) and the context (batch, value_size): one of them needs an axis more for the
# difference. The product with the gradient sums over the last axis; the weight comes last.
# </details>

# %% answer="score_gradient"
from seq2seq.attention import score_gradient

# %% check="score_gradient_visible" points=1
from autograder.checks.gradient import check_score_gradient

check_score_gradient(score_gradient)

# %% check="score_gradient_hidden" points=1 hidden=true
# When graded: compared with autograd for other sizes, one sentence, one key, float64, and padding whose weight is 0.
from autograder.checks.gradient import check_score_gradient_hidden

check_score_gradient_hidden(score_gradient)

# %% [markdown]
# ## Task 4: dot scores
#
# The dot score (chapter 5, the dot scorer): $e_j = q^\top k_j$.
#
# A scorer has two halves: `project_keys` does what depends on the keys alone and runs once per sentence;
# `score` does the rest, once per query.
# The dot product has nothing to project, so `projected_keys` are the keys themselves, and `score` is all there is to
# write.
#
# > **Often believed:** "attention is the output of a dense softmax layer."
# > It is an operation in three steps: score, normalise, sum. A scorer does the first and returns raw numbers.
#
# <details><summary>Hint 1: a nudge</summary>
#
# For one sentence, `keys` is a table of `keys` rows, and the query is a vector. Which product gives a number per row?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A batch of tables times a batch of columns. Give the query an axis so that it becomes a column.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# (batch, keys, size) @ (batch, size, 1) → (batch, keys, 1). One axis too many is left: which?
# </details>

# %% answer="DotScorer.score" omit="DotScorer.score_all"
from seq2seq.scorers import DotScorer

# %% check="dot_scorer_visible" points=1
from autograder.checks.scorers import check_dot_scorer

check_dot_scorer(DotScorer)

# %% check="dot_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.checks.scorers import check_dot_scorer_hidden

check_dot_scorer_hidden(DotScorer)

# %%
# Your dot scores at work (nothing to write here): each row is one decoder step.
try:
    display(alignment_plot(torch.softmax(DotScorer()(queries, every), dim=-1), source, target))
except Exception as error:
    print(f"A table of weights appears here once the dot scorer is written. ({type(error).__name__})")

# %% [markdown]
# > **Often believed:** "early words matter less", or "important words get a high weight", for good.
# > Each row of the picture is another step with other weights: *noir* looks at *black*, the word before it looked
# > further on.
#
# ## Task 5: scaled dot scores
#
# The scaled dot score (chapter 5, the scaled dot scorer): $e_j = q^\top k_j / \sqrt{d}$, with $d$ the size of query
# and key.
#
# Before you write it: if query and key have 256 independent entries of variance 1, what is the variance of their dot
# product?
# And what does a softmax make of scores that are that far apart?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Write the dot product again; only one number is new.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The variance grows with the number of features, so the spread grows with its root.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The number of features is the size of the *last* axis of the query.
# Neither the batch nor the number of keys comes in.
# </details>

# %% answer="ScaledDotScorer.score" omit="ScaledDotScorer.score_all"
from seq2seq.scorers import ScaledDotScorer

# %% check="scaled_dot_scorer_visible" points=1
from autograder.checks.scorers import check_scaled_dot_scorer

check_scaled_dot_scorer(ScaledDotScorer)

# %% check="scaled_dot_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.checks.scorers import check_scaled_dot_scorer_hidden

check_scaled_dot_scorer_hidden(ScaledDotScorer)

# %%
# The largest of ten weights, averaged over 200 random queries, as the size grows (nothing to write here).
try:
    random = torch.Generator().manual_seed(0)
    print("size    dot   scaled dot")
    for size in (4, 16, 64, 256, 1024):
        query, keys = torch.randn(200, size, generator=random), torch.randn(200, 10, size, generator=random)
        largest = [scorer(query, keys).softmax(-1).amax(-1).mean() for scorer in (DotScorer(), ScaledDotScorer())]
        print(f"{size:4} {largest[0]:6.2f} {largest[1]:8.2f}")
except Exception as error:
    print(f"A small table appears here once both dot scorers are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 6: bilinear scores
#
# The bilinear score (chapter 5, the bilinear scorer, which Luong et al. call *general*): $e_j = q^\top W k_j$.
#
# $W$ carries the keys into the query's space, so that the two may differ in size.
# $W k_j$ does not depend on the query: it belongs into `project_keys`.
# `__init__` is given, and stays as it is: the check loads its own weights into your layers.
#
# > **Often believed:** "attention adds no parameters."
# > The dot scorer adds none. This one adds `query_size × key_size`, trained together with everything else.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Once the keys have been carried over, which of your scorers is left to do?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `nn.Linear` works on the last axis and leaves the others alone, so it takes all keys of all sentences at once.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `project_keys`: (batch, keys, key_size) → (batch, keys, query_size), by the layer alone.
# `score`: the dot product with it,
# written out here once more.
# </details>

# %% answer="BilinearScorer.project_keys BilinearScorer.score" omit="BilinearScorer.score_all"
from seq2seq.scorers import BilinearScorer

# %% check="bilinear_scorer_visible" points=1
from autograder.checks.scorers import check_bilinear_scorer

check_bilinear_scorer(BilinearScorer)

# %% check="bilinear_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.checks.scorers import check_bilinear_scorer_hidden

check_bilinear_scorer_hidden(BilinearScorer)

# %%
# Keys in another space (nothing to write here): turned round, they defeat the dot product, but not a W that turns
# them back.
try:
    turn = torch.linalg.qr(torch.randn(6, 6, generator=torch.Generator().manual_seed(2))).Q
    scorer = BilinearScorer(6, 6)
    with torch.no_grad():
        for name, matrix in (("W is the identity", torch.eye(6)), ("W turns back", turn.T)):
            scorer.load_state_dict({"key_layer.weight": matrix})
            print(name)
            display(alignment_plot(scorer(queries, every @ turn.T).softmax(-1), source, target))
except Exception as error:
    print(f"Two tables of weights appear here once the bilinear scorer is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 7: additive scores
#
# The additive score (chapter 5, the additive scorer, from Bahdanau et al.): $e_j = v^\top \tanh(W q + U k_j)$.
#
# It is a small network that reads query and key together: $W q + U k_j$ is one matrix times $[q; k_j]$, written in
# two parts
# so that the part of the keys is computed once per sentence.
#
# > **Often believed:** "Bahdanau attention is the additive score, Luong attention is the dot score."
# > The score and the place where attention is wired into the decoder are separate choices.
# > Any scorer here fits either model.
#
# What would happen without the tanh? Write $v^\top (W q + U k_j)$ as two terms, and see which of them the softmax
# over $j$
# cancels.
#
# <details><summary>Hint 1: a nudge</summary>
#
# There is one query and there are many keys; the sum needs the query's part beside each of the keys' parts.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The query's part is (batch, attention_size), the keys' (batch, keys, attention_size): an axis of size 1 in the
# right place
# lets them broadcast.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Sum, tanh, then `energy_layer`, which is $v$: (batch, keys, attention_size) → (batch, keys, 1).
# One axis too many is left.
# </details>

# %% answer="AdditiveScorer.project_keys AdditiveScorer.score"
from seq2seq.scorers import AdditiveScorer

# %% check="additive_scorer_visible" points=1
from autograder.checks.scorers import check_additive_scorer

check_additive_scorer(AdditiveScorer)

# %% check="additive_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.checks.scorers import check_additive_scorer_hidden

check_additive_scorer_hidden(AdditiveScorer)

# %%
# An untrained network has no opinion yet, but the rows differ: the query counts, thanks to the tanh (nothing to
# write here).
try:
    torch.manual_seed(3)
    with torch.no_grad():
        scorer = AdditiveScorer(6, 6, 16)
        display(alignment_plot(torch.softmax(8 * scorer(queries, every), dim=-1), source, target))
except Exception as error:
    print(f"A table of weights appears here once the additive scorer is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 8: location scores
#
# The location score (chapter 5, the location scorer): $e = W q$; row $j$ of $W$ scores position $j$, whatever word
# stands there.
#
# `W` has a row for each of `max_keys` positions; a batch has fewer keys, as a rule.
# Where it has more, there is nothing to score them with: raise a `ValueError`.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What do you need to know of the keys? Not what they hold.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Score every position that the layer knows, then keep as many as the sentences have.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# (batch, query_size) → (batch, max_keys) → (batch, keys): a slice of the last axis that starts at its beginning.
# Compare the two numbers first.
# </details>

# %% answer="LocationScorer.score"
from seq2seq.scorers import LocationScorer

# %% check="location_scorer_visible" points=1
from autograder.checks.scorers import check_location_scorer

check_location_scorer(LocationScorer)

# %% check="location_scorer_hidden" points=1 hidden=true
# When graded: as many keys as positions, one more than that, one sentence, one key, other sizes, float64.
from autograder.checks.scorers import check_location_scorer_hidden

check_location_scorer_hidden(LocationScorer)

# %%
# The same positions, whatever the words (nothing to write here): two sentences, one picture.
try:
    torch.manual_seed(4)
    with torch.no_grad():
        scorer = LocationScorer(6, 9)
        first, second = scorer(queries, every), scorer(queries, torch.randn(4, 4, 6))
        print("equal for other words:", torch.equal(first, second))
        display(alignment_plot(first.softmax(-1), source, target))
except Exception as error:
    print(f"A table of weights appears here once the location scorer is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 9: the masked softmax
#
# The masked softmax (chapter 6), with a temperature $\tau$, and with $m_j = 1$ for a real token, 0 for padding:
#
# $$\alpha_j = \frac{m_j \exp(e_j / \tau)}{\sum_k m_k \exp(e_k / \tau)}$$
#
# It has to stand everything that a batch brings along:
#
# - padding gets exactly 0, and the real tokens of a sentence share all of the 1;
# - scores of ±10 000 do not overflow;
# - a sentence without a real token gets weights of 0 and gradients of 0, not NaN;
# - the scores of the caller are left as they were;
# - `scores` may be (batch, keys), or a whole table (batch, queries, keys) with a mask (batch, 1, keys).
#
# The two errors that the docstring names are good manners; they are not graded.
#
# <details><summary>Hint 1: a nudge</summary>
#
# If padding is removed after the softmax, what has it done to the sum by then? Recall question 3 of the warm-up.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Before the softmax, give padding a score so low that its exponential is 0.
# Which numbers are low enough for every row, and
# which of them make a row of padding alone divide 0 by 0?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `masked_fill` (without the underscore) returns a new tensor; the lowest finite number of a dtype is in
# `torch.finfo`.
# `torch.softmax` subtracts the row's maximum itself.
# What does it return for a row in which all scores are equally low,
# and what has to be done about that?
# </details>

# %% answer="masked_softmax"
from seq2seq.attention import masked_softmax

# %% check="masked_softmax_visible" points=1
from autograder.checks.masking import check_masked_softmax

check_masked_softmax(masked_softmax)

# %% check="masked_softmax_hidden" points=1 hidden=true
# When graded: one sentence, one key, padding on the left and in between, scores near ±10000, other temperatures,
# float64,
# scores (batch, queries, keys), and gradients.
from autograder.checks.masking import check_masked_softmax_hidden

check_masked_softmax_hidden(masked_softmax)

# %%
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
# ## Task 10: attend
#
# From scores to context (chapter 6, attention with a mask): mask, normalise, sum.
# Here you may use your `masked_softmax` and your `weighted_sum`; the check takes them as they are, so that a fault
# in one of
# them is not counted again.
#
# Return the pair `(context, weights)`, in this order: the decoder needs the context, and we want to look at the
# weights.
#
# > **Often believed:** "the attention vector replaces the hidden state", or "replaces the input word".
# > It does neither: the decoder keeps its state and its word, and gets the context besides.
# > Chapters 7 and 8 show where.
#
# <details><summary>Hint 1: a nudge</summary>
#
# It is two lines, and everything they need is above.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The weights come first, then the context, which is summed with these very weights.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The mask is used once, in the first of the two steps.
# Look at the order in which the stub's docstring names the results.
# </details>

# %% answer="attend"
from seq2seq.attention import attend

# %% check="attend_visible" points=1
from autograder.checks.attention import check_attend

check_attend(attend, masked_softmax, weighted_sum)

# %% check="attend_hidden" points=1 hidden=true
# When graded: one sentence, a sentence without a real token, mostly padding, float64, gradients.
from autograder.checks.attention import check_attend_hidden

check_attend_hidden(attend, masked_softmax, weighted_sum)

# %%
# Attention, whole (nothing to write here): four decoder steps over a sentence with one word of padding.
try:
    real = torch.tensor([True, True, True, True, False])
    padded = torch.cat([every, 5 * torch.ones(4, 1, 6)], dim=1)  # padding that would shout loudest
    context, weights = attend(DotScorer()(queries, padded), padded, real.expand(4, -1))
    display(alignment_plot(weights, [*source, "<pad>"], target))
    print("context:", tuple(context.shape))
except Exception as error:
    print(f"A table of weights appears here once attend is written. ({type(error).__name__})")

# %% [markdown]
# ## To go further (not graded)
#
# 1. PyTorch has all of this in one fused function.
#    Fill in the cell below: which scorer of yours, which mask and which
#    shapes make `attend` equal to `torch.nn.functional.scaled_dot_product_attention`?
#    Beware of the polarity of its mask.
# 2. Many queries at once: write `score_all(queries, projected_keys)`, (batch, queries, size) → (batch, queries,
#    keys), for the
#    dot scorer as one matrix product. Chapter 8 trains faster with it.
# 3. Let the temperature go towards 0 and towards infinity: which two well-known operations does attention become?

# %%
theirs = torch.nn.functional.scaled_dot_product_attention(queries[:, None], every, every)[:, 0]
mine = None  # your context for the same queries, keys and values
if mine is None:
    print("still to do, if you like")
else:
    print("largest difference:", float((mine - theirs).abs().max()))

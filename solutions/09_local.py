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
#     title: Local attention
#     assignment: 09_local
#     chapters: [9]
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
# # Local attention
#
# Global attention looks at every source word at every step.
# Local attention looks through a window: a centre, and $D$ words on each side of it (Luong et al., 2015, section 3.2).
# You build both kinds, local-m, whose centre is given, and local-p, whose centre is predicted and learned, with the
# edge cases that come with batches.
# Then you go beyond the chapter: you put the parts together so that only the window is fetched, and build an older
# window whose centres move forward and never back.
# It goes with chapter 9 (*global and local*).
#
# **Time:** 70 minutes. **Points:** 16, of which 14 for five tasks and two for a question to answer in words.
#
# **When you are done you can**
#
# - say which words lie in a window, even when its centre lies between two words or beyond the end;
# - normalise scores over the window, so that an empty window gives no NaN;
# - predict a centre that padding does not move, and say how it learns where to go;
# - attend to a window in time that does not grow with the sentence;
# - build a window from its equations alone, for a whole sentence and for one step of decoding.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# Where a task may use what you wrote before, a mistake there that its own check can name is not counted again, so one
# wrong task need not cost you the next.
# Throughout, the batch axis comes first, positions are counted from 0, and `source_mask` is true for real words.
# $D$ is called `half_width` and $p_t$ a `centre`; there is one centre for each query, that is, for each target word.

# %% given="setup"
import math

import torch
from IPython.display import display
from torch import Tensor, nn

from seq2seq.attention import masked_softmax
from seq2seq.plots import alignment_plot

source = ["in", "the", "morning", "the", "black", "cat", "slept", "on", "the", "mat"]
target = ["am", "Morgen", "schlief", "die", "schwarze", "Katze", "auf", "der", "Matte"]
positions = torch.arange(10)
diagonal = torch.arange(9.0)[None]  # local-m: target word t looks around source word t; (1, 9)
every = torch.ones(1, 1, 10, dtype=torch.bool)  # no padding
states = torch.randn(1, 10, 8, generator=torch.Generator().manual_seed(1))
queries = 1.5 * states[:, [0, 2, 6, 3, 4, 5, 7, 8, 9]]  # decoder states that look for the word they translate
scores = queries @ states.mT  # dot scores, (1, 9, 10)

# %% [markdown]
# ## Warm-up: a window by hand
#
# A sentence has $S = 6$ words, at positions 0 to 5, all with the same score. The half width is $D = 2$.
#
# 1. The centre is $p = 1.5$. Which positions lie in the window $[p - D, p + D]$?
# 2. What weight does the softmax over the window give to each of them?
# 3. Local-p multiplies the weight of position $s$ by $\exp(-(s - p)^2 / 2\sigma^2)$ with $\sigma = D/2$.
#    What is the factor of position 1? (You may use $e^{-1/8} \approx 0.88$.)
# 4. The centre is $p = 5$. How many words does the window hold now?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
window_by_hand = None  # a list of positions
weight_by_hand = None
factor_by_hand = None
words_at_the_end_by_hand = None


def compare(name, mine, right):
    if mine is None:
        print(f"{name}: still to do")
    else:
        close = mine == right if isinstance(right, list) else abs(mine - right) < 0.01
        print(f"{name}: {'right' if close else 'not yet; draw the six words on a line'}")


compare("window", window_by_hand, [0, 1, 2, 3])
compare("weight", weight_by_hand, 1 / 4)
compare("factor", factor_by_hand, 0.8825)
compare("words at the end", words_at_the_end_by_hand, 3)

# %% [markdown]
# ## Task 1: the window, and the softmax over it
#
# The window of chapter 9 (Luong et al., 2015, section 3.2) holds every position $s$ with
#
# $$|s - p_t| \le D$$
#
# and the weights of local-m sum to 1 over the words in it:
#
# $$a_t(s) = \frac{\exp e_{ts}}{\sum_{|s' - p_t| \le D} \exp e_{ts'}} \quad\text{inside}, \qquad a_t(s) = 0
# \quad\text{elsewhere}$$
#
# Write two functions in one cell: `in_window` says which positions are inside, `window_softmax` turns scores into
# weights. Each query has a centre of its own, so both return a table for each sentence: (batch, queries, keys).
#
# - A half width below 1 gives no window: raise a `ValueError`.
# - A window may reach beyond the ends of the sentence: only the part inside counts.
# - It may hold no real word at all, when a translation is much longer than its source: then weights are 0, not NaN.
# - A word outside may have the highest score of all, so high that its exponential is infinite.
#
# `masked_softmax(scores, source_mask)` of chapter 6 is given.
#
# > **Often believed:** "local attention is hard attention."
# > It is between the two: the window is cut hard, but within it the weights are soft, and gradients flow.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Take one query with centre 3.5. For each position: is it in the window? Which axis do the centres need, so that all
# queries are handled at once?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# You have met the second half before: padding must not take part in a softmax either. How is a word outside the window
# like padding?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The centres are (batch, queries) and need an axis of size 1 at the end; a word at the very edge is inside.
# A word takes part when it is real *and* inside: one mask made from two, (batch, 1, keys) and (batch, queries, keys).
# </details>

# %% answer="window_softmax in_window"
from seq2seq.local.attention import in_window, window_softmax

# %% check="window_softmax_visible" points=1
from autograder.tasks.local import check

check("window_softmax", window_softmax)

# %% check="window_softmax_hidden" points=2 hidden=true
# When graded: half widths 1, 5 and below 0, one sentence, one query, one word, whole centres, centres far off, padding
# on the left, positions that differ by query or do not start at 0, very high and low scores, an empty sentence,
# float64, and gradients.
from autograder.tasks.local import check

check("window_softmax", window_softmax, hidden=True)

# %% tags=["demonstration"]
# Your window (nothing to write here): that of local-m, one word further at each step.
try:
    display(alignment_plot(in_window(positions, diagonal, 2)[0].float(), source, target))
except Exception as error:
    print(f"A band along the diagonal appears here once the window is written. ({type(error).__name__})")

# %% tags=["demonstration"]
# The same scores twice (nothing to write here): global attention, then local-m with D = 2.
try:
    local = window_softmax(scores, positions, diagonal, 2, every)
    display(alignment_plot(scores.softmax(-1)[0], source, target))
    display(alignment_plot(local[0], source, target))
except Exception as error:
    print(f"Two tables of weights appear here once the window softmax is written. ({type(error).__name__})")

# %% [markdown]
# *Matte* gains from the window: the far-off word that shouted loudest no longer takes part.
# *schlief* loses: German moves the verb to the front, and the word that it translates lies outside the window.
# Local-m assumes that source and target run side by side.
# Local-p lets the decoder say where to look.
#
# ## Task 2: the predicted centre
#
# Local-p (chapter 9, the predicted centre; Luong et al., 2015, equation 9):
#
# $$p_t = S \cdot \mathrm{sigmoid}(v_p^\top \tanh(W_p h_t))$$
#
# $S$ is *each sentence's own* number of words.
# With the length of the batch instead, the centre would move when the same sentence is padded further.
# `__init__` is given; leave it as it is: `hidden_layer` is $W_p$, `position_layer` is $v_p$, and the check loads its
# own weights into them.
#
# > **Often believed:** "Luong attention is the dot score."
# > In this chapter the score does not matter at all: dot, general or additive fit into any window.
# > Where to look, how to score and where to wire it are three separate choices.
#
# <details><summary>Hint 1: a nudge</summary>
#
# The sigmoid gives a share between 0 and 1. A share of what? What tells you how many words a sentence has?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# From the inside out: the layer $W_p$, tanh, the layer $v_p$, sigmoid, and the length of the sentence.
# True counts as 1 in a sum.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `position_layer` leaves an axis of size 1 at the end, which has to go.
# The lengths are (batch,), the shares (batch, queries): give the lengths one more axis, for instance with
# `keepdim=True`.
# </details>

# %% answer="CentrePredictor.forward"
from seq2seq.local.attention import CentrePredictor

# %% check="centre_predictor_visible" points=1
from autograder.tasks.local import check

check("centre_predictor", CentrePredictor)

# %% check="centre_predictor_hidden" points=1 hidden=true
# When graded: one sentence, one query, padding on the left, mostly padding, a sentence without a real word, one row of
# W, large states and sums, float64.
from autograder.tasks.local import check

check("centre_predictor", CentrePredictor, hidden=True)

# %% tags=["demonstration"]
# An untrained predictor (nothing to write here): the sigmoid of something small is about one half, so every centre
# begins near the middle of its sentence, and how far the batch is padded does not matter.
try:
    torch.manual_seed(2)
    with torch.no_grad():
        predictor = CentrePredictor(8, 8)
        for words, padded in ((10, 10), (10, 14), (4, 14)):
            real = (torch.arange(padded) < words)[None]
            shown = [round(float(centre), 2) for centre in predictor(queries[:, :5], real)[0]]
            print(f"{words:2} words padded to {padded}: {shown}")
except Exception as error:
    print(f"Three rows of centres appear here once the predictor is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: favour the centre
#
# Local-p multiplies the weights by a Gaussian around the centre (chapter 9, the Gaussian; Luong et al., 2015, equation
# 10):
#
# $$a_t(s) = \mathrm{align}_t(s) \, \exp\left(-\frac{(s - p_t)^2}{2 \sigma^2}\right), \qquad \sigma = \frac{D}{2}$$
#
# $\mathrm{align}_t$ is what your window softmax returns; here it comes as an argument, `weights`.
# The Gaussian comes *after* the softmax, and nothing is normalised again.
#
# > **Often believed:** "attention weights sum to 1."
# > These do not: a row that summed to 1 sums to less once it is multiplied by the Gaussian.
#
# <details><summary>Hint 1: a nudge</summary>
#
# At the centre the factor is 1. How many $\sigma$ away is the edge of the window, and what is the factor there?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Distances as in task 1. Do not round the centre; a rounded number has no slope.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# First $\sigma$, then the distances of shape (batch, queries, keys), then `weights` times one `torch.exp`.
# Mind the brackets: everything below the fraction line divides.
# </details>

# %% answer="favour_centre"
from seq2seq.local.attention import favour_centre

# %% check="favour_centre_visible" points=1
from autograder.tasks.local import check

check("favour_centre", favour_centre)

# %% check="favour_centre_hidden" points=1 hidden=true
# When graded: other half widths, one sentence, one query, one word, whole centres, positions that differ by query or do
# not start at 0, float64.
from autograder.tasks.local import check

check("favour_centre", favour_centre, hidden=True)

# %% tags=["demonstration"]
# A centre learns (nothing to write here): it starts at word 4 and should find "slept", word 6, whose value is 1.
# Only the slope of your Gaussian moves it. The weights are even over the window.
try:
    centre, even = torch.tensor([[4.0]], requires_grad=True), torch.full((1, 1, 10), 1 / 5)
    wanted = (positions == 6).float()
    for turn in range(61):
        context = (favour_centre(even, positions, centre, 2) * wanted).sum()
        if turn % 15 == 0:
            print(f"after {turn:2} steps the centre is {centre.item():.2f}, the context {context.item():.3f}")
        (slope,) = torch.autograd.grad(context, centre)
        centre = (centre + 0.7 * slope).detach().requires_grad_()
except Exception as error:
    print(f"A centre that moves appears here once the Gaussian is written. ({type(error).__name__})")

# %% [markdown]
# ## A question to answer in words
#
# Suppose that local-p had the window, but not the Gaussian: $a_t(s) = \mathrm{align}_t(s)$, with the predicted centre
# $p_t$ deciding only which words are inside.
# What would $W_p$ and $v_p$ learn, and why?
# And why does it matter that the Gaussian comes *after* the softmax, rather than being normalised again with it?
# Three or four sentences.

# %% [markdown] question="why_gaussian" points=2
# **Model answer.** Without the Gaussian, $p_t$ enters the output only through the comparison $|s - p_t| \le D$.
# That is a step function: moved a little, the centre changes nothing, and where a word enters or leaves the window the
# result jumps.
# Its derivative is 0 wherever it exists, so $W_p$ and $v_p$ would get no gradient and stay as they were initialised.
# The Gaussian is smooth in $p_t$, so the loss can tell the centre in which direction to go.
# Normalised again, the weights would sum to 1 wherever the window lies: a window with one word would give that word
# all the weight, and no gradient at all, however far from it the centre is; left as they are, the weights fall as the
# centre moves away, so the context also says how near the centre was.
#
# **Rubric.** 1 point: the window alone is a step function of the centre, so no gradient reaches the predictor (it does
# not learn); 1 point: not normalised again, the size of the weights depends on the distance from the centre
# (equivalently: normalising would take a common factor out again).

# %% [markdown]
# ## Task 4: attend to the window alone
#
# So far every word was scored and most scores were thrown away.
# Local attention pays off when the window is fetched first: then its cost does not grow with the sentence.
# The book has no listing of this; you put it together from what you have.
#
# From queries, keys, values and centres to the contexts of local-p, with dot scores $e_{tj} = q_t^\top k_{\pi_{tj}}$:
#
# 1. The positions $\pi_{tj}$: $2D + 1$ consecutive whole numbers, from $\lceil p_t - D \rceil$ on.
#    Wherever the centre lies, they cover the whole window, and sometimes one word more.
# 2. The keys at these positions, and their scores. What stands elsewhere is not read: it may even be NaN.
# 3. The weights: the softmax over the real words at most $D$ away from the centre, on either side; then each times
#    $\exp(-2 (s - p_t)^2 / D^2)$, the Gaussian of the chapter. Use your functions of tasks 1 and 3 if they compute
#    just that.
# 4. The contexts, from the values at these positions.
#
# Beyond the ends of a sentence there is no word. Python counts an index of −1 from the end, but the last word is not a
# neighbour of the first; and no word may be in a window twice.
# Return the pair `(contexts, weights)`, the weights for the $2D + 1$ positions.
#
# Before you write: with $D = 2$ and a centre of 3.5, which five positions are fetched, and which of them is not in the
# window?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which index is safe to use where a position does not exist? And how do you remember that it does not?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Clamp the positions to the range that exists, fetch with these, and compare them with the original ones.
# A softmax over a window can also take positions (batch, queries, keys), where each query has keys of its own.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Round up first and convert to whole numbers after that: `.long()` alone rounds towards 0, which is up only below 0.
# `values[rows, places]` fetches from each sentence its own values when `rows` holds the sentences' numbers with shape
# (batch, 1, 1), and the mask is fetched in the same way.
# (batch, queries, window, size) @ (batch, queries, size, 1) is one score for each word of each window.
# </details>

# %% answer="attend_fetched"
from seq2seq.exercises.local import attend_fetched

# %% check="attend_fetched_visible" points=2
from autograder.tasks.local import check

check("attend_fetched", attend_fetched)

# %% check="attend_fetched_hidden" points=2 hidden=true
# When graded: half widths 1 and 5, windows longer than the sentence, one sentence, one query, one word, whole centres,
# centres far off, padding on the left, very high and low scores, NaN that no window reaches, float64, gradients.
from autograder.tasks.local import check

check("attend_fetched", attend_fetched, hidden=True)

# %% tags=["demonstration"]
# What it saves (nothing to write here): 20 target words over longer and longer sentences, D = 5.
try:
    from time import perf_counter

    rows = ["words   all words    the window"]
    for words in (100, 1000, 10_000):
        keys, asked = torch.randn(8, words, 64), torch.randn(8, 20, 64)
        real, where = torch.ones(8, words, dtype=torch.bool), torch.rand(8, 20) * words
        times = []
        for _ in range(5):
            start = perf_counter()
            (asked @ keys.mT).softmax(-1) @ keys
            halfway = perf_counter()
            attend_fetched(asked, keys, keys, real, where, 5)
            times.append((halfway - start, perf_counter() - halfway))
        every_word, window = (1000 * min(column) for column in zip(*times, strict=True))
        rows.append(f"{words:6} {every_word:8.2f} ms {window:8.2f} ms")
    print("\n".join(rows))
except Exception as error:
    print(f"A small table of times appears here once the windows are fetched. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: a window that only moves forward
#
# Chapter 9 saw a predicted centre get lost: nothing kept it from jumping to the end and waiting there.
# An older window cannot jump back. Graves (2013, section 5) let a network that generates handwriting look along the
# text that it writes, through several *bells* at once:
#
# $$\phi_t(s) = \sum_k \alpha_{tk} \exp\left(-\beta_{tk} (p_{tk} - s)^2\right)$$
#
# Bell $k$ has a height $\alpha_{tk} = \exp(\hat\alpha_{tk})$, a width $\beta_{tk} = \exp(\hat\beta_{tk})$, and a centre
# that takes a step on from where it was:
#
# $$p_{tk} = p_{t-1,k} + \exp(\hat p_{tk})$$
#
# The numbers with hats come from the decoder, in the last axis of `raw`: all $\hat\alpha$, then all $\hat\beta$, then
# all $\hat p$. `before` holds the centres before the first query of this call.
# There is no score here and no softmax; padding gets a weight of 0, and positions are counted from 0.
# Return the pair `(weights, centres)`.
#
# The same function has to work in training, where all queries come at once, and in decoding, where they come one by
# one: the check calls it with all of them, and then in two parts, the second with the last centres of the first.
#
# Before you write: with one bell, `before` at 0 and every $\hat p = 0$, where is the centre at the third query?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Do it by hand for one bell: three steps of 1, 0.5 and 2. What is each centre made of?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A centre is `before` and all the steps so far. There is a function that adds up along an axis and keeps every partial
# sum; which axis is it here?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `chunk` cuts a tensor into three along an axis.
# Distances need four axes, (batch, queries, bells, keys); heights and widths get an axis of size 1 at their end.
# The sum over the bells leaves (batch, queries, keys).
# </details>

# %% answer="graves_window"
from seq2seq.exercises.local import graves_window

# %% check="graves_window_visible" points=1
from autograder.tasks.local import check

check("graves_window", graves_window)

# %% check="graves_window_hidden" points=2 hidden=true
# When graded: one bell and many, one sentence, two queries, padding on the left, sentences of one word or none,
# float64.
from autograder.tasks.local import check

check("graves_window", graves_window, hidden=True)

# %% tags=["demonstration"]
# Two bells on their way (nothing to write here): one moves on a word at a time, the other runs and then waits.
try:
    raw = torch.zeros(1, 9, 6)
    raw[..., 4], raw[..., 5] = 0.0, torch.linspace(1.0, -4.0, 9)
    moving, at = graves_window(raw, torch.tensor([[-1.0, -1.0]]), every[0])
    print("centres of the second bell:", [round(float(centre), 1) for centre in at[0, :, 1]])
    display(alignment_plot(moving[0] / moving[0].amax(), source, target))
except Exception as error:
    print(f"A picture of two bells appears here once the window is written. ({type(error).__name__})")

# %% [markdown]
# ## To go further (not graded)
#
# 1. Score every word, mask, and compare with your `attend_fetched`: the contexts have to agree up to rounding.
# 2. In the cell of task 3, start the centre at word 0 and try again. How long does it take to find word 6, and why?
#    What would help: another $D$, another start, another loss?
# 3. How long would a translation have to be for local-m to lose its source altogether? What does its decoder see then?
# 4. The weights of task 5 may have any sum. What would a decoder see if all heights were doubled, and how could it
#    notice?

# %% tags=["demonstration"]
predicted = torch.tensor([[0.0, 2.2, 6.0, 3.0, 4.1, 5.0, 7.0, 8.0, 9.4]])  # centres that follow the German word order
mine = None  # your contexts, (1, 9, 8), from every word with D = 2
if mine is None:
    print("still to do, if you like")
else:
    window, _ = attend_fetched(queries, states, states, every[:, 0], predicted, 2)
    print("largest difference:", float((mine - window).abs().max()))

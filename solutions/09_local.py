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
#     given: [seq2seq/__init__.py, seq2seq/scorer.py, seq2seq/attention.py, seq2seq/plots.py]
# ---

# %% [markdown]
# # Local attention
#
# Global attention looks at every source word at every step.
# Local attention looks through a window: a centre, and $D$ words on each side of it (Luong et al., 2015, section 3.2).
# You build both kinds, local-m, whose centre is given, and local-p, whose centre is predicted and learned, with the
# edge cases that a batch brings along.
# It goes with chapter 9 (*global and local*).
#
# **Time:** 60 to 75 minutes. **Points:** 14, two for each of six tasks and two for a question in words.
#
# **When you are done you can**
#
# - say which words lie in a window, also where its centre lies between two words or beyond the end;
# - normalise scores over the window, so that an empty window gives no NaN;
# - predict a centre that padding does not move, and say how it learns where to go;
# - fetch a window in time that does not grow with the sentence.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# One wrong task does not cost you the next.
# Throughout, batch comes first, positions are counted from 0, and `source_mask` is true for real words.
# $D$ is called `half_width` and $p_t$ a `centre`; there is one centre for each query, that is for each target word.

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
# ## Warm-up: a window by pencil
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

# %%
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
# ## Task 1: what lies in the window
#
# The window of chapter 9 (Luong et al., 2015, section 3.2): position $s$ is inside where $|s - p_t| \le D$.
#
# Each query has a centre of its own, so the answer is a table for each sentence: (batch, queries, keys).
# A half width below 1 makes no window: raise a `ValueError`.
#
# > **Often believed:** "early words matter less", or "a word is important" for good.
# > The window moves on with every target word, and so does what matters.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Take one query with centre 3.5. For each position: how far away is it, and is that more than $D$?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# All distances at once: positions along the last axis, centres along the two before it, and broadcasting.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The centres are (batch, queries) and need an axis of size 1 at the end.
# The distance is an absolute value; a word exactly $D$ away is inside.
# </details>

# %% answer="in_window"
from seq2seq.local import in_window

# %% check="in_window_visible" points=1
from autograder.checks.windows import check_in_window

check_in_window(in_window)

# %% check="in_window_hidden" points=1 hidden=true
# When graded: half widths 1 and 4, one sentence, one query, whole numbers, float64, positions of each query's own.
from autograder.checks.windows import check_in_window_hidden

check_in_window_hidden(in_window)

# %%
# What you have won (nothing to write here): the window of local-m, one word further at each step.
try:
    display(alignment_plot(in_window(positions, diagonal, 2)[0].float(), source, target))
except Exception as error:
    print(f"A band along the diagonal appears here once the window is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: the softmax over the window
#
# Local-m (chapter 9, the local-m weights): the softmax runs over the words of the window alone,
#
# $$a_t(s) = \frac{\exp e_{ts}}{\sum_{|s' - p_t| \le D} \exp e_{ts'}} \quad\text{inside}, \qquad a_t(s) = 0
# \quad\text{elsewhere}$$
#
# - A window may reach beyond the ends of the sentence: only the part inside counts.
# - It may hold no real word at all, when a translation is much longer than its source: weights of 0, and no NaN.
# - A word outside may have the highest score of all.
#
# `masked_softmax(scores, source_mask)` of chapter 6 is given. You may use your `in_window`; the check takes it as it
# is, so that a fault in it is not counted again. Or compare afresh.
#
# > **Often believed:** "local attention is hard attention."
# > It is between the two: the window is cut hard, but within it the weights are soft, and gradients flow.
#
# <details><summary>Hint 1: a nudge</summary>
#
# You have met this before: padding must not take part in the softmax, either. What is a word outside the window like?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A word takes part when it is real *and* inside. That is one mask out of two.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `&` joins two boolean tensors and broadcasts (batch, 1, keys) with (batch, queries, keys).
# `masked_softmax` sees to the rest, the empty window too.
# </details>

# %% answer="window_softmax"
from seq2seq.local import window_softmax

# %% check="window_softmax_visible" points=1
from autograder.checks.local import check_window_softmax

check_window_softmax(window_softmax, in_window)

# %% check="window_softmax_hidden" points=1 hidden=true
# When graded: one sentence, one word, centres that are whole numbers, a window wider than the sentence, an empty
# sentence, float64, positions of each query's own, gradients.
from autograder.checks.local import check_window_softmax_hidden

check_window_softmax_hidden(window_softmax, in_window)

# %%
# The same scores twice (nothing to write here): global attention, then local-m with D = 2.
try:
    local = window_softmax(scores, positions, diagonal, 2, every)
    display(alignment_plot(scores.softmax(-1)[0], source, target))
    display(alignment_plot(local[0], source, target))
except Exception as error:
    print(f"Two tables of weights appear here once the window softmax is written. ({type(error).__name__})")

# %% [markdown]
# *Matte* gains by the window: the far-off word that shouted loudest no longer takes part.
# *schlief* loses: German moves the verb to the front, and the word that it translates lies outside the window.
# Local-m supposes that source and target run side by side.
# Local-p lets the decoder say where to look.
#
# ## Task 3: the predicted centre
#
# Local-p (chapter 9, the predicted centre; Luong et al., 2015, equation 9):
#
# $$p_t = S \cdot \mathrm{sigmoid}(v_p^\top \tanh(W_p h_t))$$
#
# $S$ is the number of words of *each sentence itself*.
# With the length of the batch instead, the same sentence would look elsewhere when it is padded further.
# `__init__` is given, and stays as it is: `hidden_layer` is $W_p$, `position_layer` is $v_p$, and the check loads its
# own weights into them.
#
# > **Often believed:** "Luong attention is the dot score."
# > In this chapter the score does not matter at all: dot, general or additive fit into any window.
# > Where to look, how to score and where to wire it are three choices.
#
# <details><summary>Hint 1: a nudge</summary>
#
# The sigmoid gives a share between 0 and 1. A share of what? What tells you how many words a sentence has?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Inside out: the layer $W_p$, tanh, the layer $v_p$, sigmoid, and the length of the sentence.
# True counts as 1 in a sum.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `position_layer` leaves an axis of size 1 at the end, which has to go.
# The lengths are (batch,), the shares (batch, queries): give the lengths an axis more, for instance with
# `keepdim=True`.
# </details>

# %% answer="CentrePredictor.forward"
from seq2seq.local import CentrePredictor

# %% check="centre_predictor_visible" points=1
from autograder.checks.centre import check_centre_predictor

check_centre_predictor(CentrePredictor)

# %% check="centre_predictor_hidden" points=1 hidden=true
# When graded: one sentence, one query, padding on the left, mostly padding, a sentence without a real word, float64.
from autograder.checks.centre import check_centre_predictor_hidden

check_centre_predictor_hidden(CentrePredictor)

# %%
# An untrained predictor (nothing to write here): the sigmoid of something small is about one half, so every centre
# begins near the middle of its sentence, and how far the batch is padded does not matter.
try:
    torch.manual_seed(2)
    with torch.no_grad():
        predictor = CentrePredictor(8, 8)
        for words, padded in ((10, 10), (10, 14), (4, 14)):
            real = (torch.arange(padded) < words)[None]
            found = [round(float(centre), 2) for centre in predictor(queries[:, :5], real)[0]]
            print(f"{words:2} words padded to {padded}: {found}")
except Exception as error:
    print(f"Three rows of centres appear here once the predictor is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: favour the centre
#
# Local-p multiplies the weights by a Gaussian around the centre (chapter 9, the Gaussian; Luong et al., 2015, equation
# 10):
#
# $$a_t(s) = \mathrm{align}_t(s) \, \exp\left(-\frac{(s - p_t)^2}{2 \sigma^2}\right), \qquad \sigma = \frac{D}{2}$$
#
# The align is what your window softmax returns; here it comes as an argument, `weights`.
# The Gaussian comes *after* the softmax, and nothing is normalised again.
#
# > **Often believed:** "attention weights sum to 1."
# > These do not: a row that summed to 1 sums to less once the Gaussian is in it.
#
# <details><summary>Hint 1: a nudge</summary>
#
# At the centre the factor is 1. At the edge of the window, $D = 2\sigma$ away, it is $e^{-2}$. Does yours agree?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Distances as in task 1, without the absolute value: squared, it makes no difference.
# Leave the centre as it is; a rounded number has no slope.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# First $\sigma$, then the distances of shape (batch, queries, keys), then `weights` times one `torch.exp`.
# Mind the brackets: the whole $2\sigma^2$ divides.
# </details>

# %% answer="favour_centre"
from seq2seq.local import favour_centre

# %% check="favour_centre_visible" points=1
from autograder.checks.gaussian import check_favour_centre

check_favour_centre(favour_centre)

# %% check="favour_centre_hidden" points=1 hidden=true
# When graded: half widths 1 and 5, one sentence, one word, whole centres, float64, positions of each query's own.
from autograder.checks.gaussian import check_favour_centre_hidden

check_favour_centre_hidden(favour_centre)

# %%
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
# ## A question in words
#
# Suppose that local-p had the window, but not the Gaussian: $a_t(s) = \mathrm{align}_t(s)$, with the predicted centre
# $p_t$ deciding only which words are inside.
# What would $W_p$ and $v_p$ learn, and why?
# And why does it matter that the Gaussian comes *after* the softmax, rather than being normalised again with it?
# Three or four sentences.

# %% [markdown] question="why_gaussian" points=2
# **Model answer.** Without the Gaussian, $p_t$ enters the output only through the comparison $|s - p_t| \le D$.
# That is a step: moved a little, the centre changes nothing, and where a word enters or leaves the window the result
# jumps.
# Its derivative is 0 wherever it exists, so $W_p$ and $v_p$ would get no gradient and stay as they were drawn.
# The Gaussian is smooth in $p_t$, so the loss can tell the centre in which direction to go.
# Normalised again, the weights would sum to 1 wherever the window lies: a window with one word would give that word
# all the weight, and no gradient at all, however far from it the centre is; left as they are, the weights fall as the
# centre moves away, so the context also says how near the centre was.
#
# **Rubric.** 1 point: the window alone is a step function of the centre, so no gradient reaches the predictor (it does
# not learn); 1 point: not normalised again, the size of the weights depends on the distance from the centre
# (equivalently: normalising would take a common factor out again).

# %% [markdown]
# ## Task 5: which words to fetch
#
# So far every word was scored and most scores were thrown away.
# The gain of local attention is to fetch the window first: its cost does not grow with the sentence.
# However the centre lies, $2D + 1$ neighbouring positions are enough to hold the window (chapter 9, the cost):
#
# $$\pi_{t0} = \lceil p_t - D \rceil, \qquad \pi_{tj} = \pi_{t0} + j, \qquad j = 0, \dots, 2D$$
#
# Some of them may lie below 0 or beyond the end: leave them as they are, whole numbers of type `torch.int64`.
#
# <details><summary>Hint 1: a nudge</summary>
#
# With $p = 3.5$ and $D = 2$ the window goes from 1.5 to 5.5. What is the first whole number in it?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# First the beginning of every window, (batch, queries). Then $0, 1, \dots, 2D$ along a new axis.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Round up first and make whole numbers after: `.long()` alone cuts towards 0, which is another direction below 0.
# `torch.arange` leaves out its end.
# </details>

# %% answer="window_positions"
from seq2seq.local import window_positions

# %% check="window_positions_visible" points=1
from autograder.checks.windows import check_window_positions

check_window_positions(window_positions)

# %% check="window_positions_hidden" points=1 hidden=true
# When graded: half widths 1 and 5, one sentence, one query, float64, centres that ask for gradients.
from autograder.checks.windows import check_window_positions_hidden

check_window_positions_hidden(window_positions)

# %% [markdown]
# ## Task 6: fetch the window
#
# Now take the values from those positions (chapter 9, the cost), (batch, queries, window, value_size), and say which of
# them are `real`: inside the sentence, and not padding.
# The positions come as an argument, so a slip in task 5 does not cost you this task.
#
# - Python counts an index of −1 from the end. The last word is not the neighbour of the first.
# - A word must not stand in its window twice.
# - Where there is no word, any finite value may stand: its weight will be 0.
#
# Return the pair `(windows, real)`.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which index is safe to use where the position is none? And how do you remember that it was none?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Push the positions into the range that exists, fetch with these, and compare them with what they were before.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `clamp` pushes; a position that it changed is not real.
# `values[rows, positions]` fetches from each sentence its own, when `rows` holds the sentence's number with shape
# (batch, 1, 1). The mask is fetched in the same way.
# </details>

# %% answer="fetch_windows"
from seq2seq.local import fetch_windows

# %% check="fetch_windows_visible" points=1
from autograder.checks.fetching import check_fetch_windows

check_fetch_windows(fetch_windows)

# %% check="fetch_windows_hidden" points=1 hidden=true
# When graded: one sentence, sentences of one word, a window longer than the sentence, padding anywhere, float64,
# gradients.
from autograder.checks.fetching import check_fetch_windows_hidden

check_fetch_windows_hidden(fetch_windows)

# %%
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
            fetch_windows(keys, real, window_positions(where, 5))
            times.append((halfway - start, perf_counter() - halfway))
        every_word, window = (1000 * min(column) for column in zip(*times, strict=True))
        rows.append(f"{words:6} {every_word:8.2f} ms {window:8.2f} ms")
    print("\n".join(rows))
except Exception as error:
    print(f"A small table of times appears here once the windows are fetched. ({type(error).__name__})")

# %% [markdown]
# ## To go further (not graded)
#
# 1. Put your parts together: predict, fetch keys and values, score with the dot product, softmax over the window,
#    favour the centre, sum. Compare with scoring every word and masking: the contexts have to agree to the last digits.
# 2. In the cell of task 4, start the centre at word 0 and try again. How long does it take to find word 6, and why?
#    What would help: another $D$, another start, another loss?
# 3. How long would a translation have to be for local-m to lose its source altogether? What does its decoder see then?

# %%
predicted = torch.tensor([[0.0, 2.2, 6.0, 3.0, 4.1, 5.0, 7.0, 8.0, 9.4]])  # centres that follow the German word order
mine = None  # your contexts, (1, 9, 8), from fetched windows with D = 2
if mine is None:
    print("still to do, if you like")
else:
    full = favour_centre(window_softmax(scores, positions, predicted, 2, every), positions, predicted, 2) @ states
    print("largest difference:", float((mine - full).abs().max()))

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
#     title: Attention as a look-up
#     assignment: 04_lookup
#     chapters: [4]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
# ---

# %% [markdown]
# # Attention as a look-up
#
# You build a look-up that can learn: a weighted sum in a loop, the table for a whole target sentence at once, the
# gradient that makes a score rise or fall, and the whole backward pass to queries, keys and values.
# This exercise goes with chapter 4 (*attention as a differentiable look-up*).
#
# **Time:** 45 minutes. **Points:** 12: two for each of tasks 1 to 3, four for task 4,
# two for a question to answer in words.
#
# **When you are done you can**
#
# - compute weights and context by hand, in a loop and for a whole batch at once;
# - say to what the rows and columns of a table of weights belong, and over which of them the softmax runs;
# - derive and check the gradient that reaches a score, and say where it vanishes;
# - carry a gradient through the whole look-up by hand, and say what it teaches to queries, keys and values.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# A wrong task does not cost you the next: no task may use what you wrote before unless it says so.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# Throughout, the batch axis comes first.

# %% given="setup"
import torch
from IPython.display import display
from torch import Tensor

from seq2seq.plots import alignment_plot

source = ["the", "black", "cat", "sleeps"]
target = ["le", "chat", "noir", "dort"]
states = torch.eye(4, 6)[None] + 0.2 * torch.randn(1, 4, 6, generator=torch.Generator().manual_seed(1))
queries = 3 * states[0, [0, 2, 1, 3]]  # decoder states that look for: the, cat, black, sleeps

# %% [markdown]
# ## Warm-up: attention by hand
#
# Three source tokens have the scores $e = (0, \ln 2, \ln 5)$ and the values $v_1 = (8, 0)$, $v_2 = (4, 8)$, $v_3 =
# (0, 0.8)$.
#
# 1. Take the exponential of each score and divide by their sum: these are the weights $\alpha$.
# 2. Sum the values, each times its weight: this is the context $c$.
# 3. The loss would fall if the context moved by $(1, 0)$. Which of the three scores should rise, and which fall?
#    Compare each value with the context; write 1 for rise and -1 for fall.
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
weights_by_hand = [None, None, None]
context_by_hand = [None, None]
directions_by_hand = [None, None, None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.01 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet'}")


exps = [1.0, 2.0, 5.0]
compare("weights", weights_by_hand, [e / sum(exps) for e in exps])
compare("context", context_by_hand, [2.0, 2.5])
compare("directions", directions_by_hand, [1, 1, -1])

# %% [markdown]
# ## Task 1: the weighted sum, in a loop
#
# The equation of the context (chapter 4): $c = \sum_j \alpha_j v_j$.
#
# Write it as you read it: for each sentence, for each key, a number times a vector, added up.
#
# > **Often believed:** "attention weights are a matrix over the features."
# > They are one number per source token: `m` tokens, `m` weights, however large the vectors are.
# > A whole value is scaled by one number.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which axis do `weights` and `values` have, but not `context`? That is the one to sum over.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Begin with zeros of shape (batch, value_size), of the values' dtype, and add to row `b` for each key `j` of
# sentence `b`.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Two loops, one inside the other; in the innermost line, `weights[…]` with two indices is a number and `values[…]` with
# two indices is a vector. `values.new_zeros(…)` makes zeros of the right dtype on the right device.
# </details>

# %% answer="weighted_sum_loop"
from seq2seq.attention import weighted_sum_loop

# %% check="weighted_sum_loop_visible" points=1
from autograder.tasks.lookup import check

check("weighted_sum_loop", weighted_sum_loop)

# %% check="weighted_sum_loop_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, weights that sum to 2, weights of 0.
from autograder.tasks.lookup import check

check("weighted_sum_loop", weighted_sum_loop, hidden=True)

# %% [markdown]
# ## Task 2: the look-up for a whole sentence
#
# The decoder has one query for each target word. For target word $i$ with the query $q_i$ (chapter 4, a table over a
# sentence), and with the plain dot product as the score:
#
# $$e_{ij} = q_i^\top k_j, \qquad \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_l \exp(e_{il})}, \qquad
# c_i = \sum_j \alpha_{ij} v_j$$
#
# Compute all target words of all sentences at once, without a loop: your sum of task 1 becomes a matrix product.
# Return the pair `(contexts, weights)`.
# There is no padding here: it comes in chapter 6.
#
# > **Often believed:** "early words matter less", or "important words always get a high weight".
# > The table has a row of weights for each target word, and each row is a new look at the same sentence.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Write down, one below the other, the shapes of the three tensors that you have and of the two that you want.
# Which axis is summed in the scores, and which in the contexts?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Two batched matrix products (`@` or `torch.bmm`), and a softmax between them.
# For the first product one of the two tensors has to be transposed, but its batch axis stays where it is.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `transpose` swaps the two axes that you name; `.T` would move the batch axis too.
# The source words compete with each other, one target word at a time: the softmax runs over the axis that you sum over
# in the second product.
# </details>

# %% answer="look_up"
from seq2seq.attention import look_up

# %% check="look_up_visible" points=1
from autograder.tasks.lookup import check

check("look_up", look_up)

# %% check="look_up_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, one target word, one source word, float64, large scores,
# gradients.
from autograder.tasks.lookup import check

check("look_up", look_up, hidden=True)

# %% tags=["demonstration"]
# Your table at work (nothing to write here): each row is one target word, each column one source word.
# Before you run it: at which source word will *chat* look, and with more or less than half of its weight?
try:
    contexts, weights = look_up(queries[None], states, states)
    display(alignment_plot(weights[0], source, target))
    print("contexts:", tuple(contexts.shape))
except Exception as error:
    print(f"A table of weights appears here once the look-up is written. ({type(error).__name__})")

# %% given="weighted_sum" show="weighted_sum"
# Given, for the next task: the sums of a whole batch at once, equal to your loop's.
from seq2seq.attention import weighted_sum

# %% [markdown]
# ## Task 3: the gradient of a score, by hand
#
# Attention is trained like everything else: the loss says in which direction the context should move,
# $\partial L / \partial c$, and passes a gradient on to every score (chapter 4, the gradient of a score):
#
# $$\frac{\partial L}{\partial e_j} = \alpha_j \, (v_j - c)^\top \frac{\partial L}{\partial c}$$
#
# Derive it first: $\partial c / \partial \alpha_j = v_j$, and the softmax gives
# $\partial \alpha_i / \partial e_j = \alpha_i ([i = j] - \alpha_j)$.
# `weights` holds the softmax of the scores; what you return need not carry gradients itself.
#
# <details><summary>Hint 1: a nudge</summary>
#
# By how much does the loss change if only the weight of key $j$ grows? And which weights shrink to pay for that?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Three steps: the context; how far each value lies from it; the product of that difference with the gradient at the
# context.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `values` is (batch, keys, value_size) and the context (batch, value_size): one of them needs one more axis for the
# difference. The product with the gradient sums over the last axis; the weight comes last.
# </details>

# %% answer="score_gradient"
from seq2seq.attention import score_gradient

# %% check="score_gradient_visible" points=1
from autograder.tasks.lookup import check

check("score_gradient", score_gradient)

# %% check="score_gradient_hidden" points=1 hidden=true
# When graded: compared with autograd for other sizes, one sentence, one key, float64, and padding whose weight is 0.
from autograder.tasks.lookup import check

check("score_gradient", score_gradient, hidden=True)

# %% tags=["demonstration"]
# The gradient at work (nothing to write here): twenty small steps on four scores, towards the value of token 3.
try:
    values = torch.tensor([[[0.0], [1.0], [2.0], [3.0]]])
    scores, wanted, rows = torch.zeros(1, 4), 2.0, []
    for _ in range(20):
        weights = torch.softmax(scores, dim=-1)
        context = weighted_sum_loop(weights, values)
        rows.append(weights)
        scores = scores - score_gradient(weights, values, 2 * (context - wanted))
    print(f"context after 20 steps: {float(context):.3f}, wanted {wanted}")
    display(alignment_plot(torch.cat(rows[::5]), ["0", "1", "2", "3"], [f"step {step}" for step in range(0, 20, 5)]))
except Exception as error:
    print(f"A table of weights appears here once the gradient is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: the whole backward pass, by hand
#
# Task 3 stops at the scores. Now go all the way: from the gradient at all contexts, $g_i = \partial L / \partial c_i$,
# to the queries, the keys and the values of
#
# $$e_{ij} = a(q_i, k_j), \qquad a(q, k) = q^\top k, \qquad
# \alpha_{ij} = \frac{\exp(e_{ij})}{\sum_l \exp(e_{il})}, \qquad c_i = \sum_j \alpha_{ij} v_j$$
#
# No page of the book shows the result, and `torch.autograd` is your judge, not your tool: derive it on paper, write the
# code, and compare.
# A value and a key are used by *every* target word; a query is used once. So which gradients are sums, and over what?
# Return the gradients at queries, keys and values, in this order; they need not carry gradients themselves.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the three is reached without passing through the softmax? Begin with that one.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Work backwards: the gradient at the contexts, at the weights, at the scores. From the scores the path forks, to the
# queries and to the keys. Note the shape of each gradient.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# At the scores every target word has a sum of its own to subtract, as in task 3. Each gradient has the shape of the
# tensor to which it belongs; any further axis is the one to sum over.
# </details>

# %% answer="look_up_gradients"
from seq2seq.exercises.lookup import look_up_gradients

# %% check="look_up_gradients_visible" points=2
from autograder.tasks.lookup import check

check("look_up_gradients", look_up_gradients)

# %% check="look_up_gradients_hidden" points=2 hidden=true
# When graded: other sizes, one sentence, one target word, one source word, float64, large scores.
from autograder.tasks.lookup import check

check("look_up_gradients", look_up_gradients, hidden=True)

# %% tags=["demonstration"]
# By hand against autograd (nothing to write here): the largest difference for each of the three.
try:
    random = torch.Generator().manual_seed(5)
    leaves = [torch.randn(2, *shape, generator=random).requires_grad_() for shape in ((3, 4), (5, 4), (5, 6))]
    scores = leaves[0] @ leaves[1].mT
    contexts = scores.softmax(-1) @ leaves[2]
    slope = torch.randn(contexts.shape, generator=random)
    by_autograd = torch.autograd.grad((contexts * slope).sum(), leaves)
    by_hand = look_up_gradients(*(leaf.detach() for leaf in leaves), slope)
    for name, gradient, other in zip(("queries", "keys", "values"), by_hand, by_autograd, strict=True):
        print(f"{name:8} {float((gradient - other).abs().max()):.1e}")
except Exception as error:
    print(f"Three differences appear here once task 4 is written. ({type(error).__name__})")

# %% [markdown]
# ## A question to answer in words: why is the weight a factor?
#
# Look at the equation of task 3 once more. Two keys have values that lie equally far along the useful direction; one
# has a weight of 0.5, the other a weight of 0.0001.
# What does one training step do to their scores, and what follows for a model whose softmax has, early on, put nearly
# all the weight on a wrong key? Three or four sentences are enough.

# %% [markdown] question="why_weight" points=2
# **Model answer.** The gradient at a score is its weight times the gain of its value over the context, so with equal
# gains the first score moves 5000 times as far as the second.
# A key with almost no weight hardly learns, however useful its value would be.
# If the softmax has put nearly all the weight on one key, all the others have weights near 0, and the value of the one
# with weight near 1 nearly equals the context, so its gain is near 0 too: no score moves, and the wrong choice stays.
#
# **Rubric.** 1 point: the step is proportional to the weight, so the key with the small weight hardly moves (a number
# or "5000 times" is not needed); 1 point: after an early wrong choice all gradients are near 0, both those of the
# small weights and that of the large one, because the context equals its value (either half with a reason is enough).

# %% [markdown]
# ## To go further (not graded)
#
# 1. Make every value the same vector. What is the gradient at the scores, and why can nothing be learnt from such
#    values?
# 2. Write a hard look-up, which returns only the value of the best key. What does autograd give as its gradient at the
#    scores?

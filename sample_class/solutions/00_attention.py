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
#     title: Attention from its parts
#     assignment: 00_attention
#     chapters: [4, 5, 6]
#     given: [seq2seq/__init__.py, seq2seq/scorer.py, seq2seq/plots.py]
# ---

# %% [markdown]
# # Attention from its parts
#
# The exercise that the sample class answered: ten tasks of chapters 4 to 6 in one notebook, without hints.

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
# ## Warm-up: attention by pencil, for the scores $e = (0, \ln 2, \ln 5)$ and the values $(8, 0)$, $(4, 8)$, $(0, 0.8)$

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

# %% answer="weighted_sum_loop"
from seq2seq.attention import weighted_sum_loop

# %% check="weighted_sum_loop_visible" points=1
from autograder.tasks.lookup import check

check("weighted_sum_loop", weighted_sum_loop)

# %% check="weighted_sum_loop_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, weights that sum to 2.
from autograder.tasks.lookup import check

check("weighted_sum_loop", weighted_sum_loop, hidden=True)

# %% [markdown]
# ## Task 2: the weighted sum, all at once

# %% answer="weighted_sum"
from seq2seq.attention import weighted_sum

# %% check="weighted_sum_visible" points=1
from autograder.tasks.lookup import check

check("weighted_sum", weighted_sum)

# %% check="weighted_sum_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, weights that sum to 2.
from autograder.tasks.lookup import check

check("weighted_sum", weighted_sum, hidden=True)

# %% tags=["demonstration"]
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
# $$\frac{\partial L}{\partial e_j} = \alpha_j \, (v_j - c)^\top \frac{\partial L}{\partial c}$$

# %% answer="score_gradient"
from seq2seq.attention import score_gradient

# %% check="score_gradient_visible" points=1
from autograder.tasks.lookup import check

check("score_gradient", score_gradient)

# %% check="score_gradient_hidden" points=1 hidden=true
# When graded: compared with autograd for other sizes, one sentence, one key, float64, and padding whose weight is 0.
from autograder.tasks.lookup import check

check("score_gradient", score_gradient, hidden=True)

# %% [markdown]
# ## Task 4: dot scores
#
# The dot score (chapter 5, the dot scorer): $e_j = q^\top k_j$.

# %% answer="DotScorer.score" omit="DotScorer.score_all"
from seq2seq.scorers import DotScorer

# %% check="dot_scorer_visible" points=1
from autograder.tasks.scorers import check

check("dot_scorer", DotScorer)

# %% check="dot_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.tasks.scorers import check

check("dot_scorer", DotScorer, hidden=True)

# %% tags=["demonstration"]
# Your dot scores at work (nothing to write here): each row is one decoder step.
try:
    display(alignment_plot(torch.softmax(DotScorer()(queries, every), dim=-1), source, target))
except Exception as error:
    print(f"A table of weights appears here once the dot scorer is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: scaled dot scores
#
# The scaled dot score (chapter 5, the scaled dot scorer): $e_j = q^\top k_j / \sqrt{d}$, with $d$ the size of query and key.

# %% answer="ScaledDotScorer.score" omit="ScaledDotScorer.score_all"
from seq2seq.scorers import ScaledDotScorer

# %% check="scaled_dot_scorer_visible" points=1
from autograder.tasks.scorers import check

check("scaled_dot_scorer", ScaledDotScorer)

# %% check="scaled_dot_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.tasks.scorers import check

check("scaled_dot_scorer", ScaledDotScorer, hidden=True)

# %% tags=["demonstration"]
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

# %% answer="BilinearScorer.project_keys BilinearScorer.score" omit="BilinearScorer.score_all"
from seq2seq.scorers import BilinearScorer

# %% check="bilinear_scorer_visible" points=1
from autograder.tasks.scorers import check

check("bilinear_scorer", BilinearScorer)

# %% check="bilinear_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.tasks.scorers import check

check("bilinear_scorer", BilinearScorer, hidden=True)

# %% tags=["demonstration"]
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

# %% answer="AdditiveScorer.project_keys AdditiveScorer.score"
from seq2seq.scorers import AdditiveScorer

# %% check="additive_scorer_visible" points=1
from autograder.tasks.scorers import check

check("additive_scorer", AdditiveScorer)

# %% check="additive_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.tasks.scorers import check

check("additive_scorer", AdditiveScorer, hidden=True)

# %% tags=["demonstration"]
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
# The location score (chapter 5, the location scorer): $e = W q$; row $j$ of $W$ scores position $j$, whatever word stands there.

# %% answer="LocationScorer.score"
from seq2seq.scorers import LocationScorer

# %% check="location_scorer_visible" points=1
from autograder.tasks.scorers import check

check("location_scorer", LocationScorer)

# %% check="location_scorer_hidden" points=1 hidden=true
# When graded: as many keys as positions, one more than that, one sentence, one key, other sizes, float64.
from autograder.tasks.scorers import check

check("location_scorer", LocationScorer, hidden=True)

# %% tags=["demonstration"]
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
# $$\alpha_j = \frac{m_j \exp(e_j / \tau)}{\sum_l m_l \exp(e_l / \tau)}$$

# %% answer="masked_softmax"
from seq2seq.attention import masked_softmax

# %% check="masked_softmax_visible" points=1
from autograder.tasks.masking import check

check("masked_softmax", masked_softmax)

# %% check="masked_softmax_hidden" points=1 hidden=true
# When graded: one sentence, one key, padding on the left and in between, scores near ±10000, other temperatures,
# float64,
# scores (batch, queries, keys), and gradients.
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
# ## Task 10: attend

# %% answer="attend"
from seq2seq.attention import attend

# %% check="attend_visible" points=1
from autograder.tasks.masking import check

check("attend", attend)

# %% check="attend_hidden" points=1 hidden=true
# When graded: one sentence, a sentence without a real token, mostly padding, float64, gradients.
from autograder.tasks.masking import check

check("attend", attend, hidden=True)

# %% tags=["demonstration"]
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
# ## To go further: the same by PyTorch's fused function

# %%
theirs = torch.nn.functional.scaled_dot_product_attention(queries[:, None], every, every)[:, 0]
mine = None  # your context for the same queries, keys and values
if mine is None:
    print("still to do, if you like")
else:
    print("largest difference:", float((mine - theirs).abs().max()))

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
#     title: Score functions
#     assignment: 05_scorers
#     chapters: [5]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/scorer.py
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
# ---

# %% [markdown]
# # Score functions
#
# You write five answers to one question: how well does a key match a query? A sixth task reverses the question.
# This exercise goes with chapter 5 (*score functions*).
#
# **Time:** 70 minutes; on the short way task 3 alone, 10 minutes.
# **Points:** 14, two for each of six tasks and two for a question to answer in words.
#
# **When you are done you can**
#
# - write dot, bilinear, additive and location scorers for a whole batch, and a new one from its equation;
# - tell from weights alone which score produced them;
# - say what each one costs and learns, and what depends on the keys alone;
# - explain what the scale and the tanh are for.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# A wrong task does not cost you the next: no task may use what you wrote before unless it says so.
# Every scorer here returns *scores*; the softmax comes later, in a function of its own.
# Throughout, the batch axis comes first.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.

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
# ## Warm-up: scores by hand
#
# A query and two keys: $q = (1, 2)$, $k_1 = (3, 0)$, $k_2 = (-1, 2)$.
#
# 1. What are the two dot scores $q^\top k_j$?
# 2. What are they with the matrix $W$ that swaps the two entries of a key, $q^\top W k_j$?
# 3. Which is larger now, and why?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
dot_by_hand = [None, None]
bilinear_by_hand = [None, None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.01 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet; multiply entry by entry, then add'}")


compare("dot scores", dot_by_hand, [3, 3])
compare("bilinear scores", bilinear_by_hand, [6, 0])

# %% [markdown]
# ## Task 1: dot scores
#
# The dot score (chapter 5, the dot scorer): $e_j = q^\top k_j$.
#
# A scorer has two halves: `project_keys` does what depends on the keys alone and runs once per sentence;
# `score` does the rest, once per query.
# The dot product has nothing to project, so `projected_keys` are the keys themselves, and `score` is all you have to
# write.
#
# > **Often believed:** "attention is the output of a dense softmax layer."
# > It is an operation in three steps: score, normalise, sum. A scorer does only the first and returns raw numbers.
#
# <details><summary>Hint 1: a nudge</summary>
#
# For one sentence, `keys` is a table with a row for each key, and the query is a vector.
# Which product gives a number per row?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A batch of tables times a batch of columns. Give the query an axis so that it becomes a column.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# (batch, keys, size) @ (batch, size, 1) → (batch, keys, 1). There is one axis too many: which?
# </details>

# %% answer="DotScorer.score" omit="DotScorer.score_all"
from seq2seq.scorers import DotScorer

# %% check="dot_scorer_visible" points=1
from autograder.tasks.scorers import check

check("dot_scorer", DotScorer)

# %% check="dot_scorer_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, sentences of one key, float64, long keys, sizes that differ, gradients.
from autograder.tasks.scorers import check

check("dot_scorer", DotScorer, hidden=True)

# %% tags=["demonstration"]
# Your dot scores at work (nothing to write here): each row is one decoder step.
try:
    display(alignment_plot(torch.softmax(DotScorer()(queries, every), dim=-1), source, target))
except Exception as error:
    print(f"A table of weights appears here once the dot scorer is written. ({type(error).__name__})")

# %% [markdown]
# > **Often believed:** "early words matter less", or "important words always get a high weight".
# > Each row of the picture is a different step with different weights: *noir* looks at *black*, while the word before
# > it looked further to the right.
#
# ## How large do scores become? (nothing to write)
#
# The scaled dot score (chapter 5, the scaled dot scorer) is $q^\top k_j / \sqrt{d}$, with $d$ the size of the vectors.
#
# Before you run the cell: if query and key have 256 independent entries of variance 1, what is the variance of their
# dot product, and what does a softmax do with scores so far apart?
# Write down what you expect the largest of ten weights to be at size 4 and at size 1024, with and without the division.

# %% tags=["demonstration"]
random = torch.Generator().manual_seed(0)
print("size    dot   scaled dot")
for size in (4, 16, 64, 256, 1024):
    query, keys = torch.randn(200, size, generator=random), torch.randn(200, 10, size, generator=random)
    products = (keys @ query[:, :, None])[:, :, 0]
    largest = [scores.softmax(-1).amax(-1).mean() for scores in (products, products / math.sqrt(size))]
    print(f"{size:4} {largest[0]:6.2f} {largest[1]:8.2f}")

# %% [markdown]
# ## Task 2: bilinear scores
#
# The bilinear score (chapter 5, the bilinear scorer, which Luong et al. call *general*): $e_j = q^\top W k_j$.
#
# $W$ maps the keys into the query's space, so that the two may differ in size.
# $W k_j$ does not depend on the query: it belongs in `project_keys`.
# `__init__` is given; leave it as it is: the check loads its own weights into your layers.
#
# > **Often believed:** "attention adds no parameters."
# > The dot scorer adds none. This one adds `query_size × key_size`, trained together with everything else.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Once the keys have been mapped, which scorer that you know does the rest?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `nn.Linear` works on the last axis and leaves the others alone, so it takes all keys of all sentences at once.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `project_keys`: (batch, keys, key_size) → (batch, keys, query_size); the layer does it all.
# `score`: the dot product with the result, written out here once more.
# </details>

# %% answer="BilinearScorer.project_keys BilinearScorer.score" omit="BilinearScorer.score_all"
from seq2seq.scorers import BilinearScorer

# %% check="bilinear_scorer_visible" points=1
from autograder.tasks.scorers import check

check("bilinear_scorer", BilinearScorer)

# %% check="bilinear_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, long keys, and gradients.
from autograder.tasks.scorers import check

check("bilinear_scorer", BilinearScorer, hidden=True)

# %% tags=["demonstration"]
# Keys in another space (nothing to write here): rotated, they defeat the dot product, but not a W that turns them back.
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
# ## Task 3: additive scores
#
# The additive score (chapter 5, the additive scorer, from Bahdanau et al.): $e_j = v^\top \tanh(W q + U k_j)$.
#
# It is a small network that reads query and key together: $W q + U k_j$ is one matrix times $[q; k_j]$, written in two
# parts so that the keys' part is computed once per sentence.
#
# > **Often believed:** "Bahdanau attention is the additive score, Luong attention is the dot score."
# > The score, and where attention is wired into the decoder, are separate choices.
# > Any scorer here fits either model.
#
# What would happen without the tanh? Write $v^\top (W q + U k_j)$ as two terms, and see which of them the softmax
# over $j$ cancels.
#
# <details><summary>Hint 1: a nudge</summary>
#
# There is one query and there are many keys; the sum needs the query's part next to each key's part.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The query's part has shape (batch, attention_size), the keys' (batch, keys, attention_size): an axis of size 1 in the
# right position lets them broadcast.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Sum, tanh, then `energy_layer`, which is $v$: (batch, keys, attention_size) → (batch, keys, 1).
# There is one axis too many.
# </details>

# %% answer="AdditiveScorer.project_keys AdditiveScorer.score" omit="AdditiveScorer.score_all"
from seq2seq.scorers import AdditiveScorer

# %% check="additive_scorer_visible" points=1
from autograder.tasks.scorers import check

check("additive_scorer", AdditiveScorer)

# %% check="additive_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, long keys, and gradients.
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
# ## Task 4: location scores
#
# The location score (chapter 5, the location scorer): $e = W q$; row $j$ of $W$ scores position $j$, whatever word
# is there.
#
# `W` has a row for each of `max_keys` positions; a batch usually has fewer keys.
# If it has more, there is nothing to score them with: raise a `ValueError`.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What do you need to know about the keys, if not what they contain?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Score every position that the layer knows, then keep as many scores as there are keys.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# (batch, query_size) → (batch, max_keys) → (batch, keys): a slice of the last axis that starts at its beginning.
# First compare the two numbers.
# </details>

# %% answer="LocationScorer.score" omit="LocationScorer.score_all"
from seq2seq.scorers import LocationScorer

# %% check="location_scorer_visible" points=1
from autograder.tasks.scorers import check

check("location_scorer", LocationScorer)

# %% check="location_scorer_hidden" points=1 hidden=true
# When graded: as many keys as positions, one more, one sentence, one key, other sizes, float64, keys that hold 0.
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
# ## Task 5: a scorer that no chapter has
#
# Some words, such as verbs, are worth a look whatever the query; most are not.
# This scorer has a term for that, next to a bilinear score whose matrix is a product of two thin ones:
#
# $$e_j = \frac{(A q)^\top (B k_j)}{\sqrt{r}} + u^\top k_j$$
#
# $A$ and $B$ map query and key to $r$ numbers each, where $r$, the rank, may be much smaller than both; $u$ turns a key
# into one number. The three layers are given.
#
# Whatever does not depend on the query belongs in `project_keys`.
# It returns one tensor: $B k_j$ followed by $u^\top k_j$, (batch, keys, rank + 1).
#
# Which of the terms above are computed once per sentence, and which once per query?
# And what would the model lose without $u$: could $A$ and $B$ make up for it?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Two tensors have to be passed on as one. In which axis do they differ, and what must `score` therefore do first?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `cat` along the last axis joins them, `[..., :-1]` and `[..., -1]` take them apart; the second drops the axis.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# What is left is a dot product of two projected vectors, and a sum.
# The root is that of the number of *products that are summed*, and only the dot product is divided.
# </details>

# %% answer="WorthScorer.project_keys WorthScorer.score"
from seq2seq.exercises.scorers import WorthScorer

# %% check="worth_scorer_visible" points=1
from autograder.tasks.scorers import check

check("worth_scorer", WorthScorer)

# %% check="worth_scorer_hidden" points=1 hidden=true
# When graded: other sizes, other ranks, a batch of one sentence, sentences of one key, float64, long keys, gradients.
from autograder.tasks.scorers import check

check("worth_scorer", WorthScorer, hidden=True)

# %% tags=["demonstration"]
# Words that are worth a look (nothing to write here): an untrained scorer, then the same with a u that likes "cat".
try:
    torch.manual_seed(5)
    scorer = WorthScorer(6, 6, 2)
    with torch.no_grad():
        display(alignment_plot(scorer(queries, every).softmax(-1), source, target))
        scorer.worth_layer.weight.copy_(3 * states[0, 2:3])
        display(alignment_plot(scorer(queries, every).softmax(-1), source, target))
except Exception as error:
    print(f"Two tables of weights appear here once the scorer is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 6: which score was it?
#
# A colleague's log contains queries, keys and attention *weights*, and nobody remembers how they were made.
# There are three suspects: the dot product $q^\top k_j$, the cosine of query and key, and minus the squared distance,
# $-\lVert q - k_j \rVert^2$. The softmax was taken at some temperature, the same for all sentences:
#
# $$\alpha_j = \frac{\exp(e_j / \tau)}{\sum_l \exp(e_l / \tau)}, \qquad \tau > 0$$
#
# Return a pair: the name, `"dot"`, `"cosine"` or `"distance"`, and the temperature; or `("none", 0.0)`.
# A score fits if it explains every $\log \alpha_j$ to within 0.001.
# Note that scaled dot scores are dot scores at the temperature $\sqrt{d}$.
# No weight is 0, there are at least three keys, and no gradient is needed.
#
# Before you write anything: which part of $\log \alpha_j$ is unknown, and for which keys is it the same?
# So how many keys must a sentence have before anything can be ruled out?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Take the logarithm of the equation. It contains one unknown number for each sentence, and one for all of them.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# From each side subtract its mean over the keys, sentence by sentence: the first unknown is gone, and
# what remains says that two tables are equal up to a factor.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The best factor is the sum of the products of the two tables' entries, divided by the sum of the second's squares.
# Then look at the largest remaining difference, and at the factor's sign.
# </details>

# %% answer="score_behind"
from seq2seq.exercises.scorers import score_behind

# %% check="score_behind_visible" points=1
from autograder.tasks.scorers import check

check("score_behind", score_behind)

# %% check="score_behind_hidden" points=1 hidden=true
# When graded: scaled dot scores of large vectors, low temperatures, one sentence of three keys, weights that do
# not depend on the query, negative or differing temperatures, a trace of something else, a tiny weight, a sentence of
# equal keys, float64.
from autograder.tasks.scorers import check

check("score_behind", score_behind, hidden=True)

# %% tags=["demonstration"]
# Your detective at work (nothing to write here).
try:
    for name, scores in {
        "the product of entries, over root 6": (every * queries[:, None]).sum(-1) / math.sqrt(6),
        "the same, after a tanh": (every * queries[:, None]).sum(-1).tanh(),
        "the angle": torch.cosine_similarity(queries[:, None], every, dim=-1) / 0.3,
    }.items():
        print(f"{name}: {score_behind(scores.softmax(-1), queries, every)}")
except Exception as error:
    print(f"Three findings appear here once the last task is done. ({type(error).__name__})")

# %% [markdown]
# ## A question to answer in words: what is the tanh for?
#
# A colleague takes the tanh out of the additive scorer: "it is only there to squash the numbers, and the softmax
# squashes them anyway".
# Write $v^\top (W q + U k_j)$ as two terms. What do the weights depend on now, and what do they no longer depend on?
# And why is it not enough to put a tanh around the whole score instead? Three or four sentences are enough.

# %% [markdown] question="why_tanh" points=2
# **Model answer.** Without the tanh the score is $v^\top W q + v^\top U k_j$. The first term is the same for every
# key of the sentence, and a softmax does not change when the same number is added to all of its scores, so it
# cancels: the weights depend only on the keys, and every decoder step looks at the same words.
# A tanh around the whole score never changes the order of two scores, so the order of the keys would still be
# that of $v^\top U k_j$ for every query; only the tanh between the sum and $v$ lets query and key interact.
#
# **Rubric.** 1 point: the query's term is the same for all keys and cancels in the softmax, so the weights no longer
# depend on the query (or: are the same at every decoder step); 1 point: a tanh around the whole score keeps the order
# of the keys whatever the query (or: query and key still only meet in one sum, there is no interaction per feature).

# %% [markdown]
# ## To go further (not graded)
#
# 1. Many queries at once: write `score_all(queries, projected_keys)`, (batch, queries, size) → (batch, queries,
#    keys), for the dot scorer as one matrix product. Chapter 8 uses it to train faster.
# 2. The same for the additive scorer: which tensor becomes large, and how large, for a batch of 64 sentences of 50
#    words with 50 target words and an attention size of 256?
# 3. Show that a bilinear scorer whose $W$ has rank 1 gives every query the same order of keys, or its reverse.

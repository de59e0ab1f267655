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
#     title: Beyond translation
#     assignment: 13_beyond
#     chapters: [13]
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
# # Beyond translation
#
# Attention is not only for translation.
# It can be used wherever many things have to become one, and which of them count depends on the moment: the steps of a
# long sequence, the sentences of a story, the words of a text to be summarised.
# You build such uses, and keep asking the same question: what is the query, what the keys, what the values?
# It goes with chapter 13 (*beyond translation*), which shows the parts; no page shows tasks 2, 4 and 6.
#
# **Time:** 65 minutes. **Points:** 19.
#
# **When you are done you can**
#
# - pool a sequence into one vector with weights that the states decide for themselves, and say what that cannot do;
# - walk through a memory whose keys and values differ, hop by hop;
# - copy words that no vocabulary has, and train a model to do so, without a table over all words;
# - punish a summary that says the same thing twice;
# - find the input that shows a fault, when all you have is its symptom.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# No task uses what you wrote before, so one wrong task does not cost you the next.
# Throughout, the batch axis comes first, and a mask is true for what is real.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# `weighted_sum`, `masked_softmax` and `attend` of chapters 4 and 6 are given.

# %% given="setup"
import itertools
import math

import torch
import torch.nn.functional as F
from IPython.display import display
from torch import Tensor, nn

from seq2seq.attention import attend, masked_softmax, weighted_sum
from seq2seq.plots import alignment_plot

# %% [markdown]
# ## Warm-up: copying by hand
#
# The source is *zora saw zora 's cat*. The vocabulary knows the words *saw*, *'s*, *cat* and *a*, but not *zora*.
# The decoder's weights on the five source words are (.3, .1, .2, .1, .3).
# Its output layer says: *saw* .1, *'s* .1, *cat* .4, *a* .4.
#
# 1. Copying takes a source word with the probability of its weight. How likely is it to take *zora*?
# 2. The gate $p_{gen}$ is .5: half generated, half copied. How likely is *zora* now? And *cat*?
# 3. How likely is *a*, which is not in the source?
#
# Write your numbers below before you run the cell after them. It is not graded.

# %% tags=["demonstration"]
copied_zora = None
mixed_zora = None
mixed_cat = None
mixed_a = None

# %% tags=["demonstration"]
# Run this when all four are written; it works them out from the weights (nothing to write here).
source = ["zora", "saw", "zora", "'s", "cat"]
weights, generated = [0.3, 0.1, 0.2, 0.1, 0.3], {"saw": 0.1, "'s": 0.1, "cat": 0.4, "a": 0.4}
shares = {word: sum(w for w, place in zip(weights, source, strict=True) if place == word) for word in [*source, "a"]}


def compare(name, mine, right):
    if mine is None:
        print(f"{name}: still to do")
    else:
        print(f"{name}: {'right' if abs(mine - right) < 0.001 else 'not yet'}")


compare("zora, copied", copied_zora, shares["zora"])
for word, mine in (("zora", mixed_zora), ("cat", mixed_cat), ("a", mixed_a)):
    compare(f"{word}, mixed", mine, 0.5 * generated.get(word, 0) + 0.5 * shares[word])

# %% [markdown]
# ## Task 1: attention without a query
#
# Raffel & Ellis make one vector of a whole sequence (chapter 13, feed-forward attention):
#
# $$e_t = \tanh(w^\top h_t + b), \qquad \alpha = \mathrm{softmax}(e), \qquad c = \sum_t \alpha_t h_t$$
#
# There is no query: each state is scored by itself, and what is worth a look does not depend on anything written so
# far.
# A sequence without a real step gets weights of 0, and a context of 0.
# Keys and values are the same states.
# A mask that is not boolean is a `TypeError`, which `masked_softmax` raises for you.
# Write `forward`; `__init__` is given, leave it as it is: `score_layer` holds $w$ and $b$.
#
# > **Often believed:** "attention is the output of a dense layer with a softmax."
# > Here it nearly looks like that: a dense layer gives the scores.
# > But that layer sees one state at a time and gives one number; how many steps there are is nowhere in its size.
# > A dense layer over all steps would learn *positions*, for one length only.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Three lines: scores, weights, context. You know the last two from chapters 6 and 4.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `nn.Linear` works on the last axis: (batch, steps, size) → (batch, steps, 1). The softmax needs (batch, steps).
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Tanh first or axis first, either will do; name the axis that you remove. Then `masked_softmax` and `weighted_sum`; the
# context is returned before the weights.
# </details>

# %% answer="FeedForwardAttention.forward"
from seq2seq.beyond.feed_forward_attention import FeedForwardAttention

# %% check="feed_forward_attention_visible" points=1
from autograder.tasks.beyond import check

check("feed_forward_attention", FeedForwardAttention)

# %% check="feed_forward_attention_hidden" points=1 hidden=true
# When graded: one sequence, one step, states of size one, large states, padding in front, a sequence
# without a real step, a mask of numbers, other sizes, float64.
from autograder.tasks.beyond import check

check("feed_forward_attention", FeedForwardAttention, hidden=True)

# %% tags=["demonstration"]
# How sharp can it get (nothing to write here)? Two steps of T are marked, and w looks at nothing but the mark.
# The scores are bounded, and so is the sharpness.
try:
    pool = FeedForwardAttention(2)
    pool.load_state_dict(
        {"score_layer.weight": torch.tensor([[0.0, 100.0]]), "score_layer.bias": torch.tensor([-50.0])}
    )
    print("steps   weight of the two marked   in a plain mean")
    for steps in (4, 10, 50, 500):
        states = torch.zeros(1, steps, 2)
        states[0, :, 0] = torch.rand(steps, generator=torch.Generator().manual_seed(0))
        states[0, :2, 1] = 1.0  # the mark
        with torch.no_grad():
            weights = pool(states, torch.ones(1, steps, dtype=torch.bool))[1]
        print(f"{steps:5}{float(weights[0, :2].sum()):20.3f}{2 / steps:22.3f}")
    shuffled = states[:, torch.randperm(steps)]
    with torch.no_grad():
        contexts = [pool(given, torch.ones(1, steps, dtype=torch.bool))[0] for given in (states, shuffled)]
    print("the same context for the steps in another order:", torch.allclose(*contexts, atol=1e-5))
except Exception as error:
    print(f"A small table appears here once the attention is written. ({type(error).__name__})")

# %% [markdown]
# Over 500 steps the marked ones are still drowned out by the others: the states have to be large where it matters, and
# the network learns to make them so.
# And the order of the steps is lost, as in a mean: attention without a recurrence does not know what came first.
#
# ## Task 2: hops through a memory
#
# A memory network answers a question about a story (chapter 13, *One hop*).
# Each sentence has several embeddings $m^1_i, m^2_i, \ldots$; in a hop one of them is the key, which says what the
# sentence is *about*, and the next one is the value, which says what it has to *offer*.
# The question $u^1$ is the first query, and what a hop has found changes it for the next:
#
# $$p^k_i = \mathrm{softmax}_i((u^k)^\top m^k_i), \qquad o^k = \sum_i p^k_i m^{k+1}_i, \qquad u^{k+1} = u^k + o^k$$
#
# The scores are plain dot products. With $K + 1$ embeddings there are $K$ hops.
# Return the last query and the weights of all hops. A story without a sentence gets weights of 0.
# `attend` is given, and `itertools` is imported.
#
# > **Often believed:** "keys and values are two names for the encoder states."
# > In translation they usually are one tensor. Here they are not, and swapping them gives no error message.
#
# Before you write: with two hops, which embeddings are keys, which are values, and which one is both?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Write one hop first, for one key tensor and one value tensor. It is a scorer of chapter 5 followed by `attend`.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The loop goes over neighbouring pairs of embeddings, and changes the query at the end of each round.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The keys of a hop are (batch, sentences, size); the query needs a last axis of size 1 for the product. Remove that
# axis from the scores by its number. Collect the weights in a list; the axis of the hops is between batch and
# sentences.
# </details>

# %% answer="hops"
from seq2seq.exercises.beyond import hops

# %% check="hops_visible" points=1
from autograder.tasks.beyond import check

check("hops", hops)

# %% check="hops_hidden" points=2 hidden=true
# When graded: one hop, four hops, one story, one sentence, a story without a sentence, large and very low
# scores, other sizes, float64.
from autograder.tasks.beyond import check

check("hops", hops, hidden=True)

# %% tags=["demonstration"]
# Two hops (nothing to write here): where is the milk? The first hop finds who has it, the second where she went.
# The embeddings are made by hand: the first names what a sentence is about, the second what else is in it, which the
# next hop asks with, the third where it is.
try:
    story = ["mary took the milk", "john went out", "mary went home"]
    milk, mary, john, home, out = 6 * torch.eye(5)
    nothing = torch.zeros(5)
    embeddings = torch.stack(
        [
            torch.stack([milk, john, nothing]),
            torch.stack([mary - milk, john, 2 * mary]),
            torch.stack([nothing, out, home]),
        ]
    )
    last, looked = hops(milk[None], embeddings[:, None], torch.ones(1, 3, dtype=torch.bool))
    for number, weights in enumerate(looked[0].tolist(), start=1):
        for sentence, weight in zip(story, weights, strict=True):
            print(f"hop {number}  {sentence:20}{weight:5.2f}  {'█' * round(20 * weight)}")
    places = {"home": home, "out": out}
    print("answer:", max(places, key=lambda word: float(last[0] @ places[word])))
except Exception as error:
    print(f"The weights of two hops and an answer appear here once the hops are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: weights as a distribution over words
#
# A summary is full of names that no vocabulary has, but the source has them.
# A pointer-generator uses its attention weights twice: to make a context, and as probabilities of *copying*
# (chapter 13, the copy distribution):
#
# $$P_{copy}(w) = \sum_{i : w_i = w} a_i$$
#
# Unknown words of the source get ids of their own, after those of the vocabulary: the *extended vocabulary*.
# `extended_source` holds the id of the word at each place; a word that occurs at several places gets all their weights.
#
# > **Often believed:** "indexing adds up."
# > `p[ids] += weights` adds only one of two weights where an id occurs twice, without an error.
#
# <details><summary>Hint 1: a nudge</summary>
#
# A loop would say `p[word] += weight` for each place, one place after another. What is that for a whole batch?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Begin with zeros (batch, extended_size). PyTorch has a `scatter` that replaces and another that adds.
# A product with one-hot rows does it as well.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `zeros.scatter_add(axis, ids, weights)`: ids and weights have the same shape, (batch, source_len), and `axis` is the
# one along which the ids point. `weights.new_zeros(…)` has the right dtype.
# </details>

# %% answer="copy_distribution"
from seq2seq.beyond.copy_mixture import copy_distribution

# %% check="copy_distribution_visible" points=1
from autograder.tasks.beyond import check

check("copy_distribution", copy_distribution)

# %% check="copy_distribution_hidden" points=1 hidden=true
# When graded: more places than words, words that no sentence has, one sentence, one place, a vocabulary of
# one word, float64.
from autograder.tasks.beyond import check

check("copy_distribution", copy_distribution, hidden=True)

# %% [markdown]
# ## Task 4: the loss of the right word
#
# A gate $g^t$ shares the probability of a step between writing and copying (chapter 13, *The mixture*), and the loss
# is that of chapter 2, the mean of the negative logarithms at the right words $w^t$:
#
# $$P^t(w) = g^t P^t_{vocab}(w) + (1 - g^t) \sum_{i : w_i = w} a^t_i, \qquad
#   L = -\frac{1}{\sum_t m_t} \sum_t m_t \ln \max(P^t(w^t), 10^{-10})$$
#
# with $m_t = 1$ for a real target word; the sums run over all sentences of the batch, and where no word is real, the
# loss is 0.
# A target word may be known, or unknown and in the source, or both known and in the source; or neither, and then its
# probability is 0, and $10^{-10}$ keeps the logarithm finite.
#
# A table of probabilities for all words, (batch, target_len, extended_size), would work, but it is large.
# The loss looks at one entry of each row: which numbers does that entry need?
#
# > **Often believed:** "a known word is written, an unknown one is copied."
# > A known word that is in the source has a share of both, and so both get a gradient.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Two numbers for each target word: what the output layer gives to it, and the weight at the places where it occurs.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `gather` fetches the first. It needs an id that exists, so give it another for words beyond the vocabulary, and put a
# 0 in place of what it fetched.
# For the second, compare every target word with every source word: (batch, target_len, source_len).
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# An axis of size 1 in the source's ids and another in the target's ids let them broadcast.
# `clamp` before the logarithm. `masked_fill` sets the costs of padding to 0, and the divisor is the number of real
# words, but never 0.
# </details>

# %% answer="pointer_loss"
from seq2seq.exercises.beyond import pointer_loss

# %% check="pointer_loss_visible" points=2
from autograder.tasks.beyond import check

check("pointer_loss", pointer_loss)

# %% check="pointer_loss_hidden" points=2 hidden=true
# When graded: no unknown word in the batch, a word that can be neither written nor copied (also in the padding),
# probabilities around 1e-10, gates of 0 and 1, a word that is certain, padding in front, one sentence, one word, no
# real word, other sizes, float64.
from autograder.tasks.beyond import check

check("pointer_loss", pointer_loss, hidden=True)

# %% tags=["demonstration"]
# Where does the gradient go (nothing to write here)? The right word is zora, which the vocabulary does not know.
# One step downhill moves the weights to its places: the bars are minus the gradient of the loss at each weight.
try:
    words = ["zora", "saw", "zora", "'s", "cat"]
    source, right = torch.tensor([[4, 0, 4, 1, 2]]), torch.tensor([[4]])
    looked = torch.tensor([[[0.3, 0.1, 0.2, 0.1, 0.3]]], requires_grad=True)
    written, gate = torch.tensor([[[0.1, 0.1, 0.4, 0.4]]]), torch.tensor([[0.5]])
    pointer_loss(written, looked, gate, source, right, torch.ones(1, 1, dtype=torch.bool)).backward()
    for word, pull in zip(words, (-looked.grad[0, 0]).tolist(), strict=True):
        print(f"{word:6}{pull:6.2f}  {'█' * round(10 * pull)}")
except Exception as error:
    print(f"Five bars appear here once the loss is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: looking twice
#
# Summaries repeat themselves, and the weights show it: the decoder looks again where it has looked before.
# The *coverage* of a step is what all steps before it have looked at; the loss is what a step looks at again
# (chapter 13, the coverage loss):
#
# $$c^t = \sum_{t' < t} a^{t'}, \qquad
#   \frac{1}{\sum_t m_t} \sum_t m_t \sum_i \min(a^t_i, c^t_i)$$
#
# with $m_t = 1$ for a real target word. The sums run over all sentences of the batch; where no word is real, the loss
# is 0. Source padding has weight 0 and costs nothing, so no source mask is needed.
# A step of target padding adds to the coverage like any other.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What is the coverage of the very first step? And of the second?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `cumsum` along the steps gives sums that include the step itself. How do you take it out again?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.minimum` compares cell by cell; then a sum over the source, (batch, target_len). Costs of padding steps become
# 0 before the sum, and the divisor is the number of real words, but never 0: `clamp(min=1)`.
# </details>

# %% answer="coverage_loss"
from seq2seq.decoders.pointer import coverage_loss

# %% check="coverage_loss_visible" points=1
from autograder.tasks.beyond import check

check("coverage_loss", coverage_loss)

# %% check="coverage_loss_hidden" points=2 hidden=true
# When graded: a single step, one source token, padding in front, weights of 0 and 1, one real word or none, one
# sentence, other sizes, float64.
from autograder.tasks.beyond import check

check("coverage_loss", coverage_loss, hidden=True)

# %% tags=["demonstration"]
# What it punishes, and what it does not (nothing to write here): four ways to look at four words in four steps.
try:
    ways = {
        "each word once": torch.eye(4),
        "the same word four times": torch.eye(4)[[1, 1, 1, 1]],
        "to and fro": torch.eye(4)[[0, 1, 0, 1]],
        "everywhere a little": torch.full((4, 4), 0.25),
    }
    every_step = torch.ones(1, 4, dtype=torch.bool)
    for name, way in ways.items():
        print(f"{name:26}{float(coverage_loss(way[None], every_step)):.2f}")
except Exception as error:
    print(f"Four numbers appear here once the loss is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 6: the input that shows it
#
# A pointer-generator trained well for days; then, in one batch of thousands, its loss turned to NaN.
# Its attention masks after the softmax, and divides by the sum so that the weights sum to 1 again:
# on paper that is the same as masking before it.

# %% given="mask_after"
calm, real = torch.tensor([[0.5, 2.0, -1.0]]), torch.tensor([[True, True, False]])


def mask_after(scores: Tensor, mask: Tensor) -> Tensor:
    shares = torch.softmax(scores, dim=-1) * mask
    return shares / shares.sum(dim=-1, keepdim=True)


print("mask after: ", mask_after(calm, real))
print("mask before:", masked_softmax(calm, real))

# %% [markdown]
# Random scores will not show the fault: try, if you like.
# Write a function that makes scores and a mask for which `mask_after` gives weights that are not finite, while
# `masked_softmax` gives finite ones. It gets harmless scores, (1, keys), and has to make its own of the same shape
# and dtype: for any number of keys from 2 on, for float32 and for float64.
# So that nobody can say that such scores never occur, they must lie from -1000 to 1000, with only *one* key as padding.
# (No gradient is needed here.)
#
# <details><summary>Hint 1: a nudge</summary>
#
# What has to become 0 so that the division fails? And which of the numbers above it could be large?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A softmax divides by a sum over *all* keys, padding among them. What is the share of a key whose score is far below
# the largest? A float cannot be arbitrarily small.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.exp(torch.tensor(-100.0))` is not 0 yet, and in float64 there is more room still. Try larger gaps by hand, in
# both dtypes, before you write the function.
# </details>

# %% answer="underflow_proof"
from seq2seq.exercises.beyond import underflow_proof

# %% check="underflow_proof_visible" points=1
from autograder.tasks.beyond import check

check("underflow_proof", underflow_proof)

# %% check="underflow_proof_hidden" points=1 hidden=true
# When graded: other numbers of keys, two keys, float64.
from autograder.tasks.beyond import check

check("underflow_proof", underflow_proof, hidden=True)

# %% [markdown]
# ## Question: who asks, what is compared, what is fetched?
#
# 1. Fill in: for (a) image captioning by attention over regions of a picture, (b) one hop of a memory network, (c)
#    feed-forward attention, say what plays the role of the query, of the keys and of the values.
# 2. The coverage loss puts a high price on *everywhere a little*. Name a task or a kind of target word for which
#    looking at the same source token several times is right, and say what the loss would do there.
#
# A few sentences in the cell below will do. People grade this one: 3 points.

# %% [markdown] question="who_asks" points=3
# **Model answer.** (a) The query is the decoder state while a word of the caption is being written; keys and values are
# both the vectors of the regions (one tensor). (b) The query is the embedded question, later the question plus what was
# found; keys and values are two different embeddings of each sentence of the story. (c) There is no query; a learned
# vector $w$, the same for every input, takes its place; keys and values are the states.
# For the second: translating one English word by several French ones (*not* → *ne … pas*), or a morpheme that
# determines many words; spelling out a name letter by letter; a summary that names its subject twice. There every right
# alignment looks twice, so the loss pulls the weights away from the right place, to words not yet looked at.
#
# **Rubric.**
# 1 point: query, keys and values of (a) and (b), with keys and values apart in (b).
# 1 point: (c) has no query, or a learned one that does not depend on the input.
# 1 point: a fitting example, and that the loss pushes the weights away from the right token.

# %% [markdown]
# ## To go further (not graded)
#
# 1. Take the tanh out of feed-forward attention and repeat the table after task 1. What becomes of the limit of 7.4,
#    and what of the gradients where one weight has taken everything?
# 2. What becomes of the bars after task 4 when the right word is *cat*, which is known and in the source? First
#    guess, then change `right`.
# 3. The scores can be told the coverage too: add $w_c \, c^t_i$ inside the tanh of the additive score. Why is that of
#    no use without the loss?

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
# ---

# %% [markdown]
# # Beyond translation
#
# Attention is not about translating.
# Wherever many things have to become one, and it depends on the moment which of them count, it can be used: the steps
# of a long sequence, the sentences of a story, the words of a text that is to be summed up.
# You build four such uses, and keep asking the same question: what is the query, what the keys, what the values?
# It goes with chapter 13 (*beyond translation*).
#
# **Time:** 60 minutes. **Points:** 16.
#
# **When you are done you can**
#
# - pool a sequence into one vector by weights that the states decide for themselves, and say what that cannot do;
# - take a hop through a memory whose keys and values differ;
# - copy words that no vocabulary has, by using the weights a second time, as a distribution over words;
# - punish a summary that says the same thing twice.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# No task uses what you wrote before, so one wrong task does not cost you the next.
# Throughout, batch comes first, and a mask is true for what is real.
# `weighted_sum`, `masked_softmax` and `attend` of chapters 4 and 6 are given.

# %% given="setup"
import math

import torch
import torch.nn.functional as F
from IPython.display import display
from torch import Tensor, nn

from seq2seq.attention import attend, masked_softmax, weighted_sum
from seq2seq.plots import alignment_plot

# %% [markdown]
# ## Warm-up: copying by pencil
#
# The source is *zora saw zora 's cat*. The vocabulary knows the words *saw*, *'s*, *cat* and *a*, but not *zora*.
# The decoder's weights on the five source words are (.3, .1, .2, .1, .3).
# Its output layer says: *saw* .1, *'s* .1, *cat* .4, *a* .4.
#
# 1. Copying takes a source word with the probability of its weight. How likely does it take *zora*?
# 2. The gate $p_{gen}$ is .5: half generated, half copied. How likely is *zora* now? And *cat*?
# 3. How likely is *a*, which is not in the source?
#
# Write your numbers below before you run the cell. It is not graded.

# %%
copied_zora = None
mixed_zora = None
mixed_cat = None
mixed_a = None


def compare(name, mine, right):
    if mine is None:
        print(f"{name}: still to do")
    else:
        print(f"{name}: {'right' if abs(mine - right) < 0.001 else 'not yet'}")


compare("zora, copied", copied_zora, 0.3 + 0.2)
compare("zora, mixed", mixed_zora, 0.5 * 0 + 0.5 * 0.5)
compare("cat, mixed", mixed_cat, 0.5 * 0.4 + 0.5 * 0.3)
compare("a, mixed", mixed_a, 0.5 * 0.4)

# %% [markdown]
# ## Task 1: attention without a query
#
# Raffel & Ellis make one vector of a whole sequence (chapter 13, feed-forward attention):
#
# $$e_t = \tanh(w^\top h_t + b), \qquad \alpha = \mathrm{softmax}(e), \qquad c = \sum_t \alpha_t h_t$$
#
# There is no query: each state is scored by itself, and what is worth a look does not depend on anything that has been
# written.
# Keys and values are the same states.
# Write `forward`; `__init__` is given and stays as it is: `score_layer` holds $w$ and $b$.
#
# > **Often believed:** "attention is the output of a dense layer with a softmax."
# > Here it nearly looks so: a dense layer gives the scores.
# > But that layer sees one state at a time and gives one number; how many steps there are is nowhere in its size.
# > A dense layer over all steps would learn *positions*, for one length only.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Three lines: scores, weights, context. You know the last two from chapters 6 and 4.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `nn.Linear` works on the last axis: (batch, steps, size) → (batch, steps, 1). The softmax wants (batch, steps).
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Tanh first or axis first, either will do; name the axis that goes. Then `masked_softmax` and `weighted_sum`; the
# context is returned before the weights.
# </details>

# %% answer="FeedForwardAttention.forward"
from seq2seq.beyond.feed_forward_attention import FeedForwardAttention

# %% check="feed_forward_attention_visible" points=1
from autograder.checks.feed_forward import check_feed_forward_attention

check_feed_forward_attention(FeedForwardAttention)

# %% check="feed_forward_attention_hidden" points=2 hidden=true
# When graded: one sequence, one step, states of size one, large states, an empty sequence, float64, gradients.
from autograder.checks.feed_forward import check_feed_forward_attention_hidden

check_feed_forward_attention_hidden(FeedForwardAttention)

# %%
# How sharp can it get (nothing to write here)? Two steps of T are marked, and w looks at nothing but the mark.
# Scores lie between -1 and 1, so no weight is more than e² = 7.4 times another.
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
# Over 500 steps the marked ones are still drowned by the others: the states have to be large where it matters, and the
# network behind learns to make them so.
# And the order of the steps is lost, as in a mean: attention without a recurrence does not know what came first.
#
# ## Task 2: a hop through a memory
#
# A memory network answers a question about a story (chapter 13, one hop).
# Each sentence has two embeddings: a key $m_i$, which says what it is *about*, and a value $c_i$, which says what it
# has to *offer*. The question $u$ is the query:
#
# $$p_i = \mathrm{softmax}(u^\top m_i), \qquad o = \sum_i p_i c_i$$
#
# The scores are plain dot products. The network adds $o$ to $u$ afterwards, and asks again with the sum.
#
# > **Often believed:** "keys and values are two names for the encoder states."
# > In translation they are one tensor, as a rule. Here they are not, and swapping them gives no error message.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of `keys` and `values` is compared with the query, and which one is summed?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# It is the dot scorer followed by `attend`.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `keys` is (batch, sentences, size); the query needs a last axis of size 1 for the product, which then has to go by
# name. `attend(scores, values, mask)` returns the pair that is asked for.
# </details>

# %% answer="hop"
from seq2seq.beyond.memory_network import hop

# %% check="hop_visible" points=1
from autograder.checks.hop import check_hop

check_hop(hop)

# %% check="hop_hidden" points=1 hidden=true
# When graded: one story, one sentence, a story without a sentence, large scores, other sizes, float64, gradients.
from autograder.checks.hop import check_hop_hidden

check_hop_hidden(hop)

# %%
# Two hops (nothing to write here): where is the milk? The first hop finds who has it, the second where that one went.
# The embeddings are made by hand: a key names who or what a sentence is about, a value what else is in it.
try:
    story = ["mary took the milk", "john went out", "mary went home"]
    milk, mary, john, took, home, out = torch.eye(6)
    keys = torch.stack([milk, john, mary])[None]
    values = torch.stack([mary + took, out, home])[None]
    query = milk[None]
    for number in (1, 2):
        output, weights = hop(8 * query, keys, values, torch.ones(1, 3, dtype=torch.bool))
        query = output  # a network that has learned to ask adds the output to the query; here it replaces it
        for sentence, weight in zip(story, weights[0].tolist(), strict=True):
            print(f"hop {number}  {sentence:20}{weight:5.2f}  {'█' * round(20 * weight)}")
    answers = {"milk": milk, "mary": mary, "john": john, "took": took, "home": home, "out": out}
    print("answer:", max(answers, key=lambda word: float(query[0] @ answers[word])))
except Exception as error:
    print(f"The weights of two hops and an answer appear here once the hop is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: weights as a distribution over words
#
# A summary is full of names that no vocabulary has, but they stand in the source.
# A pointer-generator uses its attention weights twice: to make a context, and as probabilities of *copying*
# (chapter 13, the copy distribution):
#
# $$P_{copy}(w) = \sum_{i : w_i = w} a_i$$
#
# Unknown words of the source get ids of their own, after those of the vocabulary: the *extended vocabulary*.
# `extended_source` holds the id of the word at each place; a word that stands at several places gets all their weights.
#
# > **Often believed:** "indexing adds up."
# > `p[ids] += weights` adds one of two weights where an id comes twice, and no error tells you.
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
# `zeros.scatter_add(axis, ids, weights)`: ids and weights have one shape, (batch, source_len), and `axis` is the one
# along which the ids point. `weights.new_zeros(…)` has the right dtype.
# </details>

# %% answer="copy_distribution"
from seq2seq.beyond.copy_mixture import copy_distribution

# %% check="copy_distribution_visible" points=1
from autograder.checks.copying import check_copy_distribution

check_copy_distribution(copy_distribution)

# %% check="copy_distribution_hidden" points=2 hidden=true
# When graded: more places than words, words that no sentence has, one sentence, one place, float64, gradients.
from autograder.checks.copying import check_copy_distribution_hidden

check_copy_distribution_hidden(copy_distribution)

# %% [markdown]
# ## Task 4: generate or copy?
#
# A gate $p_{gen}$ shares the probability between the two (chapter 13, the mixture):
#
# $$P(w) = p_{gen} \, P_{vocab}(w) + (1 - p_{gen}) \, P_{copy}(w)$$
#
# $P_{vocab}$ knows the words of the vocabulary only; to the ids beyond it gives 0.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Two tensors can only be added if they are equally long. Which one is too short, and on which side?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `F.pad(tensor, (left, right))` puts zeros on the sides of the last axis. There is one gate for each sentence, not for
# each word.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# (batch,) meets (batch, words) only with an axis of size 1 behind it. Make new tensors; the caller still needs
# `copied`.
# </details>

# %% answer="mixture"
from seq2seq.beyond.copy_mixture import mixture

# %% check="mixture_visible" points=1
from autograder.checks.mixture import check_mixture

check_mixture(mixture)

# %% check="mixture_hidden" points=1 hidden=true
# When graded: no unknown word, one sentence, as many sentences as words, other sizes, float64, gradients.
from autograder.checks.mixture import check_mixture_hidden

check_mixture_hidden(mixture)

# %%
# The warm-up, by your functions (nothing to write here): as the gate closes, the unknown name comes in.
try:
    words = ["saw", "'s", "cat", "a", "zora"]
    source = torch.tensor([[4, 0, 4, 1, 2]])
    weights, generated = torch.tensor([[0.3, 0.1, 0.2, 0.1, 0.3]]), torch.tensor([[0.1, 0.1, 0.4, 0.4]])
    copied = copy_distribution(weights, source, 5)
    gates = (1.0, 0.75, 0.5, 0.25, 0.0)
    rows = [mixture(generated, copied, torch.tensor([gate])) for gate in gates]
    display(alignment_plot(torch.cat(rows), words, [f"p_gen = {gate}" for gate in gates]))
except Exception as error:
    print(f"A table of probabilities appears here once both functions are written. ({type(error).__name__})")

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
#
# <details><summary>Hint 1: a nudge</summary>
#
# What is the coverage of the very first step? And of the second?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `cumsum` along the steps gives sums that have the step itself in them. How do you get it out again?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.minimum` compares cell by cell; then a sum over the source, (batch, target_len). Costs of padding steps become
# 0 before the sum, and the divisor is the number of real words, but never 0: `clamp(min=1)`.
# </details>

# %% answer="coverage_loss"
from seq2seq.decoders.pointer import coverage_loss

# %% check="coverage_loss_visible" points=1
from autograder.checks.coverage import check_coverage_loss

check_coverage_loss(coverage_loss)

# %% check="coverage_loss_hidden" points=2 hidden=true
# When graded: a single step, one source token, padding on the left, no real word, other sizes, float64, gradients.
from autograder.checks.coverage import check_coverage_loss_hidden

check_coverage_loss_hidden(coverage_loss)

# %%
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
# ## Question: who asks, what is compared, what is fetched?
#
# 1. Fill in: for (a) image captioning by attention over regions of a picture, (b) one hop of a memory network, (c)
#    feed-forward attention, say what plays the role of the query, of the keys and of the values.
# 2. The coverage loss gives *everywhere a little* a high price. Name a task or a kind of target word for which looking
#    at the same source token several times is right, and say what the loss would do there.
#
# A few sentences in the cell below will do. People grade this one: 3 points.

# %% [markdown] question="who_asks" points=3
# **Model answer.** (a) The query is the decoder state while a word of the caption is being written; keys and values are
# both the vectors of the regions (one tensor). (b) The query is the embedded question, later the question plus what was
# found; keys and values are two different embeddings of each sentence of the story. (c) There is no query; a learned
# vector $w$, the same for every input, stands in its place; keys and values are the states.
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
#    and what of the gradients where one weight has become all?
# 2. Write the loss of the pointer-generator: the negative logarithm of the mixture at the right word. Which gradient
#    does the weight of a copied word get, and why did attention get none like it before?
# 3. Coverage can be told to the scores too: add $w_c \, c^t_i$ inside the tanh of the additive score. Why must the
#    loss be there as well, before that is of any use?

# %%
right_word = 4  # zora, in the picture after task 4
loss = None  # minus the logarithm of its probability, for a gate of .5
if loss is None:
    print("still to do, if you like")
else:
    print("loss:", float(loss), "expected:", -math.log(0.25))

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
#     title: Self-attention and several heads
#     assignment: 14_self_attention
#     chapters: [14]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/attention.py
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
#       - seq2seq/scorer.py
#       - seq2seq/scorers.py
#       - seq2seq/transformer/__init__.py
# ---

# %% [markdown]
# # Self-attention and several heads
#
# Until now a decoder's query looked at an encoder's states.
# Here query, keys and values come from one and the same sequence.
# You build the mask that this needs, self-attention itself, and the several heads of the Transformer, with the same
# numbers as PyTorch's `nn.MultiheadAttention`; then two things that came after the chapter's models, positions as
# rotations and a cache for decoding.
# It goes with chapter 14 (*self-attention and after*), which shows the parts; no page shows tasks 1, 4 and 5.
#
# **Time:** 90 minutes. **Points:** 21.
#
# **When you are done you can**
#
# - say, working by hand, what each position of a sentence sees under a causal mask;
# - combine the causal mask with the mask of the padding, even when only the last words ask;
# - write self-attention from a scorer and a softmax that you know;
# - split features into heads, attend in each, join them, and compare the result with PyTorch's own module;
# - give queries and keys their positions by rotating them;
# - decode word by word without computing anything twice, with a memory that does not grow.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# No task uses what you wrote before, so one wrong task does not cost you the next.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# Throughout, the batch axis comes first, and every mask is true where a key **may be seen**, as `source_mask` is true
# for real tokens.
# PyTorch itself does it both ways: a mask of `nn.MultiheadAttention` is true where a key is ignored, one of
# `F.scaled_dot_product_attention` where it may be seen.
#
# The pieces that you know are given: `masked_softmax` (chapter 6) and `ScaledDotScorer` (chapter 5); its
# `score_all` takes (batch, queries, size) and (batch, keys, size), and scores all queries at once.

# %% given="setup"
import math

import torch
import torch.nn.functional as F
from IPython.display import display
from torch import Tensor, nn

from seq2seq.attention import masked_softmax
from seq2seq.plots import alignment_plot
from seq2seq.scorers import ScaledDotScorer

words = ["the", "black", "cat", "sleeps"]

# %% [markdown]
# ## Warm-up: a sentence that looks back, by hand
#
# Three words look at themselves and at what came before them, never at what comes after.
# To keep the numbers simple, every query gives the three keys the same scores: $(0, \ln 2, \ln 3)$.
# The values are the numbers 6, 3 and 12.
#
# 1. Word 1 sees itself alone, word 2 the first two, word 3 all three.
#    What are the weights of each?
# 2. What are the three contexts?
# 3. Now word 3 is changed, and its value is 100. Which of the contexts change?
#
# Write your numbers below before you run the cell after them. It is not graded.

# %% tags=["demonstration"]
weights_of_word_2 = [None, None, None]
weights_of_word_3 = [None, None, None]
contexts = [None, None, None]
contexts_that_change = None  # how many

# %% tags=["demonstration"]
# Run this when all are written; it works them out from the scores (nothing to write here).
shares, values = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([6.0, 3.0, 12.0])  # the exponentials of the scores
rows = torch.stack([shares, shares, shares]).tril()
rows = rows / rows.sum(-1, keepdim=True)
before, after = rows @ values, rows @ torch.tensor([6.0, 3.0, 100.0])


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.01 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet; whom does this word see?'}")


compare("weights of word 2", weights_of_word_2, rows[1].tolist())
compare("weights of word 3", weights_of_word_3, rows[2].tolist())
compare("contexts", contexts, before.tolist())
compare("contexts that change", [contexts_that_change], [int((before != after).sum())])

# %% [markdown]
# ## Task 1: who is seen by the last words
#
# A decoder that reads all of the target at once must not see the word that it has to predict, and in a batch there is
# padding to hide as well (chapter 14, *The mask of a batch*). A query $i$ may see a key $j$ where
#
# $$V_{ij} = m_j \wedge [\, j \le i \,]$$
#
# with $m$ the mask of the padding and positions counted from 1.
# A decoder that goes word by word has read the earlier ones already: it needs only the *last* rows.
# So write the mask of the last `queries` positions of sentences of `keys` positions, (batch, queries, keys).
# If `queries` is `None`, there is no causal mask: one row serves every query, (batch, 1, keys), which broadcasts.
# If it is 0, there is no row: (batch, 0, keys).
# There cannot be more queries than keys: raise a `ValueError`.
# The mask lies on the device of `source_mask`, and has no gradient.
#
# > **Often believed:** "a position must not see itself, or it would know the answer."
# > The input at position $i$ is the word *before* the one to be predicted there, since the target is shifted by one.
# > And if the first position could not see itself, it would have nothing to look at.
#
# Before you write: five words, of which the last two ask. Draw the two rows. In which corner does the triangle lie?
#
# <details><summary>Hint 1: a nudge</summary>
#
# On which axis of (batch, queries, keys) do the keys lie? And which axis does `source_mask` lack?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# One of the two masks depends on the sentence and not on the query, the other on the query and not on the sentence; a
# logical operation that broadcasts joins them. For the second you need to know the position of each row.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The first of the rows belongs to position `keys - queries + 1`.
# PyTorch cuts triangles out of tables, from any diagonal on; or compare two ranges of positions, one as a column, one
# as a row. `&` is "and" for boolean tensors.
# </details>

# %% answer="seen_by_last"
from seq2seq.exercises.self_attention import seen_by_last

# %% check="seen_by_last_visible" points=1
from autograder.tasks.self_attention import check

check("seen_by_last", seen_by_last)

# %% check="seen_by_last_hidden" points=2 hidden=true
# When graded: one query, none, one sentence, one word, padding in front, more queries than keys, other sizes.
from autograder.tasks.self_attention import check

check("seen_by_last", seen_by_last, hidden=True)

# %% tags=["demonstration"]
# Who sees whom in a sentence of three words and one of padding (nothing to write here): a row for each query, a column
# for each key, yellow where it may be seen. PyTorch's `is_causal=True` has its triangle in the other corner: with one
# query it would show the first key alone.
try:
    padded = [*words[:3], "<pad>"]
    for asking in (4, 2):
        mask = seen_by_last(torch.tensor([[True, True, True, False]]), asking)
        display(alignment_plot(mask[0].float(), padded, padded[-asking:]))
except Exception as error:
    print(f"Two tables of who sees whom appear here once the mask is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: self-attention
#
# Every position asks with a query, offers a key, and gives a value, and all three are made from the same vector
# (chapter 14, self-attention):
#
# $$q_i = W_q x_i, \quad k_j = W_k x_j, \quad v_j = W_v x_j, \qquad
#   \alpha_i = \mathrm{softmax}_j\!\left(\frac{q_i^\top k_j}{\sqrt d} \;\middle|\; M_{ij}\right), \qquad
#   c_i = \sum_j \alpha_{ij} v_j$$
#
# $d$ is the size of query and key.
# `visible` is $M$, true where a key may be seen: (batch, length, length), or what broadcasts to it, such as
# (length, length) for all sentences or (batch, 1, length) for all queries.
# Return the pair `(contexts, weights)`.
# A query that may see nothing gets weights of 0.
# `__init__` is given; leave it as it is: the check loads its own weights into your layers.
#
# > **Often believed:** "self-attention was part of seq2seq attention."
# > The models of chapters 7 and 8 look from one sequence at another, and run through time by recurrence.
# > Self-attention is the same operation, score, normalise and sum, with query, keys and values from one sequence.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Score, normalise, sum: you have written all three before, for one query. What is new is where the query comes from.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Project the sequence three times. Every query meets every key, and here there are as many queries as keys.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Scores and weights are (batch, length, length), the values (batch, length, value_size).
# The sum over the keys, for all queries at once, is a product of these two.
# `masked_softmax` takes the scores and `visible` as they are.
# </details>

# %% answer="SelfAttention.forward"
from seq2seq.transformer.self_attention import SelfAttention

# %% check="self_attention_visible" points=1
from autograder.tasks.self_attention import check

check("self_attention", SelfAttention)

# %% check="self_attention_hidden" points=2 hidden=true
# When graded: other sizes, one sentence, one word, queries that may see nothing, large scores, one mask for all
# sentences, float64.
from autograder.tasks.self_attention import check

check("self_attention", SelfAttention, hidden=True)

# %% tags=["demonstration"]
# Change the last word, and see which contexts notice (nothing to write here).
try:
    torch.manual_seed(5)
    attention = SelfAttention(6, 8, 6)
    sentence, changed = torch.randn(2, 1, 4, 6)
    changed[:, :3] = sentence[:, :3]
    triangle = torch.ones(1, 4, 4, dtype=torch.bool).tril()
    with torch.no_grad():
        for name, mask in (("causal mask", triangle), ("no mask", torch.ones_like(triangle))):
            moved = (attention(sentence, mask)[0] - attention(changed, mask)[0]).abs().amax(-1)[0]
            told = ", ".join(f"{word} {float(move):.2f}" for word, move in zip(words, moved, strict=True))
            print(f"{name:12} the contexts move by: {told}")
        display(alignment_plot(attention(3 * sentence, triangle)[1][0], words, words))
except Exception as error:
    print(f"Two lines and a table of weights appear here once self-attention is written. ({type(error).__name__})")

# %% [markdown]
# ## Question: all words at once
#
# The decoder of a Transformer is trained on all positions of the target in one pass, and decodes word by word.
#
# 1. Why is one pass enough in training, and why does it give the same numbers as going word by word?
# 2. Someone forgets the causal mask in the decoder. What will the training loss look like, what will the translations
#    look like, and why?
#
# Answer in three to six sentences.

# %% [markdown] question="why_causal_mask" points=2
# **Model answer.** In training all words of the target are known, so every position's input is there from the start,
# and under the causal mask position $i$ depends only on the words up to $i$, as if the rest did not exist yet.
# No position waits for the result of another, so all of them can be computed side by side, and each gives what a step
# would give.
# Without the mask position $i$ sees the input at position $i + 1$, which is the very word that it has to predict.
# The loss falls fast to almost 0, because the model learns to copy that word instead of translating.
# In decoding the word to come is not there to be copied, so the translations are nonsense, and the loss did not warn.
#
# **Rubric.** 1 point: all inputs are known in training, and the mask makes each position depend only on the words
# before it, so that one pass equals the steps; 1 point: without the mask the loss is far too good because the answer
# can be copied from the next position, while decoding fails since that position does not exist yet.

# %% [markdown]
# ## Task 3: several heads
#
# One softmax per query means one mixture per query.
# Several *heads* give a query several mixtures: each head sees only its share of the features, and has a softmax of
# its own (chapter 14, *Several heads*):
#
# $$c_i = W_O [c_i^1; \ldots; c_i^H] + b_O, \qquad
#   c^h = \mathrm{attention}(W_Q^h x + b_Q^h,\; W_K^h y + b_K^h,\; W_V^h y + b_V^h)$$
#
# Self-attention is the case $y = x$; a decoder that looks at the source has its own states as $x$ and the encoder's
# states as $y$.
#
# The cell below has three answers, of which the last one counts; use the first two in it, or leave them as they are.
#
# - `split_heads`: (batch, positions, size) becomes (batch, heads, positions, size / heads). Head 1 gets the *first*
#   size / heads features of every position, head 2 the next, and so on.
# - `join_heads` is the way back: the contexts of all heads side by side.
# - `MultiHeadAttention.attend` gets `keys` and `values` that have been through `project_keys`; the queries come
#   unprojected. It returns the pair (contexts, weights), the weights of every head separately: (batch, heads,
#   queries, keys).
#
# `visible` broadcasts to (batch, queries, keys): it may be (batch, queries, keys), (batch, 1, keys) or
# (queries, keys), and applies to all heads alike.
# A query that may see nothing gets weights of 0. Leave `__init__` as it is.
#
# > **Often believed:** "`view` and `transpose` do the same if the shapes agree."
# > `view` and `reshape` keep the numbers in their order and regroup them; `transpose` swaps two axes.
# > If you mix them up, the code runs, trains, and gives each head other *positions* in place of other *features*.
#
# > **Often believed:** "more heads, more parameters."
# > The heads divide up the same matrices: W_Q, W_K, W_V and W_O are size × size, however many heads there are.
# > What changes is how many softmaxes there are, and how many features each of them can compare.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the four layers still have to be applied, and where? To split, two things happen: one axis becomes two, and
# two axes change places. Which comes first?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Project the queries; split queries, keys and values; scores, weights and sum with one more axis; join; output layer.
# The numbers of one head lie side by side on the last axis, so it is cut into (heads, size / heads).
# The scale is the root of the size of *one head*.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `unflatten` and `flatten` cut and join axes. After a swap of axes a plain `view` fails, because the numbers do not lie
# in that order in memory.
# `score_all` works on three axes: either flatten batch and heads into one before it and unflatten afterwards, or write
# the product of queries and transposed keys out; `@` works on the last two axes.
# The mask lacks the axis of the heads, which is the third from the end.
# </details>

# %% answer="MultiHeadAttention.attend split_heads join_heads"
from seq2seq.transformer.self_attention import split_heads, join_heads, MultiHeadAttention

# %% check="multi_head_attention_visible" points=2
from autograder.tasks.self_attention import check

check("multi_head_attention", MultiHeadAttention)

# %% check="multi_head_attention_hidden" points=3 hidden=true
# When graded: other sizes, one head, heads of one feature, one sentence, one query, one key, queries that may see
# nothing, large scores, one mask or one row for all, float64.
from autograder.tasks.self_attention import check

check("multi_head_attention", MultiHeadAttention, hidden=True)

# %% tags=["demonstration"]
# PyTorch's module and yours with the same weights (nothing to write here).
try:
    torch.manual_seed(6)
    theirs = nn.MultiheadAttention(12, 3, batch_first=True)
    mine = MultiHeadAttention(12, 3)
    with torch.no_grad():
        layers = mine.query_layer, mine.key_layer, mine.value_layer
        for layer, weight, bias in zip(
            layers, theirs.in_proj_weight.chunk(3), theirs.in_proj_bias.chunk(3), strict=True
        ):
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)
        mine.output_layer.load_state_dict(theirs.out_proj.state_dict())
        x, triangle = torch.randn(2, 4, 12), torch.ones(4, 4, dtype=torch.bool).tril()
        contexts = mine(x, x, triangle)[0]
        print("largest difference:", float((theirs(x, x, x, attn_mask=~triangle)[0] - contexts).abs().max()))
except Exception as error:
    print(f"A difference of about 0 appears here once the heads attend. ({type(error).__name__})")

# %% tags=["demonstration"]
# Two heads with two jobs (nothing to write here): one looks at its own word, the other at the word before.
try:
    jobs = MultiHeadAttention(8, 2)
    same_place, place_before = torch.eye(4), torch.eye(4).roll(-1, 1)
    place_before[0] = torch.tensor([1.0, 0, 0, 0])
    with torch.no_grad():
        for parameter in jobs.parameters():
            parameter.zero_()
        jobs.query_layer.weight[:, :4] = 8 * torch.cat([same_place, place_before.T])
        jobs.key_layer.weight[:, :4] = torch.cat([same_place, same_place])
        places = torch.cat([torch.eye(4), torch.zeros(4, 4)], dim=1)[None]  # each word says where it stands
        for head, table in enumerate(jobs(places, places, torch.ones(4, 4, dtype=torch.bool))[1][0], start=1):
            print(f"head {head}")
            display(alignment_plot(table, words, words))
except Exception as error:
    print(f"Two tables of weights appear here once the heads attend. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: places as rotations
#
# Self-attention does not know in which order words came. Chapter 14 adds a wave to each embedding; most of today's
# models rotate the queries and keys instead (Su et al., 2021, *RoFormer*).
# At place $p$ each pair of features is rotated by an angle of its own, like the hands of clocks of different speeds:
#
# $$\begin{pmatrix} x'_{2i} \\ x'_{2i+1} \end{pmatrix} =
#   \begin{pmatrix} \cos \phi & -\sin \phi \\ \sin \phi & \cos \phi \end{pmatrix}
#   \begin{pmatrix} x_{2i} \\ x_{2i+1} \end{pmatrix}, \qquad \phi = p \cdot 10000^{-2i/d}$$
#
# with $d$ the number of features, features counted from 0, and $i$ from 0 to $d/2 - 1$.
# Write it for vectors (…, positions, size), whatever axes come before; `first` is the place of the first position, and
# the others follow it.
# An odd number of features cannot be rotated in pairs: raise a `ValueError`.
# Nothing in it is learned, but gradients flow through it to the vectors.
#
# Why it works: rotate a query by $\alpha$ and a key by $\beta$. What does their dot product depend on?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Take one vector of two features and one place, on paper. Then: which numbers change with the place, which with the
# pair?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A table of angles, (positions, size / 2): a column of places times a row of speeds.
# Two tensors of the same shape for the two members of all pairs; slices with a step, or in halves, take them apart.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Make places and speeds with the vectors' dtype and device. Each member of the rotated pair is a sum of two products
# with the cosine and the sine of the table.
# Put the pairs back in the places that they came from: `stack` on a new last axis and `flatten`, or `cat`; which of the
# two depends on where the members were.
# </details>

# %% answer="rotate"
from seq2seq.exercises.self_attention import rotate

# %% check="rotate_visible" points=2
from autograder.tasks.self_attention import check

check("rotate", rotate)

# %% check="rotate_hidden" points=2 hidden=true
# When graded: heads, no axis before the positions, one position, two features, distant places in float64, another
# device, an odd number of features, other sizes.
from autograder.tasks.self_attention import check

check("rotate", rotate, hidden=True)

# %% tags=["demonstration"]
# Before you run this (nothing to write here): query and key are the same at all places of a sentence. Which of the
# products below will be equal, and does a key three places before give the same as one three places behind?
try:
    query, key = torch.randn(2, 1, 16, generator=torch.Generator().manual_seed(8)).expand(2, 8, 16)
    products = rotate(query) @ rotate(key).mT
    for distance in (0, 1, 3, -3):
        diagonal = products.diagonal(distance)[:4].tolist()
        print(f"the key stands {distance:2} places behind:", ", ".join(f"{product:6.3f}" for product in diagonal))
except Exception as error:
    print(f"Four rows of products appear here once the rotation is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: a cache for decoding
#
# A decoder that runs self-attention over all words for every new word computes the same keys and values again and
# again. It is enough to keep them (chapter 14, *Shapes, and a state that grows*):
#
# $$q = W_q x, \qquad K = [K; W_k x], \qquad V = [V; W_v x], \qquad
#   c = \mathrm{softmax}\left(\frac{q K^\top}{\sqrt d}\right) V$$
#
# with $x$ the new word, one row of $K$ and $V$ for each word, and $d$ the size of query and key.
# If all are kept, the memory grows with the text. So at most `window` words are kept, the new one included, and if
# there would be more, the oldest word is dropped (Beltagy et al., 2020; Jiang et al., 2023, *Mistral 7B*).
# `window` is at least 2.
#
# Write `step`. It gets a word, (batch, input_size), and the cache of the words before it, or `None` before the first.
# It returns the pair (context, cache), where a cache is the pair (keys, values), each (batch, words kept, …).
# A beam search goes on from one cache with several words: keep nothing on `self`, and leave a cache that you are given
# as it is.
# No mask is needed: there is no padding here, and the words to come are not there yet.
#
# > **Often believed:** "a cache is an approximation."
# > Without a window it changes no number: under a causal mask the keys and values of earlier words do not depend on
# > later ones.
#
# <details><summary>Hint 1: a nudge</summary>
#
# How many rows of keys does a step compute? What does it do with those of the cache?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Put the new key after the old ones, cut what is too much, then attend as in task 2, with one query.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The new word needs an axis of words, (batch, 1, …), to be put after others by `torch.cat`, which makes a new tensor.
# A slice with a negative lower bound takes the last ones, or all if there are fewer.
# The context has no axis of words.
# </details>

# %% answer="CachedAttention.step"
from seq2seq.exercises.self_attention import CachedAttention

# %% check="cached_attention_visible" points=2
from autograder.tasks.self_attention import check

check("cached_attention", CachedAttention)

# %% check="cached_attention_hidden" points=2 hidden=true
# When graded: one sentence, one word, a window of two words, large scores, other sizes, float64.
from autograder.tasks.self_attention import check

check("cached_attention", CachedAttention, hidden=True)

# %% tags=["demonstration"]
# What it saves (nothing to write here): multiplications for the keys and values of a text of n words, by the formula
# and by the clock.
try:
    from time import perf_counter

    decoder = CachedAttention(64, 64, 64, window=512)
    print("words      all again      cached   seconds cached")
    for count in (10, 100, 400):
        text, cache, start = torch.randn(count, 1, 64), None, perf_counter()
        with torch.no_grad():
            for word in text:
                _, cache = decoder.step(word, cache)
        again, once = (2 * 64 * 64 * rows for rows in (count * (count + 1) // 2, count))
        print(f"{count:5}{again:15,}{once:12,}{perf_counter() - start:17.3f}")
except Exception as error:
    print(f"A small table appears here once the cache is written. ({type(error).__name__})")

# %% [markdown]
# ## To go further (not graded)
#
# 1. PyTorch's fused function takes heads as they come out of `split_heads`.
#    Fill in the cell below: the contexts of attention in each head, by your own code, equal to
#    `F.scaled_dot_product_attention(…, attn_mask=…)`. What polarity does its mask have?
# 2. Shuffle the words of a sentence and call your `SelfAttention` without a causal mask.
#    What happens to the contexts? What has to be added to the embeddings so that order counts?
# 3. Memory: how large is the table of weights for 8 heads and 4096 words, in float32? Which of your lines makes it?

# %% tags=["demonstration"]
asked, offered, given_values = torch.randn(3, 2, 3, 4, 5, generator=torch.Generator().manual_seed(7))
theirs = F.scaled_dot_product_attention(asked, offered, given_values, is_causal=True)
mine = None  # your contexts for the same queries, keys and values
if mine is None:
    print("still to do, if you like")
else:
    print("largest difference:", float((mine - theirs).abs().max()))

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
#     title: The Luong model
#     assignment: 08_luong
#     chapters: [8]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/scorer.py
#       - seq2seq/scorers.py
#       - seq2seq/attention.py
#       - seq2seq/layers/recurrent.py
#       - seq2seq/layers/derivatives.py
#       - seq2seq/layers/precision.py
#       - seq2seq/layers/gru.py
#       - seq2seq/layers/paper_gru.py
#       - seq2seq/device.py
#       - seq2seq/encoders.py
#       - seq2seq/decoders/__init__.py
#       - seq2seq/exercises/toy_steps.py
#       - seq2seq/checkpoints/__init__.py
#       - seq2seq/checkpoints/luong_dates.npz
#       - seq2seq/checkpoints/dates.json
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
# ---

# %% [markdown]
# # The Luong model
#
# You build the other classic attention model of translation: the decoder first updates its state, attends with the
# *new* state, and combines state and context into one vector.
# You remove the loop, add input feeding, which brings the loop back, and then save what work you can in the loop.
# At the end you judge from several runs whether one model is better than another.
# This exercise goes with chapter 8 (*the Luong model*), after Luong et al. (2015).
#
# **Time:** 85 minutes; on the short way task 1 alone, 10 minutes.
# **Points:** 14, two for each of six tasks and two for a question to answer in words.
#
# **When you are done you can**
#
# - write the path $h_t \to \alpha_t \to c_t \to \tilde h_t$, and say which of the four is passed to the next step;
# - compute a whole target without a loop, and say why input feeding forbids it;
# - feed $\tilde h_{t-1}$ beside the word without losing the state, and run that over a target;
# - leave finished sentences, and everything that belongs to them, out of a step;
# - say from the runs of several seeds which models can be told apart.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# A wrong task does not cost you the next: no task uses what you wrote in another.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# Throughout, the batch axis comes first, and `source_mask` is true for real words.

# %% given="setup"
import json
from itertools import combinations, pairwise, permutations
from time import perf_counter

import torch
from IPython.display import display
from torch import Tensor, nn

from seq2seq import checkpoints
from seq2seq.attention import attend, masked_softmax
from seq2seq.exercises.toy_steps import FeedingToyStep
from seq2seq.encoders import Encoder
from seq2seq.plots import alignment_plot
from seq2seq.scorers import BilinearScorer

date, iso = "the 5th of March, 2019", "2019-03-05"  # what the trained model reads, and what it writes


def trained(part):
    """The trained parameters of one part of a model that turns dates into ISO 8601, character by character."""
    weights = checkpoints.load("luong_dates")
    return {name.removeprefix(f"{part}."): value for name, value in weights.items() if name.startswith(f"{part}.")}


def ids(text, side):
    """The ids of the characters, as a batch of one sentence; 0 to 3 stand for padding, begin, end and unknown."""
    characters = json.loads((checkpoints.DIRECTORY / "dates.json").read_text())[side]
    return torch.tensor([[4 + characters.index(character) for character in text]])


def feeding_toy_step(*sizes):
    """A decoder step to try a loop on: called like the real one, but simpler."""
    return FeedingToyStep(*sizes)


def read(text):
    """The trained encoder's states of the text, and the decoder's first state."""
    vocab_size, embedding_size = trained("encoder.embedding")["weight"].shape
    encoder = Encoder(vocab_size, embedding_size, trained("encoder.forward_rnn")["weight_hh_l0"].size(1))
    encoder.load_state_dict(trained("encoder"))
    bridge = trained("decoder.bridge.hidden_layer")
    with torch.no_grad():
        states, final = encoder(ids(text, "source"), torch.tensor([len(text)]))
        return states, torch.tanh(nn.functional.linear(final, bridge["weight"], bridge["bias"]))


# %% [markdown]
# ## Warm-up: one step by hand
#
# The decoder state is $h_t = (1, 0)$. There are two encoder states, $\bar h_1 = (\ln 3, 2)$ and $\bar h_2 = (0, 6)$,
# and the score is the dot product.
#
# 1. What are the two scores, and the two weights?
# 2. What is the context $c_t$? (Take $\ln 3 \approx 1.1$.)
# 3. $W_c$ has 2 rows. How many columns does it have?
# 4. With input feeding, and embeddings of 3 numbers: how many numbers enter the cell at each step, besides $h_{t-1}$?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
weights_by_hand = [None, None]
context_by_hand = [None, None]
columns = [None]
numbers_into_the_cell = [None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.02 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet'}")


compare("weights", weights_by_hand, [0.75, 0.25])
compare("context", context_by_hand, [0.82, 3.0])
compare("columns of W_c", columns, [4])
compare("numbers into the cell", numbers_into_the_cell, [5])

# %% [markdown]
# ## Task 1: one step
#
# The step (chapter 8, the global model; section 3.1 of the paper): first update the state, then attend.
#
# $$h_t = \mathrm{GRU}(E y_{t-1}, h_{t-1}), \qquad \alpha_t = \mathrm{softmax}(\mathrm{score}(h_t, \bar h)), \qquad
#   c_t = \sum_s \alpha_{ts} \bar h_s, \qquad \tilde h_t = \tanh(W_c [c_t; h_t])$$
#
# You are given `attend(scores, values, source_mask)`, which returns `(context, weights)`, and in `__init__` the cell,
# the scorer and $W_c$.
# The caller has projected the keys; `self.scorer.score(query, projected_keys)` does the rest.
# Return the triple `(attentional, weights, state)`: the state is $h_t$, which goes to the next step unchanged.
#
# > **Often believed:** "attention adds no parameters."
# > The dot score adds none; $W_c$ adds some whatever the score, trained together with everything else.
#
# > **Often believed:** "Luong attention *is* the dot score."
# > The score is one choice, here the bilinear one.
# > What makes this the Luong model is the wiring: $h_t$ is the query, *after* the cell, and only then does the context
# > enter.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Put the four equations in order. Each needs the one before it; which of the inputs does the cell take?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# After the first line the old state is no longer needed: the new one is the query, enters $W_c$, and is returned.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `self.cell(input, state)`; then the new state's scores; then `attend`; then, for $\tilde h_t$, both vectors side by
# side along the last axis, `self.attentional_layer`, and what public code is known to have forgotten.
# Look at the order in which the stub's docstring names the results.
# </details>

# %% answer="LuongStep.forward"
from seq2seq.exercises.luong import LuongStep

# %% check="luong_step_visible" points=1
from autograder.tasks.luong import check

check("luong_step", LuongStep)

# %% check="luong_step_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, sentences of one word, mostly padding, very large scores, float64, gradients.
from autograder.tasks.luong import check

check("luong_step", LuongStep, hidden=True)

# %% tags=["demonstration"]
# Your step with trained parameters (nothing to write here): before it writes the first digit, where does it look?
try:
    states, first = read(date)
    embedding, size = trained("decoder.embedding")["weight"], first.size(1)
    words = embedding[torch.cat([torch.tensor([[1]]), ids(iso, "target")], dim=1)]  # BOS, then the date
    real = torch.ones(1, len(date), dtype=torch.bool)
    step = LuongStep(words.size(2), size, states.size(2))
    step.cell.load_state_dict({name.removesuffix("_l0"): value for name, value in trained("decoder.rnn").items()})
    step.scorer.load_state_dict(trained("decoder.attention.scorer"))
    step.attentional_layer.load_state_dict(trained("decoder.attentional_layer"))
    with torch.no_grad():
        _, weights, _ = step(words[:, 0], first, step.project_keys(states), states, real)
    display(alignment_plot(weights, list(date), [iso[0]]))
except Exception as error:
    print(f"A row of weights appears here once the step is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: the whole target at once
#
# *Without* input feeding no state depends on a context.
# So a teacher-forced target needs no loop (chapter 8, the fused path):
#
# $$H = \mathrm{GRU}(E y_0, \ldots, E y_{T-1}), \qquad A = \mathrm{softmax}(H (W_a \bar H)^\top), \qquad C = A \bar H,
#   \qquad \tilde H = \tanh(W_c [C; H])$$
#
# The result equals the loop over task 1, number for number.
# You are given `masked_softmax(scores, source_mask)`, which takes a mask that broadcasts to the scores.
# `self.rnn` is an `nn.GRU`, which processes a whole target in one call; the check counts operations, and their number
# may not grow with the target. It takes the first state as (1, batch, hidden_size), returning all states and the last.
# Here it is up to you to project the keys: `self.scorer.project_keys(values)`.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Write the shape of each of $H$, $W_a \bar H$, $A$ and $C$, with the axes batch, target_len, source_len and size.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Both products are batched matrix products, and the softmax runs over the source words: one row for each target word.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `@` multiplies the last two axes and leaves the batch alone; `.mT` swaps the last two.
# The mask has shape (batch, source_len), the scores (batch, target_len, source_len): where does the mask need an axis
# of size 1?
# </details>

# %% answer="LuongUnroll.forward"
from seq2seq.exercises.luong import LuongUnroll

# %% check="luong_unroll_visible" points=1
from autograder.tasks.luong import check

check("luong_unroll", LuongUnroll)

# %% check="luong_unroll_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, a target of one word, a long one, targets as long as sources, mostly padding,
# very large scores, float64, gradients.
from autograder.tasks.luong import check

check("luong_unroll", LuongUnroll, hidden=True)

# %% tags=["demonstration"]
# With trained parameters (nothing to write here): what it would write, where it looks, and what the loop costs.
try:
    whole = LuongUnroll(words.size(2), size, states.size(2))
    whole.rnn.load_state_dict(trained("decoder.rnn"), strict=False)
    whole.scorer.load_state_dict(trained("decoder.attention.scorer"))
    whole.attentional_layer.load_state_dict(trained("decoder.attentional_layer"))

    def by_loop():
        state, keys, looped = first, step.project_keys(states), []
        for word in words.unbind(1):
            attentional, _, state = step(word, state, keys, states, real)
            looped.append(attentional)
        return torch.stack(looped, 1)

    with torch.no_grad():
        attentionals, weights = whole(words, first, states, real)
        apart = float((by_loop() - attentionals).abs().max())
        times = []
        for run in (lambda: whole(words, first, states, real), by_loop):
            clock = [perf_counter() for _ in range(11) if run() is not None]
            times.append(1000 * min(after - before for before, after in pairwise(clock)))
        logits = nn.functional.linear(attentionals, *trained("decoder.output_layer").values())
    digits = json.loads((checkpoints.DIRECTORY / "dates.json").read_text())["target"]
    best = logits[0].argmax(-1).tolist()
    print("after each true character it says:", "".join(digits[place - 4] if place > 3 else "." for place in best))
    print(f"largest difference to the loop: {apart:.1e}")
    print(f"at once {times[0]:.2f} ms, by loop {times[1]:.2f} ms")
    display(alignment_plot(weights[0], list(date), [*iso, "end"]))
except Exception as error:
    print(f"A date and a table of weights appear here once tasks 1 and 2 are written. ({type(error).__name__})")

# %% [markdown]
# The parameters were trained for exactly the wiring of the book; with any other one the date comes out garbled.
#
# ## Task 3: one step with input feeding
#
# In task 1 no step knows where the previous step looked: the context never enters the cell.
# Input feeding (chapter 8, input feeding; section 3.3 of the paper) puts the last attentional state beside the word:
#
# $$h_t = \mathrm{GRU}([E y_{t-1}; \tilde h_{t-1}], h_{t-1})$$
#
# The rest is as in chapter 8, with $[c_t; h_t]$ in this order; write it out here once more.
# `fed` is $\tilde h_{t-1}$. Return the triple `(attentional, weights, state)` again.
#
# > **Often believed:** "the attention vector replaces the hidden state", or "replaces the input word".
# > $\tilde h_{t-1}$ is put *beside* the word, and $h_{t-1}$ is kept: three vectors enter the cell, two of them side by
# > side.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Only the cell's line differs from task 1.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The cell's input has grown by `hidden_size` numbers. Which two vectors together have exactly that many?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The comment in `__init__` gives the order. The second argument of the cell is still the state, not what is fed.
# </details>

# %% answer="InputFeedingStep.forward"
from seq2seq.exercises.luong import InputFeedingStep

# %% check="input_feeding_step_visible" points=1
from autograder.tasks.luong import check

check("input_feeding_step", InputFeedingStep)

# %% check="input_feeding_step_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, sentences of one word, mostly padding, very large scores, float64, gradients.
from autograder.tasks.luong import check

check("input_feeding_step", InputFeedingStep, hidden=True)

# %% tags=["demonstration"]
# A step that knows where the last one looked (nothing to write here): feed it other numbers, and the weights change.
try:
    torch.manual_seed(3)
    feeding = InputFeedingStep(3, 4, 6)
    sentence, everything = torch.randn(1, 5, 6), torch.ones(1, 5, dtype=torch.bool)
    word, before, keys = torch.randn(1, 3), torch.randn(1, 4), feeding.project_keys(sentence)
    with torch.no_grad():
        for name, fed in (("zeros", torch.zeros(1, 4)), ("ones", torch.ones(1, 4)), ("minus ones", -torch.ones(1, 4))):
            row = feeding(word, fed, before, keys, sentence, everything)[1][0]
            print(f"fed {name:10}", "  ".join(f"{weight:.2f}" for weight in row))
except Exception as error:
    print(f"Three rows of weights appear here once the step is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: the loop with input feeding
#
# Teacher-forced, over a whole target (chapter 8, input feeding):
#
# $$\tilde h_t, \alpha_t, h_t = \mathrm{step}(E y_{t-1}, \tilde h_{t-1}, h_{t-1}, \bar h), \qquad \tilde h_0 = 0$$
#
# `step` is called as in task 3: `step(word, fed, state, projected_keys, values, source_mask)` returns the triple.
# The check passes in a step simpler than yours, so that task 3 does not matter here.
# Two things are passed from step to step. Before the first step there is no attentional state: zeros stand in for it.
# `step.project_keys(values)` runs once, before the first step.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the three results of a step does the next step need, and under which names?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Two variables are overwritten at each step; two lists grow.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# $\tilde h_0$ has the shape of the state: `torch.zeros_like`.
# Make it once, before the loop: public code has had the bug of making a new one inside.
# </details>

# %% answer="unroll_feeding"
from seq2seq.exercises.luong import unroll_feeding

# %% check="unroll_feeding_visible" points=1
from autograder.tasks.luong import check

check("unroll_feeding", unroll_feeding, feeding_toy_step)

# %% check="unroll_feeding_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, a target of one word, a long one, mostly padding, float64, gradients.
from autograder.tasks.luong import check

check("unroll_feeding", unroll_feeding, feeding_toy_step, hidden=True)

# %% tags=["demonstration"]
# How far a change reaches (nothing to write here): change the first word, and see how far each attentional state moves.
try:
    torch.manual_seed(4)
    loop_step, sentence = feeding_toy_step(3, 4, 6), torch.randn(1, 5, 6)
    embedded = torch.randn(1, 6, 3)
    other = embedded.clone()
    other[:, 0] += 1
    with torch.no_grad():
        pair = [
            unroll_feeding(loop_step, words, torch.zeros(1, 4), sentence, torch.ones(1, 5) > 0)[0]
            for words in (embedded, other)
        ]
    print("moved by:", "  ".join(f"{value:.3f}" for value in (pair[0] - pair[1])[0].norm(dim=-1)))
except Exception as error:
    print(f"Six numbers appear here once the loop is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: no step for the finished
#
# The targets of a batch differ in length. The loop of task 4 computes every sentence up to the end of the longest, and
# whatever it computes after the end of a shorter one is thrown away.
# Write the loop so that each step runs only for the sentences whose target still has a word:
#
# - `target_lengths` (batch,) says how many words each target has; the sentences may be in any order;
# - after the end of a target, attentional states and weights are 0;
# - `step` is called as in task 4, with fewer rows (never 0); it counts them, and the loop needs one row for each word;
# - `step.project_keys(values)` runs once.
#
# Otherwise everything is as in task 4; here $\tilde h_0 = 0$.
#
# > **Often believed:** "a finished sentence does no harm: its words are masked in the loss."
# > It does no harm, but it costs as much as the others. Where lengths vary, that can be half of the work.
#
# <details><summary>Hint 1: a nudge</summary>
#
# At step $t$, which rows of the batch take part? And which of the step's six arguments have rows?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Sentences leave, and none comes back. Keep a list of the remaining rows, and as it shrinks, cut everything to match.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `rows = torch.arange(batch)`; at each step a comparison of `target_lengths[rows]` with $t$ says which of them go on.
# Results are written into tensors of zeros, `result[rows, t] = …`; the number of steps is the longest target.
# </details>

# %% answer="unroll_unfinished"
from seq2seq.exercises.luong import unroll_unfinished

# %% check="unroll_unfinished_visible" points=1
from autograder.tasks.luong import check

check("unroll_unfinished", unroll_unfinished, feeding_toy_step)

# %% check="unroll_unfinished_hidden" points=1 hidden=true
# When graded: targets of one word, long ones, targets that end together, rows longer than any target, one sentence,
# float64, gradients.
from autograder.tasks.luong import check

check("unroll_unfinished", unroll_unfinished, feeding_toy_step, hidden=True)

# %% tags=["demonstration"]
# What it saves (nothing to write here): the number of rows computed for 64 targets of 1 to 40 words.
try:
    draw = torch.Generator().manual_seed(6)
    counted, lengths = feeding_toy_step(3, 4, 6), torch.randint(1, 41, (64,), generator=draw)
    batch = torch.randn(64, 40, 3), torch.zeros(64, 4), torch.randn(64, 5, 6), torch.ones(64, 5) > 0
    with torch.no_grad():
        unroll_unfinished(counted, *batch, lengths)
    print(f"rows computed: {int(counted.rows)}, with all sentences to the end: {64 * int(lengths.max())}")
except Exception as error:
    print(f"Two numbers appear here once the loop is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 6: better, or better luck?
#
# Two models were trained with a few seeds each, and one has the higher mean (chapter 8, the ablation).
# Seeds differ too. If the models were alike, how often would chance alone put them so far apart?
#
# If they were alike, every way of dividing the pooled scores between the two, each getting as many as it has runs,
# would be as likely as the observed one. So count: the *chance* is the share of these ways in which the mean of the
# first is at least as far above the mean of the second as observed. The observed way is one of them.
# (This is an exact permutation test; Fisher, 1935.)
#
# `runs` has the scores of each model, by name; higher is better, and models may differ in the number of runs.
# Return the list of all pairs of names `(better, worse)` whose chance is at most `level`, in the order of the names in
# `runs`: first all pairs that begin with the first name. At a high level, a pair may appear both ways round.
#
# Before you write it: with three runs each, what is the smallest possible chance?
#
# <details><summary>Hint 1: a nudge</summary>
#
# With three scores each: which of the six go to the first model? In how many ways?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The total of all six scores stays the same. So the larger the sum of those that go to the first, the larger the
# difference of the means: comparing sums is enough.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `combinations(scores, count)` lists the ways to choose, counting equal scores as different; `permutations(names, 2)`
# lists the ordered pairs in the required order. Both have been imported.
# </details>

# %% answer="told_apart"
from seq2seq.exercises.luong import told_apart

# %% check="told_apart_visible" points=1
from autograder.tasks.luong import check

check("told_apart", told_apart)

# %% check="told_apart_hidden" points=1 hidden=true
# When graded: other runs, unequal numbers of runs, ties, an outlier, a chance exactly at the level or just above, a
# single model.
from autograder.tasks.luong import check

check("told_apart", told_apart, hidden=True)

# %% tags=["demonstration"]
# Possible runs of four models (nothing to write here): which pairs are in the list, and which are not?
try:
    scores = {"dot": [31, 78, 80], "dot, fed": [79, 81, 82], "bilinear": [80, 81, 83], "one way": [52, 55, 49]}
    for level in (0.05, 0.1):
        print(f"at most {level}:", "; ".join(f"{better} > {worse}" for better, worse in told_apart(scores, level)))
except Exception as error:
    print(f"Two lists appear here once the test is written. ({type(error).__name__})")

# %% [markdown]
# ## A question to answer in words
#
# Someone wants input feeding *and* the speed of task 2, and asks you to remove the loop from task 4.
# Why is that impossible, and which parts of task 4 can still be computed before or after the loop?

# %% [markdown] question="why_feeding_needs_a_loop" points=2
# **Model answer.**
# With input feeding $h_t$ needs $\tilde h_{t-1}$, which needs $c_{t-1}$, which needs the weights of step $t-1$, which
# need $h_{t-1}$: each step waits for the attention of the one before it.
# Without feeding, $h_t$ needs only the words and $h_{t-1}$, so that attention can wait until all states are there.
# Some parts can stay outside the loop: the projection of the keys and the words' part of the cell's input before it,
# and the output layer (the logits) after it.
#
# **Rubric.**
# 1 point: the cell's input at step $t$ depends on the attention of step $t-1$, so the steps must run one after another.
# 1 point: at least one thing is named that can stay outside: projected keys, embeddings or the words' part of the
# cell's input, the output layer.

# %% [markdown]
# ## To go further (not graded)
#
# 1. Replace the bilinear scorer by the dot scorer in `LuongUnroll`. What must hold for the sizes?
# 2. Bahdanau's wiring with the bilinear score, or Luong's with the additive score: both exist. Which of your classes
#    here changes for the second, and in which line? What does the fused path then need from the scorer?
# 3. Look at the picture of task 2. The first row writes the 2 of the year and looks at the 0 beside it: how can the
#    model know the 2 from there? What does an encoder state know besides its own character?

# %% tags=["demonstration"]
additive = None  # your weights for the same date with an additive scorer, untrained
print("still to do, if you like" if additive is None else additive.shape)

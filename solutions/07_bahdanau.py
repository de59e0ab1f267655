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
#     title: The Bahdanau model
#     assignment: 07_bahdanau
#     chapters: [7]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/scorer.py
#       - seq2seq/scorers.py
#       - seq2seq/attention.py
#       - seq2seq/decoders/__init__.py
#       - seq2seq/exercises/toy_steps.py
#       - seq2seq/checkpoints/__init__.py
#       - seq2seq/checkpoints/bahdanau_dates.npz
#       - seq2seq/checkpoints/dates.json
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
# ---

# %% [markdown]
# # The Bahdanau model
#
# You build the first attention model of translation from its parts: a bidirectional encoder, one step that attends
# before it updates the state, the readout, and a decoder that puts given parts together.
# You load trained parameters into your own parts and see where they look.
# At the end you find out by experiment how steps are wired whose code you cannot see.
# This exercise goes with chapter 7 (*the Bahdanau model*), after Bahdanau et al. (2015).
#
# **Time:** 95 minutes. **Points:** 16: two for each of tasks 1 to 4, three each for tasks 5 and 6, and two for
# a question to answer in words.
#
# **When you are done you can**
#
# - reverse each sentence of a padded batch within its own length, and say where each direction ends;
# - write a step that attends with the state *before* the step, and feeds word *and* context to the cell;
# - write the maxout readout;
# - put a decoder together, with nothing in the loop that could be outside it;
# - tell by experiment how a step is wired, whatever its name.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# A wrong task does not cost you the next: no task uses what you wrote in another.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# Throughout, the batch axis comes first, and `source_mask` is true for real words.
# The equations count words from 1, Python from 0: word 1 has the index 0.

# %% given="setup"
import json

import torch
from IPython.display import display
from torch import Tensor, nn

from seq2seq import checkpoints
from seq2seq.attention import attend
from seq2seq.exercises.toy_steps import ToyReadout, ToyStep, SpecimenStep
from seq2seq.plots import alignment_plot
from seq2seq.scorers import AdditiveScorer

date, iso = "the 5th of March, 2019", "2019-03-05"  # what the trained model reads, and what it writes


def trained(part):
    """The trained parameters of one part of a model that turns dates into ISO 8601, character by character."""
    weights = checkpoints.load("bahdanau_dates")
    return {name.removeprefix(f"{part}."): value for name, value in weights.items() if name.startswith(f"{part}.")}


def toy_step(*sizes):
    """A decoder step to try a loop on: called like the real one, but simpler."""
    return ToyStep(*sizes)


def toy_readout(*sizes):
    """A readout to try a decoder on: called like the real one, but simpler."""
    return ToyReadout(*sizes)


def specimen_step(*sizes_and_wiring):
    """A decoder step whose wiring you have to find out."""
    return SpecimenStep(*sizes_and_wiring)


def ids(text, side):
    """The ids of the characters, as a batch of one sentence; 0 to 3 stand for padding, begin, end and unknown."""
    characters = json.loads((checkpoints.DIRECTORY / "dates.json").read_text())[side]
    return torch.tensor([[4 + characters.index(character) for character in text]])


# %% [markdown]
# ## Warm-up: two directions by hand
#
# A batch contains the sentences *a b c d* and *e f*, padded to four positions: `a b c d` and `e f – –`.
#
# 1. The backward network should read the words of sentence 2 from last to first, and then its padding.
#    At which index does it read *e*?
# 2. At which index is the *forward* state that has read all of sentence 2?
# 3. Encoder states have 2 × 4 numbers, the words' embeddings 3. How many numbers enter the decoder's cell at each
#    step, besides its own state?
# 4. A readout is $\tilde t = (1, 4, -2, -5)$. What is left of it after the maximum of each pair of neighbours?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
index_of_e = None
index_of_forward_state = None
numbers_into_the_cell = None
maxima = [None, None]


def compare(name, mine, right):
    if mine is None or mine == [None, None]:
        print(f"{name}: still to do")
    else:
        print(f"{name}: {'right' if mine == right else 'not yet'}")


compare("index of e for the backward reader", index_of_e, 1)
compare("index of the last forward state of sentence 2", index_of_forward_state, 1)
compare("numbers into the cell", numbers_into_the_cell, 11)
compare("maxima", maxima, [4, -2])

# %% [markdown]
# ## Task 1: backwards within the length
#
# The encoder's backward network (chapter 7, the encoder; equation 7 of the paper) starts at the *last* word:
#
# $$\overleftarrow h_j = \mathrm{RNN}(E x_j, \overleftarrow h_{j+1})$$
#
# A recurrent layer in PyTorch reads from index 0 on, so the sentences are reversed before it reads them.
# In a batch they differ in length: each is reversed within its own length, and its padding stays where it is, after the
# words: *a b c – –* becomes *c b a – –*.
# The same function puts the resulting states back into the order of the words.
#
# > **Often believed:** "`flip` reverses a sentence."
# > It reverses the *row*: the padding moves to the front, and the backward network has to wade through it before it
# > reads a word.
#
# <details><summary>Hint 1: a nudge</summary>
#
# For one sentence of length $n$: from which index does the word at index 0 come, and the word at index $p$?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Build a table of indices, (batch, source_len), which says for each position of the result where its word comes from.
# At padding it is that position itself.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `lengths.unsqueeze(1)` and `torch.arange(…)` give the table; where a mirrored index falls below 0,
# `torch.where` takes the position itself.
# `gather` along axis 1 fetches the words, and needs the table once for each feature: `unsqueeze(-1)` and `expand_as`.
# </details>

# %% answer="reverse_within_length"
from seq2seq.encoders import reverse_within_length

# %% check="reverse_within_length_visible" points=1
from autograder.tasks.bahdanau import check

check("reverse_within_length", reverse_within_length)

# %% check="reverse_within_length_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, sentences of one word, padding after every sentence, float64, gradients.
from autograder.tasks.bahdanau import check

check("reverse_within_length", reverse_within_length, hidden=True)

# %% tags=["demonstration"]
# Two sentences (nothing to write here): as they are, as flip reverses them, and as you do.
try:
    places = torch.tensor([[0, 1, 2, 3], [4, 5, 6, 6]])
    turned = reverse_within_length(places.unsqueeze(-1).float(), torch.tensor([4, 2])).squeeze(-1).long()
    for name, rows in (("as they are", places), ("flip", places.flip(1)), ("yours", turned)):
        print(f"{name:12}", "   ".join(" ".join("abcdef–"[place] for place in row) for row in rows.tolist()))
except Exception as error:
    print(f"Two sentences appear here once the reversal is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: both directions, joined
#
# Each word gets one state made from both directions (equation 7 of the paper), and padding gets 0:
# $h_j = [\overrightarrow h_j; \overleftarrow h_j]$.
# The decoder also needs the state of each direction at its *end*, when it has read the whole sentence:
#
# $$\mathrm{final} = [\overrightarrow h_T; \overleftarrow h_1]$$
#
# $T$ is the number of words of that sentence.
# The backward states arrive in the order of the words: index 0 belongs to word 1.
#
# > **Often believed:** "the last state is at index −1."
# > For the forward direction, index −1 of a shorter sentence is padding.
# > For the backward direction it is the *first* word read, not the last, even without padding.
# > Public code takes it from there again and again, and still trains.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Draw both directions as arrows over the sentence *e f – –*. Where does each arrow end?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# One of the two ends is at the same index in every sentence; the other depends on the sentence's length.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# A tensor indexed by two lists, `states[rows, positions]`, gives one vector for each pair of row and position.
# The mask compares `torch.arange(…)` with the lengths; it needs one more axis before it multiplies the states.
# </details>

# %% answer="join_directions"
from seq2seq.encoders import join_directions

# %% check="join_directions_visible" points=1
from autograder.tasks.bahdanau import check

check("join_directions", join_directions)

# %% check="join_directions_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, sentences of one word, padding after every sentence, float64, gradients.
from autograder.tasks.bahdanau import check

check("join_directions", join_directions, hidden=True)

# %% tags=["demonstration"]
# The trained encoder, built from your two functions (nothing to write here): more padding changes nothing.
try:

    def read(source, length):
        embedding, readers = trained("encoder.embedding")["weight"], []
        for name in ("encoder.forward_rnn", "encoder.backward_rnn"):
            readers.append(nn.GRU(embedding.size(1), trained(name)["weight_hh_l0"].size(1), batch_first=True))
            readers[-1].load_state_dict(trained(name))
        words, lengths = embedding[source], torch.tensor([length])
        with torch.no_grad():
            ahead, _ = readers[0](words)
            back, _ = readers[1](reverse_within_length(words, lengths))
            return join_directions(ahead, reverse_within_length(back, lengths), lengths)

    source = ids(date, "source")
    states, final = read(source, len(date))
    longer = torch.nn.functional.pad(source, (0, 6))
    print("states:", tuple(states.shape), " final:", tuple(final.shape))
    print("final states moved by six places of padding:", float((read(longer, len(date))[1] - final).abs().max()))
except Exception as error:
    print(f"Two shapes and a zero appear here once both functions are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: one step of the decoder
#
# The step (chapter 7, the decoder; equations 4 to 6 of the paper): first attend, then update the state.
#
# $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j$$
# $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})$$
#
# You are given `attend(scores, values, source_mask)`, which returns `(context, weights)`, and in `__init__` the scorer
# and the cell.
# The caller has projected the keys; `self.scorer.score(query, projected_keys)` does the rest.
# Return the triple `(state, context, weights)`, with the *new* state.
#
# > **Often believed:** "the attention vector replaces the hidden state", or "replaces the input word".
# > Word, context and previous state all enter the cell. Leave one out, and the model still trains, only worse.
#
# > **Often believed:** "Bahdanau attention *is* the additive score."
# > The score is one choice; what makes this the Bahdanau model is the wiring that you write here:
# > $s_{i-1}$ is the query, and the context enters the cell.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the two states exists when attention needs its query?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Three lines: scores; context and weights; the new state.
# The cell takes one vector for each sentence, made of two.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.cat` joins word and context along the last axis, in the order given by the comment in `__init__`.
# `self.cell(input, state)` takes the state as its second argument; without it, it starts from zeros.
# </details>

# %% answer="BahdanauStep.forward"
from seq2seq.exercises.bahdanau import BahdanauStep

# %% check="bahdanau_step_visible" points=1
from autograder.tasks.bahdanau import check

check("bahdanau_step", BahdanauStep)

# %% check="bahdanau_step_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, sentences of one word, mostly padding, scores far from 0, float64, gradients.
from autograder.tasks.bahdanau import check

check("bahdanau_step", BahdanauStep, hidden=True)

# %% tags=["demonstration"]
# What does the previous word change (nothing to write here)? Your step is given a different one.
try:
    torch.manual_seed(2)
    step, sentence, everything = BahdanauStep(3, 4, 6, 5), torch.randn(1, 5, 6), torch.ones(1, 5, dtype=torch.bool)
    before, previous, other = torch.randn(1, 4), torch.randn(1, 3), torch.randn(1, 3)
    with torch.no_grad():
        pair = [step(word, before, step.project_keys(sentence), sentence, everything) for word in (previous, other)]
    for name, first, second in zip(("new state", "context", "weights"), *pair, strict=True):
        print(f"{name:10} moves by {float((first - second).abs().max()):.2f}")
except Exception as error:
    print(f"Three numbers appear here once the step is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: the maxout readout
#
# Between the state and the words is a deep output with one maxout layer (chapter 7, the readout; appendix A.2.2):
#
# $$\tilde t_i = U_o s_i + V_o E y_{i-1} + C_o c_i, \qquad
#   t_i = \left[\max(\tilde t_{i,2j-1}, \tilde t_{i,2j})\right]_{j=1}^{l}$$
#
# The three matrices are side by side in one layer, $[U_o, V_o, C_o]$, so that $\tilde t_i$ is that layer applied to
# $[s_i; E y_{i-1}; c_i]$.
# A pair consists of two *neighbours*. `readout_size` is $l$, and the layer gives $2l$ numbers.
# The leading axes may be (batch,), or (batch, target_len) when the readouts of a whole target are computed at once.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Six numbers are in a row. How would you lay them out so that each pair of neighbours is on a line of its own?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Split the last axis into two: $l$ pairs, of two numbers each. Then take a maximum, over which of the two?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `unflatten` splits an axis; `amax` and `amin` take the largest and the smallest along an axis that you name.
# The order of the three parts is the order of the three matrices.
# </details>

# %% answer="MaxoutReadout.forward"
from seq2seq.decoders.readout import MaxoutReadout

# %% check="maxout_readout_visible" points=1
from autograder.tasks.bahdanau import check

check("maxout_readout", MaxoutReadout)

# %% check="maxout_readout_hidden" points=1 hidden=true
# When graded: all steps of a target at once, other sizes, one sentence, a readout of size 1, float64, gradients.
from autograder.tasks.bahdanau import check

check("maxout_readout", MaxoutReadout, hidden=True)

# %% tags=["demonstration"]
# The maximum of two straight lines (nothing to write here): a kink that is learnt, whereas a ReLU's is fixed at 0.
try:
    readout = MaxoutReadout(1, 1, 1, 1)
    with torch.no_grad():
        readout.layer.weight.copy_(torch.tensor([[1.0, 0, 0], [-0.5, 0, 0]]))
        readout.layer.bias.copy_(torch.tensor([0.0, 1.5]))
        along = torch.arange(-3.0, 4.0).unsqueeze(1)
        still = torch.zeros_like(along)
        for name, row in (("readout", readout(along, still, still)), ("state  ", along)):
            print(name, "  ".join(f"{value:4.1f}" for value in row[:, 0]))
except Exception as error:
    print(f"Two rows of numbers appear here once the readout is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: the whole decoder, teacher-forced
#
# In training the previous words are the true ones, so the whole target is known in advance.
# From the encoder's final states to the logits of every word (chapter 7, the first state and the unrolled decoder):
#
# $$s_0 = \tanh(W_s \overleftarrow h_1), \qquad s_i, c_i, \alpha_i = \mathrm{step}(E y_{i-1}, s_{i-1}, h), \qquad
#   \mathrm{logits}_i = W_o\, t(s_i, E y_{i-1}, c_i)$$
#
# `embedded` holds all previous words, (batch, target_len, embedding_size), BOS first.
# `final` has two halves of equal size: the final state of the forward direction, then that of the backward direction.
# `step` and `readout` are passed in: `step(word, state, projected_keys, values, source_mask)` returns the triple of
# task 3, `readout(state, word, context)` is $t$, for one step or for a whole target.
# The check passes in simpler ones than yours, so that tasks 3 and 4 do not matter here.
# `__init__` creates $W_s$ and $W_o$; leave it as it is.
#
# Only what depends on the step before belongs in the loop.
# The keys do not change from step to step: `step.project_keys` runs once, before the first.
# No step depends on a readout: it runs once, after the last step. The check counts the runs of both.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which half of `final` does the equation use? What does a step need from the step before?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Overwrite `state` with the step's result, and keep all three results of each step.
# After the loop stack each kind into one tensor, with the axis of the steps after that of the batch.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `embedded.unbind(1)` gives the words one after the other; `zip(*triples)` turns a list of triples into three lists.
# The readout takes the three whole tensors at once; the output layer takes what it returns.
# </details>

# %% answer="ForcedDecoder.forward"
from seq2seq.exercises.bahdanau import ForcedDecoder

# %% check="forced_decoder_visible" points=1
from autograder.tasks.bahdanau import check

check("forced_decoder", ForcedDecoder, toy_step, toy_readout)

# %% check="forced_decoder_hidden" points=2 hidden=true
# When graded: other sizes, one sentence, sentences and targets of one word, a long target, mostly padding, float64,
# gradients.
from autograder.tasks.bahdanau import check

check("forced_decoder", ForcedDecoder, toy_step, toy_readout, hidden=True)

# %% tags=["demonstration"]
# The whole model, built from your five parts (nothing to write here): what it would write, and where it looks.
try:
    weights, size = trained("decoder"), states.size(2)
    step = BahdanauStep(
        weights["embedding.weight"].size(1), size, size, len(weights["attention.scorer.key_layer.weight"])
    )
    step.scorer.load_state_dict(trained("decoder.attention.scorer"))
    step.cell.load_state_dict(trained("decoder.cell"))
    readout = MaxoutReadout(size, weights["embedding.weight"].size(1), size, size // 2)
    readout.load_state_dict(trained("decoder.readout"))
    model = ForcedDecoder(size, size, size // 2, len(weights["embedding.weight"]))
    model.first_layer.load_state_dict(trained("decoder.bridge.hidden_layer"))
    model.output_layer.load_state_dict(trained("decoder.output_layer"))
    words = weights["embedding.weight"][torch.cat([torch.tensor([[1]]), ids(iso, "target")], dim=1)]  # BOS, the date
    with torch.no_grad():
        real = torch.ones(1, len(date), dtype=torch.bool)
        logits, table = model(step, readout, words, final, states, real)
    digits = json.loads((checkpoints.DIRECTORY / "dates.json").read_text())["target"]
    best = logits[0].argmax(-1).tolist()
    print("after each true character it says:", "".join(digits[place - 4] if place > 3 else "." for place in best))
    display(alignment_plot(table[0], list(date), [*iso, "end"]))
except Exception as error:
    print(f"A date and a table of weights appear here once tasks 1 to 5 are written. ({type(error).__name__})")

# %% [markdown]
# > **Often believed:** "attention picks the word that it translates."
# > Look at the rows of the year: each digit has its own position in the source. Look at the month: a whole name gives
# > two digits, and the weights spread over the letters that tell one month from another.
#
# The parameters were trained for exactly the wiring of the book; with any other one the date comes out garbled.
#
# ## Task 6: how is this step wired?
#
# Much code named after this paper is wired differently, and neither the shapes nor the loss say so.
# You get a decoder step whose code you cannot see, called as in task 3, and inputs with which to try it.
# Change one thing at a time, see what else changes, and return a dictionary of seven answers, True or False:
#
# - `"state asks"` and `"word asks"`: with another state, or another word, the weights are different;
# - `"state enters"` and `"word enters"`: it goes into the cell, so that the new state depends on it even when weights
#   and context stay the same;
# - `"context enters"`: the new state depends on the context;
# - `"padding counts"`: the values at the padding, which may be 0 as they come, affect the weights;
# - `"context is the weighted sum"`: the context is the sum of the values, weighted by the weights returned.
#
# Always project the keys from the values that the step gets, by `step.project_keys(values)`.
# You may shorten a sentence if you shorten the mask with it; the first word of each is real.
# Tensors that agree up to rounding (`torch.allclose`) have not changed. No gradients are needed here.
#
# <details><summary>Hint 1: a nudge</summary>
#
# The old state reaches the new one in two ways: through the cell, and through query, weights and context.
# How long is a sentence in which the query can change nothing?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# With a single source word its weight is 1, whatever the query. Whatever then changes the new state enters the cell.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Write a small function that projects the keys and runs the step, and call it with one argument changed at a time:
# on the whole sentences to see what asks, on their first words alone to see what enters.
# For the padding, change the values where the mask is False; `torch.where` does this without changing the argument.
# </details>

# %% answer="wires"
from seq2seq.exercises.bahdanau import wires

# %% check="wires_visible" points=1
from autograder.tasks.bahdanau import check

check("wires", wires, specimen_step)

# %% check="wires_hidden" points=2 hidden=true
# When graded: other wirings, several of them in one step, a mask in another place, one sentence, other sizes.
from autograder.tasks.bahdanau import check

check("wires", wires, specimen_step, hidden=True)

# %% tags=["demonstration"]
# Steps wired as in public code, put to your test (nothing to write here).
try:
    torch.manual_seed(5)
    inputs = torch.randn(2, 3), torch.randn(2, 4), torch.randn(2, 5, 6), torch.tensor([[1] * 5, [1, 1, 1, 0, 0]]) > 0
    by_step = {}
    for name, wiring in {"paper": "", "no memory": "no state", "two cells": "word asks", "no mask": "no mask"}.items():
        by_step[name] = wires(specimen_step(3, 4, 6, wiring), *inputs)
    by_step["yours"] = wires(BahdanauStep(3, 4, 6, 5), *inputs)
    print(" " * 28, "  ".join(f"{name:9}" for name in by_step))
    for wire in by_step["paper"]:
        print(f"{wire:28}", "  ".join(f"{'yes' if answers[wire] else '–':9}" for answers in by_step.values()))
except Exception as error:
    print(f"A table of wires appears here once the test is written. ({type(error).__name__})")

# %% [markdown]
# ## A question to answer in words
#
# A colleague computes the vector for $s_0$ as `backward_states[:, -1]`, in a padded batch with sentences of different
# lengths.
# Training runs without an error, and the loss falls.
#
# What does this vector know of a sentence that fills its row, and what of a shorter one?
# Why does the loss still fall, and what test would have found the mistake?

# %% [markdown] question="why_loss_does_not_tell" points=2
# **Model answer.**
# Index −1 is where the backward direction begins.
# For a sentence that fills its row the vector has read only the last word; for a shorter one it is the state at
# padding, which says nothing about the sentence (or is 0).
# The loss falls because attention can reach every word at the first step and all later ones: the first state is only a
# start, and the model learns to do without it.
# A test that looks at the vector and not at the loss finds it: change the first word of a sentence, and $s_0$ has to
# change; or add padding, and $s_0$ has to stay the same; or compare it with packed sequences.
#
# **Rubric.**
# 1 point: the vector is where the backward direction begins (last word alone, or padding), not where it ends.
# 1 point: attention makes up for it, so the loss does not tell, and a test of a property or against another
# implementation is named.

# %% [markdown]
# ## To go further (not graded)
#
# 1. PyTorch itself can do tasks 1 and 2: `pack_padded_sequence` and `nn.GRU(…, bidirectional=True)`.
#    Show that the states are the same.
# 2. The appendix of the paper has $s_{i-1}$ in the readout, equation 4 of its body $s_i$.
#    What can a readout not know from $s_{i-1}$, and from which of its other two inputs does it still get it?
# 3. Let the model run free: write a loop in which the previous word is the one with the largest logit, and stop at the
#    id 2, which marks the end. Try a date of your own.

# %% tags=["demonstration"]
free = None  # your loop's string for `date`
print("still to do, if you like" if free is None else f"{date} → {free}")

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
#       - seq2seq/decoders/rehearsal_step.py
#       - seq2seq/checkpoints/__init__.py
#       - seq2seq/checkpoints/bahdanau_dates.npz
#       - seq2seq/checkpoints/dates.json
#       - seq2seq/plots.py
# ---

# %% [markdown]
# # The Bahdanau model
#
# You build the first attention model of translation from its parts: an encoder that reads both ways, the decoder's
# first state, one step that attends and then moves on, the readout, and the loop over a target.
# At the end you load trained weights into your own parts and see where they look.
# It goes with chapter 7 (*the Bahdanau model*), after Bahdanau et al. (2015).
#
# **Time:** 60 to 90 minutes. **Points:** 14, two for each of six tasks and two for a question in words.
#
# **When you are done you can**
#
# - reverse each sentence of a padded batch within its own length, and say where each reading ends;
# - make the decoder's first state from the backward state at word 1;
# - write a step that attends with the state *before* the step, and feeds word *and* context to the cell;
# - write the maxout readout, and the teacher-forced loop that projects the keys once.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# One wrong task does not cost you the next: no task uses what you wrote in another.
# Throughout, batch comes first, and `source_mask` is true for real words.
# The equations count words from 1, Python from 0: word 1 has the index 0.

# %% given="setup"
import json

import torch
from IPython.display import display
from torch import Tensor, nn

from seq2seq import checkpoints
from seq2seq.attention import attend
from seq2seq.plots import alignment_plot
from seq2seq.scorers import AdditiveScorer

date, iso = "the 5th of March, 2019", "2019-03-05"  # what the trained model reads, and what it writes


def trained(part):
    """The trained weights of one part of a model that turns dates into ISO 8601, character by character."""
    weights = checkpoints.load("bahdanau_dates")
    return {name.removeprefix(f"{part}."): value for name, value in weights.items() if name.startswith(f"{part}.")}


def rehearsal_step(embedding_size, hidden_size, encoder_size):
    """A decoder step to try a loop on: called as the real one, and simpler."""
    from seq2seq.decoders.rehearsal_step import RehearsalStep

    return RehearsalStep(embedding_size, hidden_size, encoder_size)


def ids(text, side):
    """The ids of the characters, as a batch of one sentence; 0 to 3 stand for padding, begin, end and unknown."""
    characters = json.loads((checkpoints.DIRECTORY / "dates.json").read_text())[side]
    return torch.tensor([[4 + characters.index(character) for character in text]])


# %% [markdown]
# ## Warm-up: two readers by pencil
#
# A batch holds the sentences *a b c d* and *e f*, padded to four positions: `a b c d` and `e f – –`.
#
# 1. The backward reader should meet the words of sentence 2 from last to first, and its padding last.
#    At which index does it meet *e*?
# 2. At which index does the *forward* reader hold the state that has read all of sentence 2?
# 3. Encoder states have 2 × 4 numbers, the words' embeddings 3. How many numbers enter the decoder's cell at each
#    step, besides its own state?
# 4. A readout is $\tilde t = (1, 4, -2, -5)$. What is left of it after the maximum of each pair of neighbours?
#
# Write your numbers below before you run the cell. It is not graded.

# %%
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
# The backward reader of the encoder (chapter 7, the two readings; equation 7 of the paper) starts at the *last* word:
#
# $$\overleftarrow h_j = \mathrm{RNN}(E x_j, \overleftarrow h_{j+1})$$
#
# A recurrent layer of PyTorch reads from index 0 on, so the sentences are reversed before it reads them.
# In a batch they have different lengths: each is reversed within its own, and its padding stays where it is, behind
# the words: *a b c – –* becomes *c b a – –*.
# The same function brings the states that come out back into the order of the words.
#
# > **Often believed:** "`flip` reverses a sentence."
# > It reverses the *row*: the padding comes to stand in front, and the backward reader wades through it before it
# > meets a word.
#
# <details><summary>Hint 1: a nudge</summary>
#
# For one sentence of length $n$: which index does the word at index 0 come from, and the word at index $p$?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Build a table of indices, (batch, source_len): where each place of the result takes its word from.
# At a padded place it is that place itself.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `lengths.unsqueeze(1)` against `torch.arange(…)` gives the table; where a mirrored index falls below 0,
# `torch.where` takes the place itself.
# `gather` along axis 1 fetches, and wants the table once for each feature: `unsqueeze(-1)` and `expand_as`.
# </details>

# %% answer="reverse_within_length"
from seq2seq.encoders import reverse_within_length

# %% check="reverse_within_length_visible" points=1
from autograder.checks.directions import check_reverse_within_length

check_reverse_within_length(reverse_within_length)

# %% check="reverse_within_length_hidden" points=1 hidden=true
# When graded: one sentence, sentences of one word, padding after every sentence, float64, gradients.
from autograder.checks.directions import check_reverse_within_length_hidden

check_reverse_within_length_hidden(reverse_within_length)

# %%
# What you have won (nothing to write here): two sentences, what flip makes of them, and what you make of them.
try:
    places = torch.tensor([[0, 1, 2, 3], [4, 5, 6, 6]])
    turned = reverse_within_length(places.unsqueeze(-1).float(), torch.tensor([4, 2])).squeeze(-1).long()
    for name, rows in (("as they are", places), ("flip", places.flip(1)), ("yours", turned)):
        print(f"{name:12}", "   ".join(" ".join("abcdef–"[place] for place in row) for row in rows.tolist()))
except Exception as error:
    print(f"Two sentences appear here once the reversal is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: both readings, joined
#
# Each word gets one state from both readings (equation 7 of the paper), $h_j = [\overrightarrow h_j; \overleftarrow
# h_j]$, and padding gets 0.
# Besides, the decoder wants what each reading holds at its *end*, when it has read the whole sentence:
#
# $$\mathrm{final} = [\overrightarrow h_T; \overleftarrow h_1]$$
#
# $T$ is the number of words of that sentence.
# The backward states arrive in the order of the words: index 0 belongs to word 1.
#
# > **Often believed:** "the last state is at index −1."
# > For the forward reading of a shorter sentence, index −1 is padding.
# > For the backward reading it is the *first* thing read, not the last, even without padding.
# > Public code takes it there time and again, and still trains.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Draw both readings as arrows over the sentence *e f – –*. Where does each arrow end?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# One of the two ends is at the same index in every sentence, the other at an index that its length gives.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# A tensor indexed by two lists, `states[rows, places]`, gives one vector for each pair of row and place.
# The mask compares `torch.arange(…)` with the lengths; it needs an axis more before it meets the states.
# </details>

# %% answer="join_directions"
from seq2seq.encoders import join_directions

# %% check="join_directions_visible" points=1
from autograder.checks.directions import check_join_directions

check_join_directions(join_directions)

# %% check="join_directions_hidden" points=1 hidden=true
# When graded: one sentence, sentences of one word, padding after every sentence, float64, gradients.
from autograder.checks.directions import check_join_directions_hidden

check_join_directions_hidden(join_directions)

# %%
# The trained encoder, made of your two functions (nothing to write here): more padding changes nothing.
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
# ## Task 3: the first state
#
# Before the first word the decoder needs a state (chapter 7, the first state; appendix A.2.2 of the paper):
#
# $$s_0 = \tanh(W_s \overleftarrow h_1)$$
#
# `final` is $[\overrightarrow h_T; \overleftarrow h_1]$, as task 2 returns it: two halves of the same size.
# `__init__` is given, and stays as it is: the check loads its own weights into your layer.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which half of `final` does the equation name?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The halves lie side by side on the last axis; a slice takes one of them.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The slice starts in the middle of the last axis: half of `final.size(1)`.
# Then the layer, then the tanh, in the order in which the equation nests them.
# </details>

# %% answer="FirstState.forward"
from seq2seq.decoders.plain_bahdanau import FirstState

# %% check="first_state_visible" points=1
from autograder.checks.bahdanau import check_first_state

check_first_state(FirstState)

# %% check="first_state_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, one feature for each direction, float64, gradients.
from autograder.checks.bahdanau import check_first_state_hidden

check_first_state_hidden(FirstState)

# %%
# What the first state listens to (nothing to write here): change one half of the final states at a time.
try:
    torch.manual_seed(1)
    first, ends = FirstState(8, 3), torch.randn(1, 8)
    with torch.no_grad():
        for name, change in (("→h_T", torch.tensor([1.0] * 4 + [0] * 4)), ("←h_1", torch.tensor([0] * 4 + [1.0] * 4))):
            moved = float((first(ends + change) - first(ends)).abs().max())
            print(f"{name} changes: s_0 moves by {moved:.2f}")
except Exception as error:
    print(f"Two numbers appear here once the first state is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: one step of the decoder
#
# The step (chapter 7, the decoder; equations 4 to 6 of the paper): attend first, then move on.
#
# $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j$$
# $$s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1})$$
#
# You are given `attend(scores, values, source_mask)`, which returns `(context, weights)`, and in `__init__` the scorer
# and the cell.
# The keys have been projected by the caller; `self.scorer.score(query, projected_keys)` does the rest.
# Return the triple `(state, context, weights)`, with the *new* state.
#
# > **Often believed:** "the attention vector replaces the hidden state", or "replaces the input word".
# > Word, context and previous state all enter the cell. Leave one out, and the model still trains, only worse.
#
# > **Often believed:** "Bahdanau attention *is* the additive score."
# > The score is one choice; what makes this the Bahdanau model is the wiring that you write here:
# > $s_{i-1}$ asks, and the answer enters the cell.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the two states exists when attention asks its question?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Three lines: scores; context and weights; the new state.
# What the cell takes is one vector for each sentence, made of two.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.cat` joins word and context on the last axis, in the order that `__init__` names in its comment.
# `self.cell(input, state)` takes the state as its second argument, and without it starts from zeros.
# </details>

# %% answer="BahdanauStep.forward"
from seq2seq.decoders.plain_bahdanau import BahdanauStep

# %% check="bahdanau_step_visible" points=1
from autograder.checks.bahdanau import check_bahdanau_step

check_bahdanau_step(BahdanauStep)

# %% check="bahdanau_step_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, sentences of one word, mostly padding, float64, gradients.
from autograder.checks.bahdanau import check_bahdanau_step_hidden

check_bahdanau_step_hidden(BahdanauStep)

# %%
# Your step with trained weights (nothing to write here): before it writes the first digit, where does it look?
try:
    target_embedding, size = trained("decoder.embedding")["weight"], states.size(2)
    step = BahdanauStep(
        target_embedding.size(1), size, size, trained("decoder.attention.scorer.energy_layer")["weight"].size(1)
    )
    step.scorer.load_state_dict(trained("decoder.attention.scorer"))
    step.cell.load_state_dict(trained("decoder.cell"))
    first = FirstState(size, size)
    first.layer.load_state_dict(trained("decoder.bridge.hidden_layer"))
    real = torch.ones(1, len(date), dtype=torch.bool)
    with torch.no_grad():
        begin = target_embedding[torch.tensor([1])]
        _, _, weights = step(begin, first(final), step.project_keys(states), states, real)
    display(alignment_plot(weights, list(date), [iso[0]]))
except Exception as error:
    print(f"A row of weights appears here once tasks 1 to 4 are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: the maxout readout
#
# Between the state and the words lies a deep output with one maxout layer (chapter 7, the readout; appendix A.2.2):
#
# $$\tilde t_i = U_o s_i + V_o E y_{i-1} + C_o c_i, \qquad
#   t_i = \left[\max(\tilde t_{i,2j-1}, \tilde t_{i,2j})\right]_{j=1}^{l}$$
#
# The three matrices lie side by side in one layer, $[U_o, V_o, C_o]$, so that $\tilde t_i$ is that layer of
# $[s_i; E y_{i-1}; c_i]$.
# A pair are two *neighbours*. `readout_size` is $l$, and the layer gives $2l$ numbers.
# The leading axes may be (batch,), or (batch, target_len) when the readouts of a whole target are computed at once.
#
# <details><summary>Hint 1: a nudge</summary>
#
# How would you lay out six numbers in a row so that neighbours stand together, each pair on a line of its own?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Split the last axis into two: $l$ pairs, of two numbers each. Then take a maximum, over which of the two?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `unflatten(-1, (-1, 2))` splits the last axis; `amax` takes the largest along an axis that you name.
# The order of the three parts is the order of the three matrices.
# </details>

# %% answer="MaxoutReadout.forward"
from seq2seq.decoders.readout import MaxoutReadout

# %% check="maxout_readout_visible" points=1
from autograder.checks.readout import check_maxout_readout

check_maxout_readout(MaxoutReadout)

# %% check="maxout_readout_hidden" points=1 hidden=true
# When graded: all steps of a target at once, other sizes, one sentence, a readout of size 1, float64, gradients.
from autograder.checks.readout import check_maxout_readout_hidden

check_maxout_readout_hidden(MaxoutReadout)

# %%
# A maximum of two straight lines (nothing to write here): a kink that is learned, where a ReLU's is fixed at 0.
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
# ## Task 6: the teacher-forced loop
#
# In training the previous words are the true ones, so the whole target is known beforehand (chapter 7, the unrolled
# decoder):
#
# $$s_i, c_i, \alpha_i = \mathrm{step}(E y_{i-1}, s_{i-1}, h), \qquad i = 1, \ldots, T$$
#
# `embedded` holds all previous words, (batch, target_len, embedding_size), BOS first.
# `step` is called as in task 4: `step(word, state, projected_keys, values, source_mask)` returns the triple.
# The check gives you a step of its own, simpler than yours, so that task 4 does not matter here.
#
# The keys do not change from step to step. `step.project_keys(values)` is a large product: it runs once.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What does a step need that the step before it has made? And what do all steps share?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Three lists that grow by one tensor a step; at the end each becomes one tensor with a new axis.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `embedded.unbind(1)` gives the words one after the other.
# Let the name `state` be overwritten by the step's result, and `torch.stack` on the axis that comes after the batch.
# </details>

# %% answer="unroll"
from seq2seq.decoders.plain_bahdanau import unroll

# %% check="unroll_visible" points=1
from autograder.checks.unrolling import check_unroll

check_unroll(unroll, rehearsal_step)

# %% check="unroll_hidden" points=1 hidden=true
# When graded: one sentence, a target of one word, mostly padding, float64, gradients.
from autograder.checks.unrolling import check_unroll_hidden

check_unroll_hidden(unroll, rehearsal_step)

# %%
# The whole model, made of your six parts (nothing to write here): what it would write, and where it looks.
try:
    readout = MaxoutReadout(size, target_embedding.size(1), size, size // 2)
    readout.load_state_dict(trained("decoder.readout"))
    words = target_embedding[torch.cat([torch.tensor([[1]]), ids(iso, "target")], dim=1)]  # BOS, then the date
    with torch.no_grad():
        reached, contexts, weights = unroll(step, words, first(final), states, real)
        logits = nn.functional.linear(readout(reached, words, contexts), *trained("decoder.output_layer").values())
    digits = json.loads((checkpoints.DIRECTORY / "dates.json").read_text())["target"]
    best = logits[0].argmax(-1).tolist()
    print("after each true character it says:", "".join(digits[place - 4] if place > 3 else "." for place in best))
    display(alignment_plot(weights[0], list(date), [*iso, "end"]))
except Exception as error:
    print(f"A date and a table of weights appear here once all six parts are written. ({type(error).__name__})")

# %% [markdown]
# > **Often believed:** "attention picks the word that it translates."
# > Look at the rows of the year: each digit has its own place in the source. Look at the month: a whole name gives two
# > digits, and the weights spread over what tells one month from another.
#
# ## A question in words
#
# A colleague computes the summary for $s_0$ as `backward_states[:, -1]`, in a padded batch with sentences of different
# lengths.
# Training runs without an error, and the loss falls.
#
# What does this vector hold, for a sentence that fills its row and for a shorter one?
# Why does the loss fall all the same, and by what test would you have found the fault?

# %% [markdown] question="why_loss_does_not_tell" points=2
# **Model answer.**
# Index −1 is where the backward reading begins.
# For a sentence that fills its row the vector has read the last word alone; for a shorter one it is the state at
# padding, which says nothing of the sentence (or is 0).
# The loss falls because attention brings in every word at the first step and after it: the first state is only a start,
# and the model learns to do without it.
# A test finds it that looks at the vector and not at the loss: change the first word of a sentence, and $s_0$ has to
# change; or add padding, and $s_0$ has to stay; or hold it against packed sequences.
#
# **Rubric.**
# 1 point: the vector is where the backward reading begins (last word alone, or padding), not where it ends.
# 1 point: attention makes up for it, so the loss does not tell, and a test of a property or against another
# implementation is named.

# %% [markdown]
# ## To go further (not graded)
#
# 1. PyTorch can do tasks 1 and 2 by itself: `pack_padded_sequence` and `nn.GRU(…, bidirectional=True)`.
#    Show that the states are the same.
# 2. The appendix of the paper prints $s_{i-1}$ in the readout, equation 4 of its body $s_i$.
#    What can a readout of $s_{i-1}$ not know, and through which of the other two parts does it still get it?
# 3. Let the model run free: write a loop in which the previous word is the one with the largest logit, and stop at the
#    id 2, which is the end. Try a date of your own.

# %%
free = None  # your loop's string for `date`
print("still to do, if you like" if free is None else f"{date} → {free}")

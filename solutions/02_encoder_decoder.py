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
#     title: Encoder and decoder
#     assignment: 02_encoder_decoder
#     chapters: [2]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
#       - seq2seq/exercises/plain_decoder.py
#       - seq2seq/demos/fixed_vector.py
#       - seq2seq/checkpoints/__init__.py
#       - seq2seq/checkpoints/fixed_vector.npz
#       - seq2seq/checkpoints/fixed_vector.json
# ---

# %% [markdown]
# # Encoder and decoder
#
# An encoder has read a sentence into one vector; from it a decoder has to produce the translation, word by word.
# You write one step of its cell, find out which kind of cell a stranger's numbers come from, compute how probable the
# decoder finds a translation, and let it run freely.
# At the end a small trained decoder translates with your code.
# This exercise goes with chapter 2 (*encoder and decoder*).
#
# **Time:** 90 minutes. **Points:** 12: two for each of five tasks, two for a question to answer in words.
#
# **When you are done you can**
#
# - write a GRU step from its equations, and tell from numbers alone which of three conventions produced them;
# - compute the probability of a sentence, word by word, with a decoder that reads the true words;
# - compute a loss to which padding contributes nothing;
# - decode a whole batch greedily, each sentence up to its own end.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# A wrong task does not cost you the next: no task uses what you wrote before.
# Throughout, the batch axis comes first, and a mask is true for real tokens.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.

# %% given="setup"
import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from seq2seq.demos.fixed_vector import trained
from seq2seq.vocab import BOS, EOS, PAD, SPECIALS, UNK, Vocabulary

# %% [markdown]
# ## Warm-up: a step and a loss by hand
#
# A GRU has a state of size one, $s = 0.8$. For its next input, the sums inside the sigmoids are $0$ for the
# reset gate and $\ln 3$ for the update gate; $W_n x + b_n = 0.3$ and $U_n s + c_n = -0.6$.
#
# 1. What are $r = \sigma(0)$ and $z = \sigma(\ln 3)$, with $\sigma(a) = 1 / (1 + e^{-a})$?
# 2. What is $n = \tanh(0.3 + r \cdot (-0.6))$, and what is $s' = (1 - z)\, n + z\, s$?
#
# A decoder gives the right words of one sentence the probabilities $\tfrac12$ and $\tfrac14$, and the only word of
# another, padded sentence $\tfrac18$.
#
# 3. What is the loss per real token, in natural logarithms? (All of them are multiples of $\ln 2 \approx 0.693$.)
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
reset_by_hand, update_by_hand = None, None
proposal_by_hand, state_by_hand = None, None
loss_by_hand = None


def compare(name, mine, right, hint):
    if mine is None:
        print(f"{name}: still to do")
    else:
        print(f"{name}: {'right' if abs(mine - right) < 0.01 else 'not yet; ' + hint}")


compare("reset gate", reset_by_hand, 1 / 2, "what is e to the 0?")
compare("update gate", update_by_hand, 3 / 4, "e to the -ln 3 is 1/3")
compare("proposal", proposal_by_hand, 0.0, "the reset gate halves the state's part")
compare("next state", state_by_hand, 0.6, "how much of the old state stays?")
compare("loss", loss_by_hand, 2 * math.log(2), "three real tokens share one mean")

# %% [markdown]
# ## Task 1: one step of a GRU
#
# The equations of the GRU, in PyTorch's convention (chapter 2, the gated recurrent unit):
#
# $$r = \sigma(W_r x + b_r + U_r s + c_r) \qquad z = \sigma(W_z x + b_z + U_z s + c_z)$$
# $$n = \tanh\big(W_n x + b_n + r \circ (U_n s + c_n)\big) \qquad s' = (1 - z) \circ n + z \circ s$$
#
# $W_r, W_z, W_n$ are stacked in `input_weight`, in this order, and so are $U$, $b$ and $c$ in their parameters.
#
# > **Often believed:** "the GRU has a ReLU in place of the tanh."
# > It has not. The new state is a mean of the old one and a tanh: what begins between −1 and 1 stays there,
# > however long the sentence is.
#
# <details><summary>Hint 1: a nudge</summary>
#
# How many matrix products do you need? Three gates and two sides, but the matrices are stacked.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `F.linear(x, weight, bias)` gives the stacked sums of one side, (batch, 3 × hidden_size).
# Keep the sums of input and state apart: for $n$ they are not simply added.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `.chunk(3, dim=-1)` cuts the stacked sums into the parts of r, z and n, in this order.
# $\circ$ is the entry-by-entry product, `*` in PyTorch.
# </details>

# %% answer="gru_step"
from seq2seq.layers.gru import gru_step

# %% check="gru_step_visible" points=1
from autograder.tasks.encoder_decoder import check

check("gru_step", gru_step)

# %% check="gru_step_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, a state of size one, float64, a state of 0, numbers near ±1000.
from autograder.tasks.encoder_decoder import check

check("gru_step", gru_step, hidden=True)

# %% tags=["demonstration"]
# How far a gradient reaches (nothing to write here): through a simple network without gates, and through your cell with
# the bias of its update gate at +3 and at −3. Which of the two remembers, and which forgets?
try:
    random = torch.Generator().manual_seed(0)
    size = 32
    matrices = [torch.randn(3 * size, size, generator=random) / size**0.5 for _ in range(2)]
    high, low = (torch.zeros(3 * size).index_fill(0, torch.arange(size, 2 * size), bias) for bias in (3.0, -3.0))

    def simple_step(inputs, state):
        return torch.tanh(F.linear(inputs, matrices[0][:size]) + F.linear(state, matrices[1][:size]))

    def gated_step(bias):
        return lambda inputs, state: gru_step(inputs, state, *matrices, bias, torch.zeros(3 * size))

    lines = ["words back   simple network   update gate at +3   update gate at −3"]
    for distance in (1, 5, 10, 20, 40, 80):
        norms = []
        for network in (simple_step, gated_step(high), gated_step(low)):
            first = state = torch.zeros(8, size, requires_grad=True)
            for _ in range(distance):
                state = network(torch.randn(8, size, generator=random), state)
            (gradient,) = torch.autograd.grad(state[:, 0].sum(), first)
            norms.append(float(gradient.norm(dim=1).mean()))
        lines.append(f"{distance:10} {norms[0]:16.2e} {norms[1]:19.2e} {norms[2]:19.2e}")
    print("\n".join(lines))
except Exception as error:
    print(f"A table of gradients appears here once the GRU step is written. ({type(error).__name__})")

# %% [markdown]
# > **Often believed:** "a simple recurrent network can only read sentences of one fixed length."
# > It reads any length. What it lacks is a long memory, as the table shows, and a way to produce an output whose
# > length differs from that of its input; that takes a second network, the decoder.
#
# ## Task 2: whose cell is it?
#
# Weights trained under one convention are useless under another, and no name, shape or error message says so.
# Study A (*the GRU of the papers*) has three conventions:
#
# - `"pytorch"`: $n = \tanh(W_n x + b_n + r \circ (U_n s + c_n))$ and $s' = (1 - z) \circ n + z \circ s$
# - `"cho"`: $n = \tanh(W_n x + b_n + U_n (r \circ s) + c_n)$ and $s' = (1 - z) \circ n + z \circ s$
# - `"bahdanau"`: $n$ as in `"cho"`, and $s' = z \circ n + (1 - z) \circ s$
#
# Somebody sends you weights, some inputs and states, and the next states that their program computed from them, rounded
# to half precision on the way.
# Return a list of the conventions that may have produced these numbers, in the order above: those that reproduce every
# number of every sentence to within 0.002.
# There may be none, or several: which weights, or which states, make two of them agree?
# In all three, $r$, $z$ and the order in which the parameters are stacked are as in PyTorch.
#
# <details><summary>Hint 1: a nudge</summary>
#
# You cannot read the convention off the weights. What can you compute from them, and compare with what?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Compute the step in all three ways, and keep the names of those that come out right. Both gates are shared.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# For $U_n (r \circ s)$ the stacked product is of no use: take only the last third of the rows of `state_weight`, and
# of its bias. The largest of all differences decides.
# </details>

# %% answer="conventions"
from seq2seq.exercises.encoder_decoder import conventions

# %% check="conventions_visible" points=1
from autograder.tasks.encoder_decoder import check

check("conventions", conventions)

# %% check="conventions_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, update gates at one half, a diagonal matrix, numbers off by nearly 0.002 and
# by a little more, large and small.
from autograder.tasks.encoder_decoder import check

check("conventions", conventions, hidden=True)

# %% tags=["demonstration"]
# Which convention is PyTorch's cell (nothing to write here)? And which if its matrix U_n is diagonal, without a bias,
# and if the update gate's weights are then negated as well? Before you run it: which names do you expect?
try:
    torch.manual_seed(0)
    cell, inputs, state = nn.GRUCell(3, 4).requires_grad_(False), torch.randn(2, 3), torch.randn(2, 4)
    parameters = cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh
    print("as it is:                        ", conventions(inputs, state, *parameters, cell(inputs, state)))
    cell.weight_hh[8:], cell.bias_hh[8:] = torch.diag(torch.randn(4)), 0
    following = cell(inputs, state)
    print("U_n diagonal:                    ", conventions(inputs, state, *parameters, following))
    for parameter in parameters:
        parameter[4:8] *= -1
    print("U_n diagonal, z of other weights:", conventions(inputs, state, *parameters, following))
except Exception as error:
    print(f"Three lists of names appear here once you can tell the conventions apart. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: how probable is a translation?
#
# The model gives a sentence a probability word by word (chapter 2, the conditional language model).
# The product of many numbers below 1 soon leaves the range of a float, so you compute its logarithm, with
# $m_i = 1$ for a real token and 0 for padding:
#
# $$\log p(y \mid x) = \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$
#
# Every step reads the *true* previous word, whatever the decoder would have said: this is teacher forcing.
# `PlainDecoder`, below, is given. Its `step(previous, state)` takes the ids of the previous words, of shape (batch,),
# and returns the pair `(logits, next state)`; all it knows about the source is in the first `state`.
# `target_in` holds the words to read, `target_out` those to predict; both have shape (batch, target_len).
# Return one number for each sentence.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which axis do you loop over, what does each step need from the one before, and what does it add to the result?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A loop over the steps. Of the many logarithms of a step, one for each word of the vocabulary, only one counts.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `target_in[:, i]` is the word of step `i` for every sentence. `gather` picks one number from each row; it needs ids of
# shape (batch, 1), and returns that shape.
# What gives a sentence that has already ended its 0?
# </details>

# %% given="decoder" show="PlainDecoder"
from seq2seq.exercises.plain_decoder import PlainDecoder

# %% answer="log_probability"
from seq2seq.exercises.encoder_decoder import log_probability

# %% check="log_probability_visible" points=1
from autograder.tasks.encoder_decoder import check

check("log_probability", log_probability, PlainDecoder)

# %% check="log_probability_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, sentences of <eos> alone, as many steps as sentences, improbable words,
# float64.
from autograder.tasks.encoder_decoder import check

check("log_probability", log_probability, PlainDecoder, hidden=True)

# %% tags=["demonstration"]
# A trained decoder as a judge (nothing to write here): a true translation, the same words in another order, the same
# without its last word, and another sentence's translation. Before you run it: how will they be ranked?
try:
    decoder, tokens, sources, targets, states = trained()
    vocab = Vocabulary(tokens[len(SPECIALS) :])
    for row in (12, 37):
        true = list(targets[row])
        candidates = [true, [true[1], true[0], *true[2:]], true[:-1], list(targets[row + 1])]
        ids = [vocab.encode(candidate) for candidate in candidates]
        longest = max(map(len, ids)) + 1
        read = torch.tensor([[BOS, *sentence, *[PAD] * (longest - 1 - len(sentence))] for sentence in ids])
        out = torch.tensor([[*sentence, EOS, *[PAD] * (longest - 1 - len(sentence))] for sentence in ids])
        with torch.no_grad():
            scores = log_probability(decoder, read, out, out != PAD, states[row].expand(len(ids), -1))
        print(" ".join(sources[row]))
        for score, candidate in sorted(zip(scores.tolist(), candidates, strict=True), reverse=True):
            print(f"  {score:8.2f}  {' '.join(candidate)}")
except Exception as error:
    print(f"Two sentences with scores appear here once the log probability is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: the masked loss
#
# The loss per real token (chapter 2, the masked loss), with $m_i = 1$ for a real token and 0 for padding; the sums run
# over all positions of all sentences in the batch:
#
# $$L = -\frac{1}{\sum_i m_i} \sum_i m_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$
#
# `<eos>` is a real token: the model has to learn to stop. The batch has at least one real token.
#
# > **Often believed:** "a bit of padding in the loss does no harm."
# > Padding is easy to predict, so it makes the loss look good: a batch that is half padding has about half the loss,
# > and the same model has a different loss in a different batch.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Padding has to be left out of two things: the sum, and the number by which the sum is divided.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Either compute a loss for each position and average the real ones, or pick out the real positions first and average
# what is left.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `F.cross_entropy` takes logits (no softmax before it!) of shape (positions, vocab_size) and ids of shape (positions,).
# A boolean mask as an index keeps the real positions; or `ignore_index` skips an id that no word has.
# </details>

# %% answer="masked_loss"
from seq2seq.training import masked_loss

# %% check="masked_loss_visible" points=1
from autograder.tasks.encoder_decoder import check

check("masked_loss", masked_loss)

# %% check="masked_loss_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, one token each, mostly padding, logits near ±1000 and a word that
# is certain, float64.
from autograder.tasks.encoder_decoder import check

check("masked_loss", masked_loss, hidden=True)

# %% tags=["demonstration"]
# Can the loss tell a good translation (nothing to write here)? The same French with its own English, and with another.
try:
    decoder, tokens, sources, targets, states = trained()
    vocab = Vocabulary(tokens[len(SPECIALS) :])

    def loss_of(rows, states):
        """Loss per word, computed here sentence by sentence and then with your function over its real tokens."""
        longest = max(len(targets[row]) for row in rows) + 1
        logits, out = torch.zeros(len(rows), longest, len(vocab)), torch.zeros(len(rows), longest, dtype=torch.long)
        for place, row in enumerate(rows):
            ids, state = [*vocab.encode(targets[row]), EOS], states[row : row + 1]
            for step, previous in enumerate([BOS, *ids[:-1]]):
                logits[place, step], state = decoder.step(torch.tensor([previous]), state)
            out[place, : len(ids)] = torch.tensor(ids)
        return float(masked_loss(logits, out, out != PAD))

    with torch.no_grad():
        for name, rows in (("4 to 6 words", range(12)), ("9 to 11 words", range(20, 32)), ("14 words", range(40, 44))):
            matching, other = loss_of(rows, states), loss_of(rows, states.roll(1, 0))
            print(f"{name:14} own source: loss {matching:5.2f}, perplexity {math.exp(matching):8.1f}", end="; ")
            print(f"another source: loss {other:5.2f}, perplexity {math.exp(other):8.1f}")
except Exception as error:
    print(f"A few losses appear here once the masked loss is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: greedy decoding
#
# Without a true translation, the decoder has to read its own words (chapter 2, greedy decoding):
#
# $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x)$$
#
# - The first word read is `BOS`; it is not among the ids that you return.
# - A sentence that has said `EOS` gets `PAD` from the next step on. Its `EOS` is among the ids.
# - Stop as soon as every sentence of the batch has said `EOS`, and after `max_length` words in any case.
# - Any word may be said at any step, `PAD` and `BOS` too: none is left out of the $\arg\max$.
#
# `PlainDecoder` is the same as in task 3. Return ids of shape (batch, steps).
#
# > **Often believed:** "a translation model can be tested as it is trained, by teacher forcing."
# > A decoder that is given the right word at every step never has to recover from a wrong one.
# > Public code has reported the scores of such output as translation quality; see the question below.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What has to be remembered from step to step, besides the state?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# One boolean per sentence: has it ended? It decides what is written, and when the loop ends.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# At each step, in this order: call `step`; take the best word; write `PAD` where the sentence had ended *before* this
# step; append; then update which have ended, with `|`, so that none is forgotten; stop if all have.
# </details>

# %% answer="greedy_ids"
from seq2seq.exercises.encoder_decoder import greedy_ids

# %% check="greedy_ids_visible" points=1
from autograder.tasks.encoder_decoder import check

check("greedy_ids", greedy_ids, PlainDecoder)

# %% check="greedy_ids_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, max_length of 1, sentences that end at once, at the limit and not at all,
# float64.
from autograder.tasks.encoder_decoder import check

check("greedy_ids", greedy_ids, PlainDecoder, hidden=True)

# %% tags=["demonstration"]
# Your first translations (nothing to write here): short sentences and long ones, each from one vector.
try:
    decoder, tokens, sources, targets, states = trained()
    vocab = Vocabulary(tokens[len(SPECIALS) :])
    with torch.no_grad():
        translated = [vocab.decode(row) for row in greedy_ids(decoder, states, 30)]
    for row in (2, 9, 14, 20, 27, 32, 37, 43):
        print(
            f"{len(sources[row]):2} words  {'✓' if translated[row] == targets[row] else '✗'}  {' '.join(sources[row])}"
        )
        print(f"             {' '.join(translated[row])}")
    print("\nshare of sentences that are right, word for word:")
    for length in sorted({len(source) for source in sources}):
        rows = [row for row, source in enumerate(sources) if len(source) == length]
        share = sum(translated[row] == targets[row] for row in rows) / len(rows)
        print(f"  {length:2} words {'█' * round(20 * share)} {share:.0%}")
except Exception as error:
    print(f"Translations appear here once greedy decoding is written. ({type(error).__name__})")

# %% [markdown]
# The short sentences are right, the long ones begin well and then tell a different story.
# A sentence of any length has to fit into one vector of 96 numbers: that is the subject of chapter 3.
#
# ## Question: whose words? (2 points)
#
# A colleague evaluates a model by teacher forcing on the test set: she takes the most probable word at every step,
# while the decoder reads the true previous words, and 90 % of these words are right.
# She reports the BLEU of these words as the model's translation quality.
# What is wrong with that, and is the number too high or too low? For what may a teacher-forced pass over the test set
# still be used?

# %% [markdown] question="whose_words" points=2
# **Model answer.** At inference, nobody gives the model the true previous words: it reads its own.
# One wrong word changes the state and the input of every later step and leads into situations for which the model has
# not been trained, so errors pile up.
# Under teacher forcing each error is corrected before the next step, and even the length of the sentence is given away.
# So the reported BLEU is too high, the more so the longer the sentences are; to measure it, decode freely.
# A teacher-forced pass is right for the loss, or the perplexity: the probability of a given translation is defined
# with its own words as the history.
#
# **Rubric.** 1 point: at inference the model reads its own words, errors pile up, so the number is too optimistic.
# 1 point: teacher forcing is right for loss, perplexity or the likelihood of a given translation.

# %% [markdown]
# ## To go further (not graded)
#
# 1. `nn.GRU` processes a whole sentence in one call. Fill in the cell below: with the weights of the trained decoder's
#    cell it gives all states of a teacher-forced sentence at once. Which of your two loops can use it, and which
#    cannot?
# 2. Draw the next word from the softmax instead of taking the best one (`torch.multinomial`), ten times for one long
#    sentence. Which parts of the translation stay the same, and which change?
# 3. How many of the parameters of `PlainDecoder` are in its output layer? How many would a vocabulary of 100 000 words
#    need?

# %% tags=["demonstration"]
decoder, tokens, sources, targets, states = trained()
layer = nn.GRU(decoder.cell.input_size, decoder.cell.hidden_size, batch_first=True)
mine = None  # all states of one target, (1, target_len, hidden_size), by one call of `layer` with the cell's weights
if mine is None:
    print("still to do, if you like")
else:
    ids = torch.tensor([[BOS, *Vocabulary(tokens[len(SPECIALS) :]).encode(targets[0])]])
    state, theirs = states[:1], []
    for previous in ids.unbind(1):
        state = decoder.cell(decoder.embedding(previous), state)
        theirs.append(state)
    print("largest difference:", float((mine - torch.stack(theirs, 1)).abs().max()))

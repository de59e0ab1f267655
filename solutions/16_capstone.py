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
#     title: "Capstone: your own translation system"
#     assignment: 16_capstone
#     chapters: [1, 2, 4, 5, 6, 7, 11]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/vocab.py
#       - seq2seq/device.py
#       - seq2seq/guards.py
#       - seq2seq/corpora/__init__.py
#       - seq2seq/corpora/pair.py
#       - seq2seq/corpora/ranges.py
#       - seq2seq/corpora/grammar/__init__.py
#       - seq2seq/corpora/grammar/clause.py
#       - seq2seq/corpora/grammar/draw_nouns.py
#       - seq2seq/corpora/grammar/draw_sentences.py
#       - seq2seq/corpora/grammar/draw_verbs.py
#       - seq2seq/corpora/grammar/lexicon.py
#       - seq2seq/corpora/grammar/lexicon.tsv
#       - seq2seq/corpora/grammar/morphology.py
#       - seq2seq/corpora/grammar/noun_phrase.py
#       - seq2seq/corpora/grammar/verb_group.py
#       - seq2seq/corpora/grammar/words.py
#       - seq2seq/batch.py
#       - seq2seq/attention.py
#       - seq2seq/scorers.py
#       - seq2seq/layers/recurrent.py
#       - seq2seq/layers/derivatives.py
#       - seq2seq/layers/precision.py
#       - seq2seq/layers/gru.py
#       - seq2seq/layers/paper_gru.py
#       - seq2seq/scorer.py
#       - seq2seq/decoders/__init__.py
#       - seq2seq/decoders/readout.py
#       - seq2seq/exercises/toy_parts.py
#       - seq2seq/demos/capstone.py
#       - seq2seq/checkpoints/__init__.py
#       - seq2seq/checkpoints/capstone.npz
#       - seq2seq/checkpoints/capstone.json
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/widgets/__init__.py
#       - seq2seq/widgets/watch.py
# ---

# %% [markdown]
# # Capstone: your own translation system
#
# You put together a system that translates English into French: encoder, decoder, the wiring, and the search are yours.
# Padding, mask, scorer and attention are given; you have written them before.
# Then you train it yourself, change one thing, and find out whether the change was worth it.
# The model is a small version of that of Bahdanau et al. (2015); the notebook brings chapters 1 to 7 and 11 together.
#
# **Time:** 125 minutes, of which your machine trains for about two minutes; on the short way tasks 1, 2, 3 and 4 alone,
# 65 minutes, and then “Your system at work”.
# **Points:** 33: four for each of tasks
# 1 to 6, two for task 7, two and five for the answers in words.
#
# **When you are done you can**
#
# - say what each part of a translation system takes and returns, with every shape;
# - wire the parts in the order that makes it Bahdanau's model, and say what another order would be;
# - write the loop that turns a model into a translator, and the one that trains it;
# - find out by a test, not by looking at translations, which part is wrong;
# - measure what one change does, and say how sure you are.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# Every part is checked by itself, and those that call others are checked with *toy parts*: tiny stand-ins with
# the same calls as the real ones.
# So one wrong part costs only its own points.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# Throughout, the batch axis comes first, and `source_mask` is true for real tokens.

# %% given="setup"
import math
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import torch
from IPython.display import FileLink, display
from torch import Tensor, nn
from torch.nn import functional

from seq2seq.attention import attend
from seq2seq.batch import length_mask, pad
from seq2seq.device import bounds  # the least and the greatest of whole numbers
from seq2seq.layers.recurrent import recurrent_layer
from seq2seq.decoders.readout import MaxoutReadout
from seq2seq.plots import alignment_plot
from seq2seq.scorers import AdditiveScorer, ScaledDotScorer
from seq2seq.vocab import BOS, EOS, PAD, UNK

Memory = tuple[Tensor, Tensor, Tensor]  # projected keys, encoder states, source mask
Batch = tuple[Tensor, ...]


def toy_parts(seed):
    """Encoder, scorer, attend and decoder to rehearse with."""
    from seq2seq.exercises.toy_parts import parts

    return parts(seed)


def toy_translator(seed):
    """A translator to rehearse with: it says the source again, each id plus one."""
    from seq2seq.exercises.toy_parts import translator

    return translator(seed)


def toy_system(seed):
    """A translator to rehearse the loss with."""
    from seq2seq.exercises.toy_parts import system

    return system(seed)


def toy_model(seed):
    """A model to rehearse training with: `model(*batch)` is the loss of a batch."""
    from seq2seq.exercises.toy_parts import model

    return model(seed)


# %% [markdown]
# ## Warm-up: one word by hand
#
# The parts in the order in which they will run, with the smallest numbers possible.
# The source has two words and then padding; their encoder states are $h_1 = 1$, $h_2 = 3$, and the padding's is
# $h_3 = 0$.
# The decoder state is $s_0 = 0.5$.
# In place of the additive scorer take $e_j = s_0 \cdot h_j \cdot \ln 4$, in place of the decoder's cell
# $s_1 = s_0 + c_1$.
#
# 1. The first of the three scores is ½ ln 4 = ln 2. What are the other two?
# 2. The weights: mask, then normalise.
# 3. The context $c_1$.
# 4. The new state $s_1$.
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
scores_by_hand = [math.log(2), None, None]
weights_by_hand = [None, None, None]
context_by_hand = [None]
state_by_hand = [None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.01 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet; which words take part in the sum that you divide by?'}")


compare("scores", scores_by_hand, [math.log(2), math.log(8), 0.0])
compare("weights", weights_by_hand, [0.2, 0.8, 0.0])
compare("context", context_by_hand, [2.6])
compare("new state", state_by_hand, [3.1])

# %% [markdown]
# ## Task 1: the encoder
#
# The bidirectional encoder (chapter 7, the encoder; appendix A.2.1 of Bahdanau et al.):
#
# $$h_j = [\overrightarrow h_j; \overleftarrow h_j], \qquad
#   \text{final} = [\overrightarrow h_T; \overleftarrow h_1]$$
#
# The layers are there; `forward` is yours.
# It returns the states of all words, 0 at padding, and `final`: what each direction holds when it has read everything.
# `reverse_within_length` and `check_lengths` are given; you may use them or do without.
# Only bidirectional GRU encoders without dropout are checked, so `backward_rnn` is always there.
#
# > **Often believed:** "the last state of a bidirectional encoder is its output in the last column."
# > There the forward half is right if no padding follows, and the backward half has read a single word.
#
# <details><summary>Hint 1: a nudge</summary>
#
# A batch has sentences of 5 and of 3 words. In which column has the forward direction read all of the shorter one?
# And at which word has the backward direction?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The backward direction is a recurrent layer that reads the sentence reversed.
# Reversed within its own length, it never meets padding before it is done; its states then have to be reversed back.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Embed; forward layer; backward layer on the reversed embeddings, its states reversed again; join them on the last
# axis; times the mask.
# For `final` take, from each row, the forward state in column `length - 1`, and the backward state in column 0.
# </details>

# %% answer="Encoder.forward"
from seq2seq.encoders import Encoder, check_lengths, reverse_within_length

# %% check="encoder_visible" points=2
from autograder.tasks.capstone import check

check("encoder", Encoder)

# %% check="encoder_hidden" points=2 hidden=true
# When graded: one sentence, sentences of one word, columns of nothing but padding, other sizes, float64, gradients.
from autograder.tasks.capstone import check

check("encoder", Encoder, hidden=True)

# %% tags=["demonstration"]
# Does padding change anything? (Nothing to write here.) The same sentence alone, and in a wider batch.
try:
    torch.manual_seed(0)
    with torch.no_grad():
        encoder = Encoder(12, 8, 8)
        alone, _ = encoder(torch.tensor([[4, 5, 6]]), torch.tensor([3]))
        beside, _ = encoder(torch.tensor([[4, 5, 6, PAD, PAD], [7, 8, 9, 10, 11]]), torch.tensor([3, 5]))
    print("largest difference that the neighbour makes:", float((alone[0] - beside[0, :3]).abs().max()))
except Exception as error:
    print(f"A difference appears here once the encoder is written; it should be about 0. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: the decoder
#
# The decoder (chapter 7, the decoder step), which is given the context that attention has made for it:
#
# $$s_0 = \tanh(W_s \overleftarrow h_1), \qquad s_i = \mathrm{GRU}([E y_{i-1}; c_i], s_{i-1}), \qquad
#   \text{logits}_i = W_o\, t(s_i, E y_{i-1}, c_i)$$
#
# `start` makes the first state, once per sentence; `step` makes the next state and the logits of the next word.
#
# > **Often believed:** "the context replaces the hidden state", or "replaces the input word".
# > Look at the equation of $s_i$: word, context and old state all enter the cell.
#
# <details><summary>Hint 1: a nudge</summary>
#
# `final` has two halves. Which of them has just read word 1, and where in `final` is it?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# In `step`: look the word up, run the cell, run the readout, run the output layer. Each layer runs once.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.cat([…, …], dim=-1)` puts word and context side by side, in the order of the equation.
# The readout gets the *new* state; the pair to return is named in the stub.
# </details>

# %% answer="ContextDecoder.start ContextDecoder.step"
from seq2seq.exercises.capstone import ContextDecoder

# %% check="context_decoder_visible" points=2
from autograder.tasks.capstone import check

check("context_decoder", ContextDecoder)

# %% check="context_decoder_hidden" points=2 hidden=true
# When graded: one sentence, previous words that are marks, other sizes, float64, gradients.
from autograder.tasks.capstone import check

check("context_decoder", ContextDecoder, hidden=True)

# %% [markdown]
# ## Task 3: the wiring
#
# Now the parts meet (chapter 7, attention between two decoder states):
#
# $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j, \qquad
#   s_i = f(s_{i-1}, y_{i-1}, c_i)$$
#
# `read` is what happens once per sentence, `step` what happens once per word.
# The four parts are attributes of `self`; the docstring says what each takes and returns.
# The check passes in toy parts in their place, so only the wiring is judged.
#
# > **Often believed:** "Bahdanau's attention is the additive score."
# > It is this order: the query is the state *before* the step, and the context enters the step.
# > Luong's order is the step first, attention after it; either order works with any scorer.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the four parts does not depend on the words said so far? It belongs in `read`, and so does everything that
# the encoder gives.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The encoder needs lengths, and you have a mask: how many true values does each row have?
# In `step`: score, attend, decoder step. Three lines, in this order.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `read` returns the memory, a tuple of three, and the first state.
# `step` takes the memory apart again; the projected keys are scored, the encoder states are summed.
# </details>

# %% answer="Translator.read Translator.step"
from seq2seq.exercises.capstone import Translator

# %% check="translator_visible" points=2
from autograder.tasks.capstone import check

check("translator", Translator, toy_parts)

# %% check="translator_hidden" points=2 hidden=true
# When graded: one sentence, sentences of one word, columns of nothing but padding.
from autograder.tasks.capstone import check

check("translator", Translator, toy_parts, hidden=True)

# %% [markdown]
# ## Task 4: the search
#
# Greedy decoding (chapter 2): the source is read once; at every step the most probable word, which the next step hears.
#
# $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x), \qquad \hat y_0 = \text{BOS}$$
#
# A sentence ends with its EOS, which is among the ids; what follows in its row is PAD.
# The search ends when every sentence has ended, or after `max_length` words.
# The check passes in a translator to rehearse with.
#
# > **Often believed:** "greedy decoding finds the most probable translation."
# > It finds the most probable *next word*, again and again; chapter 11 shows where that goes wrong, and beam search.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Sentences of a batch end at different steps. What has to be remembered for each, from step to step?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# A boolean per sentence: finished or not. Finished ones get PAD, and a sentence that says EOS is finished from the
# next step on.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# In the loop: step, argmax, `masked_fill` by `finished`, append ids and weights, bring `finished` up to date (a
# sentence once finished stays finished).
# `torch.stack(…, dim=1)` turns the steps into columns.
# </details>

# %% answer="greedy"
from seq2seq.exercises.capstone import greedy

# %% check="greedy_visible" points=2
from autograder.tasks.capstone import check

check("greedy", greedy, toy_translator)

# %% check="greedy_hidden" points=2 hidden=true
# When graded: one sentence, sentences of one word, a single step, the last EOS at the last step, some cut off, a
# sentence that says EOS at once.
from autograder.tasks.capstone import check

check("greedy", greedy, toy_translator, hidden=True)

# %% [markdown]
# ## Your system at work
#
# The weights that you load here were trained on short sentences of the course's English–French grammar for about a
# minute and a half, with the same parts that you have written; further down you train weights of your own.
#
# `translate` takes English sentences and returns French words and attention weights.

# %% tags=["demonstration"]
# Your parts with trained weights (nothing to write here).
from seq2seq.demos.capstone import ATTENTION_SIZE, EMBEDDING_SIZE, HALF, SIZE, lessons, part, unseen_pairs, words

english, french = words()


def assembled():
    """Your four parts, wired by you, with the trained weights."""
    encoder = Encoder(len(english), EMBEDDING_SIZE, HALF)
    scorer = AdditiveScorer(SIZE, 2 * HALF, ATTENTION_SIZE)
    decoder = ContextDecoder(len(french), EMBEDDING_SIZE, SIZE, 2 * HALF)
    for name, module in (("encoder", encoder), ("scorer", scorer), ("decoder", decoder)):
        module.load_state_dict(part(name))
    return Translator(encoder, scorer, attend, decoder)


def translate(sentences, translator=None, max_length=30):
    """English sentences, each a list of words → for each its French words, and the weights (French, English)."""
    source = pad([english.encode(sentence) for sentence in sentences])
    source_mask = length_mask(torch.tensor([len(sentence) for sentence in sentences]), source.size(1))
    with torch.no_grad():
        ids, weights = greedy(translator or assembled(), source, source_mask, max_length)
    translations = [french.decode(row) for row in ids.tolist()]
    return [(row, table[: len(row)]) for row, table in zip(translations, weights, strict=True)]


try:
    pairs = unseen_pairs()
    translations = [translation for translation, _ in translate([pair.source for pair in pairs])]
    right = sum(translation == list(pair.target) for translation, pair in zip(translations, pairs, strict=True))
    print(f"Of {len(pairs)} sentences that the model has never seen, {right} come out exactly right.\n")
    for translation, pair in list(zip(translations, pairs, strict=True))[:8]:
        print(f"{'✓' if translation == list(pair.target) else '✗'} {' '.join(pair.source)}\n  {' '.join(translation)}")
    print("\nWrong ones, with what was expected:")
    for translation, pair in zip(translations, pairs, strict=True):
        if translation != list(pair.target):
            print(f"✗ {' '.join(pair.source)}\n  {' '.join(translation)}\n  expected: {' '.join(pair.target)}")
except Exception as error:
    print(f"Translations appear here once every part is written. ({type(error).__name__})")

# %% [markdown]
# Now type a sentence of your own; short ones, made of words that the model knows, work best.
# Those words are printed below the translation.
# A word that it does not know becomes `<unk>`, and you are told.

# %% tags=["demonstration"]
my_sentence = "the young teacher does not see the interesting letter ."

try:
    typed = my_sentence.lower().split()
    unknown = [word for word in typed if english.encode([word]) == [UNK]]
    if unknown:
        print("not known:", ", ".join(unknown))
    translation, weights = translate([typed])[0]
    print(" ".join(translation))
    display(alignment_plot(weights, typed, translation))
except Exception as error:
    print(f"A translation and a table of weights appear here once every part is written. ({type(error).__name__})")
print("\nThe words that it knows:")
print(textwrap.fill(" ".join(sorted(english.tokens[4:])), 80))

# %% [markdown]
# Look at the table: where French has a different order from English (*interesting letter*, *lettre intéressante*), the
# weights cross.
# Look at *ne … pas*, and at what an article looks at: its noun, whose gender it needs.
#
# Now the same, word by word: what your decoder reads, looks at, and might have said.
# Where the notebook can show a player (JupyterLab, VS Code), step through it with the arrow keys, and type further
# sentences into its field; your system translates them.

# %% tags=["demonstration"]
# Your system, step by step (nothing to write here).
from seq2seq.widgets.watch import watch

try:
    watch({"Your system": assembled()}, typed, english, french)
except Exception as error:
    print(f"Your system, step by step, appears here once every part is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: the loss of a batch
#
# To train your system you need its loss under teacher forcing (chapter 2): at each step the decoder hears the *right*
# previous word, and pays minus the logarithm of the probability that it gives to the right next word.
#
# $$L = -\frac{1}{N} \sum_b \sum_{i:\, y_{bi} \neq \text{PAD}} \ln p(y_{bi} \mid y_{b,i-1}, \ldots, y_{b1}, x_b),
#   \qquad y_{b0} = \text{BOS}$$
#
# $N$ is the number of target words of the whole batch, each sentence's EOS among them; padding never counts.
# The target comes with EOS, but without BOS.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What does the decoder hear at step 1, and what at step 2? And which word should it say at step 2?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `read` once, then `step` once for each column of the target; the column is what should be said now and what is
# heard next.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `functional.cross_entropy` takes raw logits and ids; it can sum, and it can skip an id.
# Divide once, at the end: a mean of the steps' means would count a late word more than an early one.
# </details>

# %% answer="batch_loss"
from seq2seq.exercises.capstone import batch_loss

# %% check="batch_loss_visible" points=2
from autograder.tasks.capstone import check

check("batch_loss", batch_loss, toy_system)

# %% check="batch_loss_hidden" points=2 hidden=true
# When graded: one sentence, targets of EOS alone, columns of nothing but padding, words of probability 1 and near 0,
# `<unk>`.
from autograder.tasks.capstone import check

check("batch_loss", batch_loss, toy_system, hidden=True)

# %% [markdown]
# ## Task 6: training
#
# One pass over the batches, one step for each: the loss, its gradient (without what `.grad` held before), the gradient
# clipped (chapter 11), a step of `torch.optim.Adam` with the given learning rate and PyTorch's defaults for everything
# else.
#
# $$g \leftarrow g \cdot \min\left(1, \frac{r}{\lVert g \rVert}\right)$$
#
# $\lVert g \rVert$ is the norm of the gradient of all parameters together, and $r$ is `largest_norm`.
# Put the model into training mode first; `model(*batch)` is the loss of a batch.
# Return the loss of each batch, before its step, as a list of numbers.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the things that you make belong before the loop, and which inside it?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Gradients add up in `.grad` until they are set to 0; clipping changes what is in there, and the step reads it.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `nn.utils.clip_grad_norm_` takes all parameters at once. The loss as a number: `.item()`.
# </details>

# %% answer="train"
from seq2seq.exercises.capstone import train

# %% check="train_visible" points=2
from autograder.tasks.capstone import check

check("train", train, toy_model)

# %% check="train_hidden" points=2 hidden=true
# When graded: other sizes, gradients that are short enough already, gradients that are all too long, one batch, many.
from autograder.tasks.capstone import check

check("train", train, toy_model, hidden=True)

# %% [markdown]
# ## Task 7: is it better, or lucky?
#
# Two systems translate the same sentences. On how many is only one right, and on how many only the other?
# Sentences that both get right, or both wrong, do not tell them apart.
# If the change had no effect, each of the $n = w + l$ sentences that differ would be a toss of a coin; $p$ is the
# probability that such tosses give a lead as large as this one, or larger, in either direction:
#
# $$p = \min\left(1,\; 2 \sum_{k=0}^{\min(w, l)} \binom{n}{k} 2^{-n}\right)$$
#
# `before` and `after` are lists of truth values of equal length; where they agree everywhere, $p$ is 1.
# Return $w$ (right only after the change), $l$ (right only before it) and $p$.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What is $p$ for 5 : 0, by hand? And for 1 : 1?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Walk through both lists together and count two kinds of sentences.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `zip` and `math.comb`. Python's whole numbers have no upper limit, but its floats have.
# </details>

# %% answer="sign_test"
from seq2seq.exercises.capstone import sign_test

# %% check="sign_test_visible" points=1
from autograder.tasks.capstone import check

check("sign_test", sign_test)

# %% check="sign_test_hidden" points=1 hidden=true
# When graded: 275, 600 and 2240 sentences, a change for the worse, a tiny lead, five sentences all won, a single
# sentence, no difference at all.
from autograder.tasks.capstone import check

check("sign_test", sign_test, hidden=True)

# %% [markdown]
# ## Your experiment
#
# Now train your own system, twice: as it is, and with **one** change. A run takes about a quarter of a minute on
# one free core, and a busy machine takes longer.
# Pick a change whose effect you want to know, and write down what you expect before you run it:
#
# - no attention: an `attend` that gives every real word the same weight;
# - another scorer: `ScaledDotScorer()`, which has no parameters (the sizes here fit), in place of the additive one;
# - Luong's order, or a decoder state of half the size;
# - no clipping, or another learning rate;
# - half of the batches;
# - any question of your own.
#
# `System` takes the parts, so that you can replace one of them.
# Set `TRAIN = True` to run the cell below, and back to `False` before you hand in: nothing is trained when your work
# is graded; the numbers in your answer count.

# %% tags=["demonstration"]
TRAIN = False


class System(nn.Module):
    """The four parts as one module; called with a batch, it gives the loss."""

    def __init__(self, encoder=None, scorer=None, attend=attend, decoder=None):
        super().__init__()
        encoder = encoder or Encoder(len(english), EMBEDDING_SIZE, HALF)
        scorer = scorer or AdditiveScorer(SIZE, 2 * HALF, ATTENTION_SIZE)
        decoder = decoder or ContextDecoder(len(french), EMBEDDING_SIZE, SIZE, 2 * HALF)
        self.encoder, self.scorer, self.decoder = encoder, scorer, decoder  # their parameters are found by train
        self.translator = Translator(encoder, scorer, attend, decoder)

    def forward(self, *batch):
        return batch_loss(self.translator, *batch)


def measured(system):
    """For each sentence that nobody trained on, whether the translation is right, word for word."""
    system.eval()
    translations = translate([pair.source for pair in unseen_pairs()], system.translator)
    return [
        translation == list(pair.target) for (translation, _), pair in zip(translations, unseen_pairs(), strict=True)
    ]


if TRAIN:
    batches = 2 * lessons(250)
    results = {}
    for name, seed in (("before", 0), ("before, another seed", 1)):  # add your change here: how far do seeds differ?
        torch.manual_seed(seed)
        system = System()
        losses = train(system, batches, learning_rate=8e-3, largest_norm=1.0)
        results[name] = measured(system)
        print(f"{name:22} last losses {sum(losses[-20:]) / 20:.3f}, right {sum(results[name])} of {len(results[name])}")
        print(" " * 22, "won, lost, p against `before`:", sign_test(results["before"], results[name]))

# %% [markdown]
# ## Your translator, to show to others
#
# The next cell writes `my_translator.html`: one file with your weights and a script that runs them.
# Open it in a browser, or send it to somebody: it needs no Python and no connection.
# Whoever opens it can type a sentence, change a weight by hand, and see what your system would have said instead.
# If `TRAIN` is `True` above, the system that you trained last stands beside the one with the given weights.
#
# The script follows Bahdanau's order, as your parts do; should they do anything else, the cell says so.

# %% tags=["demonstration"]
# Your translator as a page (nothing to write here).
try:
    from seq2seq.demos.capstone_page import write_page

    systems = {"The given weights": assembled()}
    if TRAIN:
        systems["Trained by me"] = system.translator
    page = write_page("my_translator.html", systems, english, french, [typed, *(pair.source for pair in pairs[:5])])
    print(f"{page.resolve()}: {page.stat().st_size / 1e6:.1f} MB")
    display(FileLink(page))
except ImportError:
    print("No page is made where the course's library is not.")
except Exception as error:
    print(f"Your page is made here once every part is written. ({type(error).__name__}: {error})")

# %% [markdown]
# ## Your finding
#
# What did you change, and what did you expect? What did you measure, on how many sentences and with how many seeds?
# Is the difference larger than that between two seeds of the same system, and what does the sign test say?
# Look at three sentences that only one of the two systems gets right: what do they have in common?
# What would you measure next to be surer? Write about ten sentences, with your numbers.

# %% [markdown] question="finding" points=5
# **Model answer.** I gave every real word the same weight and expected that short sentences would hardly suffer, since
# one vector holds four words well. With 500 steps and seed 0, the system with attention had 128 of 200 unseen sentences
# right, the one without 94: attention won 42 sentences and lost 8, p about 1e-6. By length the picture is clear: of
# the sentences of 4 words both have nearly all (44 and 46 of 48), of those of 9 and 10 words 14 of 44 are right with
# attention and 2 without. The sentences that only attention gets right come out fluent and wrong without it: *bear*
# for *elephant*, *Japan* for *Spain*; the right kind of word, not the right one. But a second seed of the *unchanged*
# system had 143 right, and against the first it won 26 and lost 11, p = 0.02: a p of this size between two single
# systems says that they differ, not that a change made them differ. The gap of attention is more than twice that
# between seeds, and the second seed without attention (92) agrees with its first. To be surer I would train five seeds
# of each and compare the means, by length.
#
# **Rubric.** 1 point: one change, named so that it can be repeated, and an expectation. 1 point: numbers of both
# systems on the same unseen sentences, with won, lost and p (or a reason why p says little here). 1 point: the
# difference is compared with that of two seeds. 1 point: sentences are examined, and what they share is said. 1 point:
# the conclusion claims no more than the numbers show, and names what would make it surer. A change that did nothing, or
# harm, earns the same points.

# %% [markdown]
# ## A question to answer in words: alone and in a batch
#
# A classmate's system translates every sentence well when it is alone, but some sentences come out differently when
# they are in a batch with longer ones.
# No shape is wrong, and nothing raises an error.
#
# Name **two** different parts of the system that can have such a bug, and say for each what happens to the shorter
# sentence.
# Then describe **one** test that finds the part without looking at translations.
# Four to eight sentences will do.

# %% [markdown] question="why_batch_matters" points=2
# **Model answer.** The masked softmax may leave out the mask, or apply it after the softmax: then the padding of the
# shorter sentence takes part of the weight, and the context is diluted, the more so the more padding there is.
# The encoder may reverse a whole row instead of each sentence within its own length, so that the backward direction
# reads padding first and its states are those of another sentence; or it takes the final state from the last column,
# where the forward direction has read padding.
# (The search may also be at fault: if it ends with the first finished sentence, or counts all sentences as finished.)
# A test: give a part one sentence alone, then the same sentence with more padding after it, and compare the rows of
# the real words; the first part whose numbers differ has the bug.
#
# **Rubric.** 1 point: two different places are named, each with what it does to the shorter sentence (half a point
# each).
# 1 point: the test compares the same sentence with and without padding, part by part, and says what must be equal;
# half a point if it only compares translations.

# %% [markdown]
# ## To go further (not graded)
#
# 1. Replace `attend` in `assembled()` with one that gives every real word the same weight, and translate again.
#    What breaks first: the words, their order, or the agreement of article and noun?
# 2. Give your system a sentence of 25 words. It was trained on at most ten: where do the weights go wrong?
# 3. Replace `greedy` with your beam search of exercise 11, and count how many more of the unseen sentences come out
#    right.

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
#       - seq2seq/corpora/__init__.py
#       - seq2seq/corpora/pair.py
#       - seq2seq/cells.py
#       - seq2seq/gru.py
#       - seq2seq/paper_gru.py
#       - seq2seq/scorer.py
#       - seq2seq/decoders/__init__.py
#       - seq2seq/decoders/readout.py
#       - seq2seq/rehearsal.py
#       - seq2seq/capstone.py
#       - seq2seq/checkpoints/__init__.py
#       - seq2seq/checkpoints/capstone.npz
#       - seq2seq/checkpoints/capstone.json
#       - seq2seq/plots.py
#       - seq2seq/widgets/__init__.py
#       - seq2seq/widgets/watch.py
# ---

# %% [markdown]
# # Capstone: your own translation system
#
# You put together a system that translates English into French, from nothing but parts that you have written:
# batch, encoder, scorer, masked softmax, attend, decoder, the wiring, and the search.
# Then you load trained weights into your parts, type a sentence, and see it translated, with a picture of where each
# word looked.
# The model is that of Bahdanau et al. (2015), small; the notebook brings chapters 1 to 7 together.
#
# **Time:** 60 to 90 minutes, less if you bring along your answers to the exercises before.
# **Points:** 28, two of them for an answer in words.
#
# **When you are done you can**
#
# - say what each part of a translation system takes and returns, with every shape;
# - wire the parts in the order that makes it Bahdanau's model, and say what another order would be;
# - write the loop that turns a model into a translator;
# - find out by a test, not by looking at translations, which part is wrong.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# Every part is checked by itself, and those that call others are checked with *rehearsal parts*: tiny stand-ins with
# the same calls as the real ones.
# So one wrong part costs its own points alone.
# Some parts you have written before: copy your answer, but read the stub, since names are part of the contract here.
# Throughout, batch comes first, and `source_mask` is true for real tokens.

# %% given="setup"
import math
import textwrap
from collections.abc import Callable, Sequence
from typing import Any

import torch
from IPython.display import display
from torch import Tensor, nn

from seq2seq.cells import recurrent_layer
from seq2seq.decoders.readout import MaxoutReadout
from seq2seq.plots import alignment_plot
from seq2seq.scorer import Scorer
from seq2seq.vocab import BOS, EOS, PAD, UNK

Memory = tuple[Tensor, Tensor, Tensor]  # projected keys, encoder states, source mask


def rehearsal_parts(seed):
    """Encoder, scorer, attend and decoder to rehearse with."""
    from seq2seq.rehearsal import parts

    return parts(seed)


def rehearsal_translator(seed):
    """A translator to rehearse with: it says the source again, each id plus one."""
    from seq2seq.rehearsal import RehearsalTranslator

    return RehearsalTranslator(seed)


# %% [markdown]
# ## Warm-up: one word by pencil
#
# The parts in the order in which they will run, with the smallest numbers there are.
# The source has two words and then padding; their encoder states are $h_1 = 1$, $h_2 = 3$, and the padding's is
# $h_3 = 0$.
# The decoder state is $s_0 = 0.5$.
# In place of the additive scorer take $e_j = s_0 \cdot h_j \cdot \ln 4$, in place of the decoder's cell
# $s_1 = s_0 + c_1$.
#
# 1. The three scores are ½ ln 4 = ln 2, and which two others?
# 2. The weights: mask, then normalise.
# 3. The context $c_1$.
# 4. The new state $s_1$.
#
# Write your numbers below before you run the cell. It is not graded.

# %%
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
# ## Task 1: padding
#
# Sentences of unequal length become one rectangle of ids (chapter 1, padding): the longest sets the width, and the
# others are filled up with `PAD` at their end.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What has to be known before the first row can be written?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Each row is the sentence, then as many `PAD` as it is shorter than the longest.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# A list times a number repeats the list. Ids are `torch.long`, even where every sentence is empty.
# </details>

# %% answer="pad"
from seq2seq.batch import pad

# %% check="pad_visible" points=1
from autograder.checks.batches import check_pad

check_pad(pad)

# %% check="pad_hidden" points=1 hidden=true
# When graded: one sentence, equal lengths, an empty sentence, one token each, a long sentence.
from autograder.checks.batches import check_pad_hidden

check_pad_hidden(pad)

# %% [markdown]
# ## Task 2: the mask of real tokens
#
# The mask (chapter 1, padding mask): $m_{bj} = 1$ where $j$ is below the length of sentence $b$, counted from 0.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which places of a row of five are real when its sentence has three words?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Compare all places with all lengths at once: one of the two is a row, the other a column.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.arange` gives the places, `unsqueeze` makes the column, and a comparison gives a boolean tensor.
# </details>

# %% answer="length_mask"
from seq2seq.batch import length_mask

# %% check="length_mask_visible" points=1
from autograder.checks.batches import check_length_mask

check_length_mask(length_mask)

# %% check="length_mask_hidden" points=1 hidden=true
# When graded: one sentence, equal lengths, an empty sentence, a single place, as many rows as places.
from autograder.checks.batches import check_length_mask_hidden

check_length_mask_hidden(length_mask)

# %%
# A batch of yours (nothing to write here): # is a real token, · is padding.
try:
    rectangle = pad([[5, 6, 7, 8], [9], [10, 11]])
    for ids, real in zip(rectangle.tolist(), length_mask(torch.tensor([4, 1, 2]), 4).tolist(), strict=True):
        print(" ".join(f"{id:2}" for id in ids), "  ", "".join("#" if one else "·" for one in real))
except Exception as error:
    print(f"A batch appears here once padding and mask are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: the encoder
#
# The bidirectional encoder (chapter 7, the encoder; appendix A.2.1 of Bahdanau et al.):
#
# $$h_j = [\overrightarrow h_j; \overleftarrow h_j], \qquad
#   \text{final} = [\overrightarrow h_T; \overleftarrow h_1]$$
#
# The layers are there; `forward` is yours.
# It returns the states of all words, 0 at padding, and `final`: what each direction holds when it has read all.
# `reverse_within_length` and `check_lengths` are given; you may use them or do without.
# Only encoders that read both ways are checked, so `backward_rnn` is always there.
#
# > **Often believed:** "the last state of a bidirectional encoder is its output in the last column."
# > There the forward half is right if no padding follows, and the backward half has read one single word.
#
# <details><summary>Hint 1: a nudge</summary>
#
# A batch has sentences of 5 and of 3 words. In which column has the forward direction read all of the shorter one?
# And at which word has the backward direction?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The backward direction is a recurrent layer that reads the sentence reversed.
# Reversed within its own length, it never meets padding before it is done; its states then have to be turned back.
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
from autograder.checks.both_ways import check_encoder

check_encoder(Encoder)

# %% check="encoder_hidden" points=2 hidden=true
# When graded: one sentence, sentences of one word, columns of nothing but padding, other sizes, float64, gradients.
from autograder.checks.both_ways import check_encoder_hidden

check_encoder_hidden(Encoder)

# %%
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
# ## Task 4: the scorer
#
# The additive score (chapter 5, the additive scorer): $e_j = v^\top \tanh(W q + U k_j)$.
#
# `project_keys` does what depends on the keys alone, once per sentence; `score` does the rest, once per word.
#
# <details><summary>Hint 1: a nudge</summary>
#
# There is one query and there are many keys: an axis of size 1 lets their parts meet.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# (batch, attention_size) and (batch, keys, attention_size) → (batch, keys, attention_size) → (batch, keys).
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Sum, tanh, `energy_layer`; then one axis too many is left.
# </details>

# %% answer="AdditiveScorer.project_keys AdditiveScorer.score"
from seq2seq.scorers import AdditiveScorer

# %% check="additive_scorer_visible" points=1
from autograder.checks.scorers import check_additive_scorer

check_additive_scorer(AdditiveScorer)

# %% check="additive_scorer_hidden" points=1 hidden=true
# When graded: other sizes, a batch of one sentence, sentences of one key, float64, and gradients.
from autograder.checks.scorers import check_additive_scorer_hidden

check_additive_scorer_hidden(AdditiveScorer)

# %% [markdown]
# ## Task 5: the masked softmax
#
# The masked softmax (chapter 6), with a temperature $\tau$:
#
# $$\alpha_j = \frac{m_j \exp(e_j / \tau)}{\sum_k m_k \exp(e_k / \tau)}$$
#
# Padding gets exactly 0, the real tokens share all of the 1, scores of ±10 000 do not overflow, and a sentence without
# a real token gets weights of 0.
# The two errors that the docstring names are good manners; they are not graded.
#
# <details><summary>Hint 1: a nudge</summary>
#
# The mask has to act before the softmax. Which score makes an exponential of 0?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Divide by the temperature, give padding the lowest finite score, take the softmax.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `masked_fill`, `torch.finfo(scores.dtype).min`, `torch.softmax`.
# What does the softmax make of a row that is lowest everywhere?
# </details>

# %% answer="masked_softmax"
from seq2seq.attention import masked_softmax

# %% check="masked_softmax_visible" points=1
from autograder.checks.masking import check_masked_softmax

check_masked_softmax(masked_softmax)

# %% check="masked_softmax_hidden" points=1 hidden=true
# When graded: one sentence, one key, padding on the left and in between, scores near ±10000, other temperatures,
# float64, scores (batch, queries, keys), and gradients.
from autograder.checks.masking import check_masked_softmax_hidden

check_masked_softmax_hidden(masked_softmax)

# %% [markdown]
# ## Task 6: attend
#
# From scores to context (chapter 6, attention with a mask): $\alpha = \mathrm{softmax}(e \mid m)$,
# $c = \sum_j \alpha_j v_j$.
# `weighted_sum` is given; use your `masked_softmax`.
# What that one returns is taken as it is, right or wrong.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Two lines: first the weights, then the context.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The context is summed with the very weights that you return.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# Look at the order in which the stub names its results.
# </details>

# %% answer="attend"
from seq2seq.attention import attend, weighted_sum

# %% check="attend_visible" points=1
from autograder.checks.attention import check_attend

check_attend(attend, masked_softmax)

# %% check="attend_hidden" points=1 hidden=true
# When graded: one sentence, a sentence without a real token, mostly padding, float64, gradients.
from autograder.checks.attention import check_attend_hidden

check_attend_hidden(attend, masked_softmax)

# %% [markdown]
# ## Task 7: the decoder
#
# The decoder (chapter 7, the decoder step), handed the context that attention has made for it:
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
# `final` has two halves. Which of them has just read word 1, and where in `final` does it lie?
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
from seq2seq.assembly import ContextDecoder

# %% check="context_decoder_visible" points=2
from autograder.checks.context_decoder import check_context_decoder

check_context_decoder(ContextDecoder)

# %% check="context_decoder_hidden" points=2 hidden=true
# When graded: one sentence, other sizes, float64, gradients.
from autograder.checks.context_decoder import check_context_decoder_hidden

check_context_decoder_hidden(ContextDecoder)

# %% [markdown]
# ## Task 8: the wiring
#
# Now the parts meet (chapter 7, attention between two decoder states):
#
# $$e_{ij} = a(s_{i-1}, h_j), \qquad \alpha_i = \mathrm{softmax}(e_i), \qquad c_i = \sum_j \alpha_{ij} h_j, \qquad
#   s_i = f(s_{i-1}, y_{i-1}, c_i)$$
#
# `read` is what happens once per sentence, `step` what happens once per word.
# The four parts are attributes of `self`; the docstring says what each takes and returns.
# The check hands you rehearsal parts in their place, so the wiring alone is judged.
#
# > **Often believed:** "Bahdanau's attention is the additive score."
# > It is this order: the query is the state *before* the step, and the context enters the step.
# > Luong's order is the step first, attention after it; either order works with any scorer.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the four parts does not depend on the words said so far? It belongs to `read`, and so does everything that
# the encoder gives.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The encoder wants lengths, and you have a mask: how many true values has each row?
# In `step`: score, attend, decoder step. Three lines, in this order.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `read` returns the memory, a tuple of three, and the first state.
# `step` takes the memory apart again; what is scored are the projected keys, what is summed are the encoder states.
# </details>

# %% answer="Translator.read Translator.step"
from seq2seq.assembly import Translator

# %% check="translator_visible" points=2
from autograder.checks.translator import check_translator

check_translator(Translator, rehearsal_parts)

# %% check="translator_hidden" points=2 hidden=true
# When graded: one sentence, sentences of one word, columns of nothing but padding, three steps one after another.
from autograder.checks.translator import check_translator_hidden

check_translator_hidden(Translator, rehearsal_parts)

# %% [markdown]
# ## Task 9: the search
#
# Greedy decoding (chapter 2): at every step the most probable word, which the next step hears.
#
# $$\hat y_i = \arg\max_y p(y \mid \hat y_1, \ldots, \hat y_{i-1}, x), \qquad \hat y_0 = \text{BOS}$$
#
# A sentence ends with its EOS, which belongs to the ids; what follows in its row is PAD.
# The search ends when every sentence has, or after `max_length` words.
# The check hands you a translator to rehearse with.
#
# > **Often believed:** "greedy decoding finds the most probable translation."
# > It finds the most probable *next word*, again and again; chapter 11 shows where that goes wrong, and beams.
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
# sentence once finished stays so).
# `torch.stack(…, dim=1)` makes columns of the steps.
# </details>

# %% answer="greedy"
from seq2seq.assembly import greedy

# %% check="greedy_visible" points=2
from autograder.checks.said_words import check_greedy

check_greedy(greedy, rehearsal_translator)

# %% check="greedy_hidden" points=2 hidden=true
# When graded: one sentence, sentences of one word, a single step, the last EOS at the last step, some cut off.
from autograder.checks.said_words import check_greedy_hidden

check_greedy_hidden(greedy, rehearsal_translator)

# %% [markdown]
# ## Your system at work
#
# All of it is yours now, except the weights.
# They were trained on short sentences of the course's English–French grammar for about a minute and a half, with the
# very parts that you have written; no training happens here.
#
# `translate` takes English sentences and returns French words and attention weights.

# %%
# Your parts with trained weights (nothing to write here).
from seq2seq.capstone import ATTENTION_SIZE, EMBEDDING_SIZE, HALF, SIZE, part, unseen_pairs, words

english, french = words()


def assembled():
    """Your four parts, wired by you, with the trained weights."""
    encoder = Encoder(len(english), EMBEDDING_SIZE, HALF)
    scorer = AdditiveScorer(SIZE, 2 * HALF, ATTENTION_SIZE)
    decoder = ContextDecoder(len(french), EMBEDDING_SIZE, SIZE, 2 * HALF)
    for name, module in (("encoder", encoder), ("scorer", scorer), ("decoder", decoder)):
        module.load_state_dict(part(name))
    return Translator(encoder, scorer, attend, decoder)


def translate(sentences, max_length=30):
    """English sentences, each a list of words → for each its French words, and the weights (French, English)."""
    source = pad([english.encode(sentence) for sentence in sentences])
    source_mask = length_mask(torch.tensor([len(sentence) for sentence in sentences]), source.size(1))
    with torch.no_grad():
        ids, weights = greedy(assembled(), source, source_mask, max_length)
    said = [french.decode(row) for row in ids.tolist()]
    return [(row, table[: len(row)]) for row, table in zip(said, weights, strict=True)]


try:
    pairs = unseen_pairs()
    translations = [said for said, _ in translate([pair.source for pair in pairs])]
    right = sum(said == list(pair.target) for said, pair in zip(translations, pairs, strict=True))
    print(f"Of {len(pairs)} sentences that the model has never seen, {right} come out exactly right.\n")
    for said, pair in list(zip(translations, pairs, strict=True))[:8]:
        print(f"{'✓' if said == list(pair.target) else '✗'} {' '.join(pair.source)}\n  {' '.join(said)}")
    print("\nWrong ones, with what was expected:")
    for said, pair in zip(translations, pairs, strict=True):
        if said != list(pair.target):
            print(f"✗ {' '.join(pair.source)}\n  {' '.join(said)}\n  expected: {' '.join(pair.target)}")
except Exception as error:
    print(f"Translations appear here once every part is written. ({type(error).__name__})")

# %% [markdown]
# Now type a sentence of your own; short ones, in the words that the model knows, work best.
# Those words are printed below the translation.
# A word that it does not know becomes `<unk>`, and you are told.

# %%
my_sentence = "the young teacher does not see the interesting letter ."

try:
    typed = my_sentence.lower().split()
    unknown = [word for word in typed if english.encode([word]) == [UNK]]
    if unknown:
        print("not known:", ", ".join(unknown))
    said, weights = translate([typed])[0]
    print(" ".join(said))
    display(alignment_plot(weights, typed, said))
except Exception as error:
    print(f"A translation and a table of weights appear here once every part is written. ({type(error).__name__})")
print("\nThe words that it knows:")
print(textwrap.fill(" ".join(sorted(english.tokens[4:])), 110))

# %% [markdown]
# Look at the table: where French has another order than English (*interesting letter*, *lettre intéressante*), the
# weights cross.
# Look at *ne … pas*, and at what an article looks at: its noun, for it needs the gender.
#
# The same word by word: what your decoder reads, looks at, and might have said.
# Where the notebook can show a player (JupyterLab, VS Code), step through it by the arrow keys, and type further
# sentences into its field; your system translates them.

# %%
# Your system, step by step (nothing to write here).
from seq2seq.widgets.watch import watch

try:
    watch({"Your system": assembled()}, typed, english, french)
except Exception as error:
    print(f"Your system, step by step, appears here once every part is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 10: a question
#
# A classmate's system translates every sentence well when it is alone, but some sentences come out differently when
# they stand in a batch with longer ones.
# No shape is wrong, and nothing raises an error.
#
# Name **two** different parts of the system in which such a bug can sit, and say for each what happens to the shorter
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
# A test: give a part one sentence alone, then the same sentence with more padding beside it, and compare the rows of
# the real words; the first part whose numbers differ has the bug.
#
# **Rubric.** 1 point: two different places are named, each with what it does to the shorter sentence (half a point
# each).
# 1 point: the test compares the same sentence with and without padding, part by part, and says what must be equal;
# half a point if it only compares translations.

# %% [markdown]
# ## To go further (not graded)
#
# 1. Replace `attend` in `assembled()` by one that gives every real word the same weight, and translate again.
#    What breaks first: the words, their order, or the agreement of article and noun?
# 2. Give your system a sentence of 25 words. It was trained on at most ten: where do the weights go wrong?
# 3. Swap the scorer for your bilinear one of exercise 5. The wiring need not change, but the weights have to be
#    trained anew: `python -m seq2seq.experiments.capstone` shows how these were made.
# 4. Replace `greedy` by your beam search of exercise 11, and count how many more of the unseen sentences come out
#    right.

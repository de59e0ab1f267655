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
#     title: The bug museum
#     assignment: 15_bug_museum
#     chapters: [15]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/museum/__init__.py
#       - seq2seq/museum/exhibits.py
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
# ---

# %% [markdown]
# # The bug museum
#
# Here are five exhibits behind glass.
# Each is a short part of a model, rewritten after a bug that public code has had, in some cases for years.
# Each of them runs, raises nothing, trains, and is wrong.
# The loss falls all the same, which is why nobody saw it: a curve says that *something* is learned, not that it is
# what you meant.
# You find the five bugs, mend them, and for three of them write the test that would have found them.
# It goes with chapter 15 (*the bug museum*).
#
# **Time:** 60 minutes. **Points:** 24.
#
# **When you are done you can**
#
# - read tensor code with suspicion: which axis, which position, divided by what, fed with what;
# - turn a symptom into a question that a small tensor answers;
# - write tests that a curve cannot replace: change what must not matter, and see that nothing changes; change what must
#   matter, and see that something does.
#
# **How it works.** An exhibit is a locked cell. A cell below it shows a symptom.
# Copy what you need of the exhibit into the answer cell and mend it there; leave the exhibit itself as it is, since
# your tests have to catch it.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# No task needs another: a bug that you do not find costs you only its own points.
# The batch axis comes first, and masks are true for real tokens.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.

# %% given="setup"
import math

import torch
import torch.nn.functional as F
from IPython.display import display
from torch import Tensor, nn

from seq2seq.plots import alignment_plot

source = ["the", "black", "cat", "sleeps"]
target = ["le", "chat", "noir", "dort"]

# %% [markdown]
# ## Warm-up: the divisor of a sum, by hand
#
# A batch holds two sentences. The first has four words, with losses 1, 2, 3, 2; the second has two, with losses 4 and
# 0, and two positions of padding.
#
# 1. What is the average loss of a real word?
# 2. What do you get if you set the padding to 0 and average over all eight positions?
# 3. The batch is padded to ten positions per sentence. What do the two numbers become?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
average_of_real_words = None
average_over_positions = None
the_two_after_more_padding = [None, None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.01 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet; count what you divide by'}")


compare("average of real words", [average_of_real_words], [2.0])
compare("average over positions", [average_over_positions], [1.5])
compare("the two after more padding", the_two_after_more_padding, [2.0, 0.6])

# %% [markdown]
# # Exhibit 1: softmax over the batch
#
# **Label.** Weights of the source words. "We ported it from code that had time first and the batch second."
#
# **Symptom.** Trains well with large batches. Translating one sentence at a time, the model looks at everything at
# once, and translations depend on what else is in the batch.

# %% given="exhibit_1" show="exhibit_weights"
from seq2seq.museum.exhibits import exhibit_weights

# %% tags=["demonstration"]
# The symptom (nothing to write here): one sentence alone, and with two neighbours.
crowd = torch.tensor([[2.0, 1.0, 0.0, -1.0], [1.0, 1.0, 3.0, 0.0], [0.0, 2.0, 1.0, 2.0]])
everyone = torch.ones(3, 4, dtype=torch.bool)
print("sentence 1 alone:          ", exhibit_weights(crowd[:1], everyone[:1])[0])
print("sentence 1 with neighbours:", exhibit_weights(crowd, everyone)[0])

# %% [markdown]
# ## Task 1: mend exhibit 1
#
# The weights (chapter 6, the masked softmax):
#
# $$\alpha_j = \frac{m_j \exp(e_j)}{\sum_l m_l \exp(e_l)}$$
#
# The weights of a sentence's words sum to 1, and padding has a weight of 0, even in a sentence without words.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Who competes with whom in the exhibit? Sum its weights along each of the two axes.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The weights of *one* sentence should sum to 1. On which axis do its words lie, when the batch comes first?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# One character is wrong. If you leave `dim` out of `F.softmax`, PyTorch guesses one from the number of axes, and warns.
# </details>

# %% answer="mended_weights"
from seq2seq.museum.repairs import mended_weights

# %% check="mended_weights_visible" points=1
from autograder.tasks.bug_museum import check

check("mended_weights", mended_weights)

# %% check="mended_weights_hidden" points=1 hidden=true
# When graded: as many sentences as words, one sentence, one word, scores near −100000, scores far apart, within a
# sentence and between sentences, words whose score is 0, padding with scores far above the words', padding in front of
# the words, a sentence without words, float64.
from autograder.tasks.bug_museum import check

check("mended_weights", mended_weights, hidden=True)

# %% tags=["demonstration"]
# Before and after (nothing to write here): the sums of the weights, sentence by sentence.
try:
    print(f"exhibit: {exhibit_weights(crowd, everyone).sum(1)}\nmended:  {mended_weights(crowd, everyone).sum(1)}")
except Exception as error:
    print(f"Two rows of sums appear here once exhibit 1 is mended. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: the test that finds it
#
# What must not matter? What else is in the batch.
# A test of this kind needs no right answer to compare with: it runs the same code on two inputs that differ only in
# something that must not matter.
#
# You are given a batch of scores without padding.
# Return two batches such that code like the exhibit's gives the **first sentence** different weights in the two, while
# correct code gives it the same in both.
# The two batches may have different numbers of sentences.
#
# Your pair is tried on correct code, on the exhibit, and on one softmax over all numbers of the batch.
#
# <details><summary>Hint 1: a nudge</summary>
#
# The symptom's cell above does it.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The first sentence has to be the same in both, or correct code is blamed. Its neighbours have to differ; having none
# is a difference too.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The same neighbours in another *order* will not do: a sum over the batch does not see the order.
# Nor will neighbours whose scores are so low that they have no share.
# </details>

# %% answer="neighbour_proof"
from seq2seq.museum.proofs import neighbour_proof

# %% check="neighbour_proof_visible" points=2
from autograder.tasks.bug_museum import check

check("neighbour_proof", neighbour_proof)

# %% check="neighbour_proof_hidden" points=1 hidden=true
# When graded: two sentences, other sizes, as many sentences as words, float64, scores near 1000.
from autograder.tasks.bug_museum import check

check("neighbour_proof", neighbour_proof, hidden=True)

# %% [markdown]
# # Exhibit 2: wrong backward state
#
# **Label.** What the decoder starts from: the states of a two-way encoder when each direction has read everything.
# "The last state is the summary. Everybody knows that."
#
# **Symptom.** None in the loss: attention makes up for it. Without attention the model is as weak as one that reads
# one way only. And adding padding to a batch changes its translations.

# %% given="exhibit_2" show="exhibit_summary"
from seq2seq.museum.exhibits import exhibit_summary

# %% tags=["demonstration"]
# The symptom (nothing to write here): each state says how many words its direction has read.
lengths = torch.tensor([4, 2])
places = torch.arange(4)
read_forward = (places + 1).expand(2, -1) * (places < lengths.unsqueeze(1))
read_backward = (lengths.unsqueeze(1) - places).clamp(min=0)
counted = torch.stack([read_forward, read_backward], dim=-1).float()
for length, summary in zip(lengths.tolist(), exhibit_summary(counted, lengths).tolist(), strict=True):
    print(f"of {length} words the forward half has read {summary[0]:.0f}, the backward half {summary[1]:.0f}")

# %% [markdown]
# ## Task 3: mend exhibit 2
#
# The summary (chapter 7, the encoder): $[\overrightarrow h_T; \overleftarrow h_1]$, with $T$ the length of *this*
# sentence.
#
# > **Often believed:** "the last state of a two-way encoder is at the last position."
# > Each direction ends somewhere else: the forward one at the last word, the backward one at the first.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Run your finger over a sentence of four words from right to left. Where is it when everything has been read?
# And where in a row with padding does the finger that moves right have to stop?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Split the features into two halves, take each at its own position, and join them again.
# The first half's position differs from sentence to sentence.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `states[rows, positions]` with two tensors of ids takes one position from each row; `torch.arange` makes the rows.
# The last word of a sentence of n words is at n − 1.
# </details>

# %% answer="mended_summary"
from seq2seq.museum.repairs import mended_summary

# %% check="mended_summary_visible" points=2
from autograder.tasks.bug_museum import check

check("mended_summary", mended_summary)

# %% check="mended_summary_hidden" points=1 hidden=true
# When graded: no padding, much padding, one sentence, one word, states of size one each way, words whose states are 0,
# float64.
from autograder.tasks.bug_museum import check

check("mended_summary", mended_summary, hidden=True)

# %% tags=["demonstration"]
# After (nothing to write here): both halves have read all of it.
try:
    for length, summary in zip(lengths.tolist(), mended_summary(counted, lengths).tolist(), strict=True):
        print(f"of {length} words the forward half has read {summary[0]:.0f}, the backward half {summary[1]:.0f}")
except Exception as error:
    print(f"Two lines appear here once exhibit 2 is mended. ({type(error).__name__})")

# %% [markdown]
# # Exhibit 3: tanh forgotten
#
# **Label.** Additive scores, after the paper. "Two linear layers and a vector. What could go wrong?"
#
# **Symptom.** The heat map has stripes: every target word looks at the same source words.
# The model learns nonetheless, because even one fixed mixture of the source tells it something.

# %% given="exhibit_3" show="exhibit_scores"
from seq2seq.museum.exhibits import exhibit_scores

# %% tags=["demonstration"]
# The symptom (nothing to write here): four decoder steps, four rows, one picture.
random = torch.Generator().manual_seed(15)
asked, offered = 3 * torch.randn(1, 4, 8, generator=random), torch.randn(1, 4, 8, generator=random)
energy = torch.randn(8, generator=random)
display(alignment_plot(exhibit_scores(asked, offered, energy).softmax(-1)[0], source, target))

# %% [markdown]
# ## Task 4: mend exhibit 3
#
# The additive score (chapter 5, the additive scorer):
#
# $$e_{ij} = v^\top \tanh(W s_{i-1} + U h_j)$$
#
# `asked` is $W s_{i-1}$ for every step, `offered` is $U h_j$ for every word, `energy` is $v$.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Compare the exhibit with the equation, sign by sign.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Without what is missing, $v^\top (W s + U h_j)$ is a sum of two numbers, one of which is the same for every word.
# What does the softmax do with a number that is the same for every word?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# It goes around the *sum*, before $v$. If it goes around each part separately, the query still cancels.
# </details>

# %% answer="mended_scores"
from seq2seq.museum.repairs import mended_scores

# %% check="mended_scores_visible" points=1
from autograder.tasks.bug_museum import check

check("mended_scores", mended_scores)

# %% check="mended_scores_hidden" points=1 hidden=true
# When graded: other sizes, as many steps as words, one sentence, one step, one word, large sums, float64.
from autograder.tasks.bug_museum import check

check("mended_scores", mended_scores, hidden=True)

# %% tags=["demonstration"]
# After (nothing to write here): an untrained scorer has no opinion yet, but its rows differ.
try:
    display(alignment_plot(mended_scores(asked, offered, energy).softmax(-1)[0], source, target))
except Exception as error:
    print(f"A table of weights appears here once exhibit 3 is mended. ({type(error).__name__})")

# %% [markdown]
# ## Task 5: the test that finds it
#
# What must matter? The query. Here the test looks at weights, (batch, queries, keys), and says whether the query
# counts: `True` if within some sentence a decoder step has other weights than the first, `False` if all steps of every
# sentence look the same way.
#
# Two traps. Sentences differ from each other anyway, so compare steps of the *same* sentence.
# And in the machine, numbers that are equal on paper differ by rounding, about one part in ten million: differences
# below 0.00001 do not count, and any single weight that differs by more does.
#
# <details><summary>Hint 1: a nudge</summary>
#
# If all steps are the same, each is the same as the first.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Subtract the first step of each sentence from all its steps, and ask for the largest difference.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `weights[:, :1]` keeps its axis and broadcasts. A difference may be negative.
# Turn the comparison into one `bool`.
# </details>

# %% answer="query_proof"
from seq2seq.museum.proofs import query_proof

# %% check="query_proof_visible" points=2
from autograder.tasks.bug_museum import check

check("query_proof", query_proof)

# %% check="query_proof_hidden" points=1 hidden=true
# When graded: a change in the last sentence alone, a small change, one weight that differs by just over 0.00001,
# differences just under it, a slow drift, the same weights in another order, two sentences that change in opposite
# directions, one sentence, one step, float64, and weights that need not sum to 1, as those of local attention
# (chapter 9).
from autograder.tasks.bug_museum import check

check("query_proof", query_proof, hidden=True)

# %% [markdown]
# # Exhibit 4: loss over padding
#
# **Label.** Perplexity on the test set. "Padding is masked, so it cannot count."
#
# **Symptom.** Better than the papers'. Better still with larger batches, or with one long sentence in each of them.

# %% given="exhibit_4" show="exhibit_perplexity"
from seq2seq.museum.exhibits import exhibit_perplexity

# %% tags=["demonstration"]
# The symptom (nothing to write here): the same two sentences, padded to different lengths.
losses = torch.tensor([[1.0, 2.0, 3.0, 2.0], [4.0, 0.0, 7.0, 7.0]])
real = torch.tensor([[True, True, True, True], [True, True, False, False]])
for more in (0, 2, 6, 16):
    wider = F.pad(losses, (0, more), value=7.0), F.pad(real, (0, more), value=False)
    print(f"padded to {4 + more:2} positions: perplexity {float(exhibit_perplexity(*wider)):.2f}")

# %% [markdown]
# ## Task 6: mend exhibit 4
#
# The perplexity per real word (chapter 11, perplexity):
#
# $$\exp\left(\frac{\sum_i m_i L_i}{\sum_i m_i}\right)$$
#
# > **Often believed:** "a masked loss is right if the padding is set to 0."
# > That mends the sum. An average has a second half, the number that it is divided by.
#
# <details><summary>Hint 1: a nudge</summary>
#
# See the warm-up, questions 1 and 2.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `mean()` divides by the number of positions. How many *words* are there?
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# A boolean mask sums to a count. Or pick the real losses out with it before anything is averaged.
# Average over the words of the whole batch, not over those of each sentence first.
# </details>

# %% answer="mended_perplexity"
from seq2seq.museum.repairs import mended_perplexity

# %% check="mended_perplexity_visible" points=1
from autograder.tasks.bug_museum import check

check("mended_perplexity", mended_perplexity)

# %% check="mended_perplexity_hidden" points=1 hidden=true
# When graded: no padding, much padding, one sentence, one word, a sentence without a real word, real words whose loss
# is 0, padding in front of the words, very large losses at the padding, long sentences of improbable words,
# float64.
from autograder.tasks.bug_museum import check

check("mended_perplexity", mended_perplexity, hidden=True)

# %% tags=["demonstration"]
# After (nothing to write here): how far a batch is padded says nothing about its sentences.
try:
    for more in (0, 2, 6, 16):
        wider = F.pad(losses, (0, more), value=7.0), F.pad(real, (0, more), value=False)
        print(f"padded to {4 + more:2} positions: perplexity {float(mended_perplexity(*wider)):.2f}")
except Exception as error:
    print(f"Four times the same perplexity appears here once exhibit 4 is mended. ({type(error).__name__})")

# %% [markdown]
# ## Task 7: the test that finds it
#
# What must not matter? The padding: how much there is, and what is in it.
#
# You are given a batch of losses and its mask.
# Return the same sentences in a batch with more positions, as the pair (padded losses, padded mask), such that
# correct code gives the same perplexity as before, and wrong code does not, in any batch: in another, the average loss
# may be the 7 of the cells above.
#
# Your pair is tried on correct code and on three kinds of wrong code: one that counts the padding when it divides, one
# that averages over all positions, and one that has the losses at the padding in its sum.
#
# <details><summary>Hint 1: a nudge</summary>
#
# If you add padding whose losses are 0, which of the three goes unnoticed?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The losses at the padding have to be finite, not 0, and not the average of those that are there already.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.cat` along the positions, once for the losses and once for the mask. To the mask, what is new is padding.
# </details>

# %% answer="padding_proof"
from seq2seq.museum.proofs import padding_proof

# %% check="padding_proof_visible" points=2
from autograder.tasks.bug_museum import check

check("padding_proof", padding_proof)

# %% check="padding_proof_hidden" points=1 hidden=true
# When graded: no padding yet, one sentence, one word, other sizes, losses whose average is 7, float64.
from autograder.tasks.bug_museum import check

check("padding_proof", padding_proof, hidden=True)

# %% [markdown]
# # Exhibit 5: evaluation by teacher forcing
#
# **Label.** Translations of the test set, to be compared with the references.
# To fit on a card the decoder is a table: for each sentence, one row of logits for each previous word.
# "We evaluate as we train."
#
# **Symptom.** Excellent BLEU. In use, one wrong word and the rest of the sentence is lost.

# %% given="exhibit_5" show="exhibit_translation"
from seq2seq.museum.exhibits import exhibit_translation

# %% tags=["demonstration"]
# The symptom (nothing to write here): a decoder that errs at one word, evaluated by the exhibit.
vocabulary = ["<bos>", "le", "chat", "noir", "dort", "chien"]
follows = [1, 5, 3, 4, 0, 1]  # after <bos>: le; after le: chien, where chat would be right; after chat: noir; …
table = F.one_hot(torch.tensor([follows]), 6).float()
reference = torch.tensor([[1, 2, 3, 4]])
print("reference:", *[vocabulary[i] for i in reference[0]])
print("exhibit:  ", *[vocabulary[i] for i in exhibit_translation(table, reference, bos=0)[0]])

# %% [markdown]
# ## Task 8: mend exhibit 5
#
# Greedy decoding (chapter 2, greedy decoding):
#
# $$\hat y_i = \arg\max_y \; p(y \mid \hat y_{i-1}, x), \qquad \hat y_0 = \mathrm{BOS}$$
#
# The reference is no longer an argument; a number of steps is. That alone makes the mistake impossible.
# Say the most likely word at each step; nothing is drawn. There are always `steps` steps, whatever is said.
#
# > **Often believed:** "the loss on the test set, computed as in training, tells how well the model translates."
# > It tells how well it goes on from words that are right. In use there is nobody to whisper them.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Follow `previous` through the exhibit's loop. Who fills it?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# The word that was said at one step is heard at the next. One variable is enough for both.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The first step hears BOS, in every sentence of the batch; each step takes, for each sentence, its own table and there
# the row of the word that this sentence said last.
# </details>

# %% answer="mended_translation"
from seq2seq.museum.repairs import mended_translation

# %% check="mended_translation_visible" points=2
from autograder.tasks.bug_museum import check

check("mended_translation", mended_translation)

# %% check="mended_translation_hidden" points=1 hidden=true
# When graded: another BOS, one sentence, one step, more steps than words, a word that follows itself, logits near
# −1000, float64.
from autograder.tasks.bug_museum import check

check("mended_translation", mended_translation, hidden=True)

# %% tags=["demonstration"]
# After (nothing to write here): what the decoder says when nobody whispers.
try:
    translations = exhibit_translation(table, reference, bos=0), mended_translation(table, 0, 4)
    for name, words in zip(("reference", "exhibit", "mended"), (reference, *translations), strict=True):
        print(f"{name + ':':10}", *[vocabulary[i] for i in words[0]])
except Exception as error:
    print(f"Three lines appear here once exhibit 5 is mended. ({type(error).__name__})")

# %% [markdown]
# ## Question: why did nobody see it?
#
# Choose **two** exhibits, one that is a bug of the model and one that is a bug of the measurement.
#
# 1. Why does the training loss of the first fall in spite of the bug?
# 2. Why is the number of the second too good, and what would have made somebody suspicious?
# 3. For one of the two: which test finds it before any training, and what does this test hold fixed, and what does it
#    change?
#
# Answer in four to eight sentences.

# %% [markdown] question="why_nobody_saw" points=3
# **Model answer.** Exhibit 3 is a bug of the model: without the tanh the query cancels in the softmax, so every step
# gets the same mixture of the source, but that mixture, the decoder's own state and the previous word still tell much
# about the next word, so the loss falls, only not as far as it could; without the right model beside it nobody knows
# how far that is.
# Exhibit 4 is a bug of the measurement: the padding adds nothing to the sum but counts in the number it is divided by,
# so the average is too small and the perplexity too good; somebody should have been suspicious because it changes with
# the size of the batch, or because it beats published results.
# A test of exhibit 4 keeps the sentences and their losses fixed and changes the amount of padding and what is in
# it; the perplexity must stay the same.
# It needs no trained model and no right answer to compare with.
# (Equally good: exhibit 1 or 2 as bugs of the model; exhibit 5 as one of the measurement, where the reference's words
# are fed in, so that an error never has consequences, and changing the reference must not change the translation.)
#
# **Rubric.** 1 point: the part with the bug still passes on some information, or other parts make up for it, so the
# loss falls; 1 point: why the measured number is too good, with a sign that could have been seen; 1 point: a test that
# names what is held fixed and what is changed, and what must stay or must not stay the same.

# %% [markdown]
# ## To go further (not graded): the store room
#
# Three more pieces did not fit into the hall. Say what is wrong with each before you open the label.
#
# **A.** The vocabulary begins with `<bos>`, which is 0, and batches are filled up with zeros:
#
# ```python
# batch = torch.zeros(len(sentences), longest, dtype=torch.long)
# …
# source_mask = batch != 0
# ```
#
# <details><summary>Label of A</summary>
#
# PAD = BOS. The mask hides every real `<bos>` as well, and where the loss ignores id 0 or masks by it, whatever shares
# that id is never learned; with PAD = EOS the model never learns to stop. Give padding an id of its own, and make masks
# from lengths.
# </details>
#
# **B.** Weights after the paper's equation, with the padding removed:
#
# ```python
# weights = torch.softmax(scores, dim=-1) * source_mask
# ```
#
# <details><summary>Label of B</summary>
#
# The mask comes after the softmax: padding takes part in the competition, and the weights of the real words no longer
# sum to 1. The same sentence gets smaller weights in a batch with a longer one. Test: add padding; nothing may change.
#
# Even results may hide it. Models with additive scores that were trained and tested on reversal without any mask get
# 98.0, 99.0 and 98.0 % of the sentences right from three seeds; with a mask it is 98.5, 97.0 and 98.0 %.
# Then 160 positions of padding are added to the test's batches: nothing changes for those with a mask, and those
# without fall to 39.5, 74.0 and 72.5 % (`seq2seq/experiments/results/padding.json`).
# </details>
#
# **C.** A decoder with input feeding:
#
# ```python
# for word in embedded.unbind(1):
#     attentional = word.new_zeros(batch_size, size)
#     state = cell(torch.cat([word, attentional], dim=-1), state)
#     context, weights = attend(state, memory)
#     attentional = torch.tanh(combine(torch.cat([context, state], dim=-1)))
#     outputs.append(attentional)
# ```
#
# <details><summary>Label of C</summary>
#
# Input feeding is missing: a new vector of zeros is made at every step, so that the cell never hears what was
# attended to before. Shapes and number of parameters are right. Test: change the first context, and see whether the
# second state moves.
#
# And the curve flatters. The average loss in each tenth of two minutes of training, from
# `seq2seq/experiments/results/length_curve.json` (bilinear scores, seed 0):
#
# | tenth | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 |
# |---|---|---|---|---|---|---|---|---|---|---|
# | with input feeding | 4.87 | 2.73 | 1.24 | 0.59 | 0.35 | 0.23 | 0.16 | 0.12 | 0.10 | 0.10 |
# | without | 3.68 | 0.66 | 0.27 | 0.17 | 0.10 | 0.06 | 0.04 | 0.03 | 0.02 | 0.02 |
#
# The second model does without it on purpose, takes less time for a step, and is the better one on this easy language.
# Anyone who left input feeding out by mistake would be pleased with the curve.
# </details>
#
# Write the test for A, B or C in the cell below: inputs, and what must hold.

# %% tags=["demonstration"]
# your test

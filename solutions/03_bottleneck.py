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
#     title: Measuring the bottleneck
#     assignment: 03_bottleneck
#     chapters: [3]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
# ---

# %% [markdown]
# # Measuring the bottleneck
#
# Chapter 3 says that one vector cannot hold a long sentence.
# Here you build the instruments that show this, and two remedies that have been tried:
# first BLEU, from counted words to a score; then the curve of BLEU against length, and a test of whether a difference
# is more than chance; then the source read backwards, and the vector that the decoder sees at every step.
# Along the way you use your instruments to measure two trained models.
#
# **Time:** 85 minutes. **Points:** 16, three for each of tasks 3 and 4, two for each of the others, and two for an
# answer in words.
#
# **When you are done you can**
#
# - say what BLEU counts, and why it is counted over a corpus and not averaged over sentences;
# - split a measurement by length, so that poor results on long sentences cannot hide behind short ones;
# - say which differences between two systems a test set can show;
# - reverse padded sentences without moving their padding;
# - give a decoder the same vector at every step, and say what gradient the vector gets.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# A wrong task need not cost you the next: tasks 3 and 4 may call what you wrote before, and a mistake there that its
# own check can name is not counted again.

# %% given="setup"
import math
from collections import Counter
from collections.abc import Sequence

import torch
from IPython.display import display
from torch import Tensor

# %% [markdown]
# ## Warm-up: BLEU by hand
#
# The reference is *le chat noir*; a model says *le le chat*.
#
# 1. The model has said three words. How many of them match, if a word matches no more often than it occurs in the
#    reference?
# 2. It has said two pairs of neighbouring words. How many of these match?
# 3. Multiply the two fractions and take the square root, since there are two of them. Times 100, this is BLEU with
#    n-grams up to 2 (the real one goes up to 4).
#
# And now the order of the source.
# A unidirectional encoder has read $n = 4$ words, and the decoder writes word $j$ of the translation from word $j$ of
# the source.
# Word $j$ passes through $n - j$ more steps of the encoder, and $j$ steps of the decoder.
#
# 4. How many steps is that for $j = 1$ and for $j = 4$? And how many if the source is read backwards, so that word
#    $j$ is read at position $n + 1 - j$?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
matches_by_hand = [None, None]  # single words, pairs
bleu_by_hand = [None]
steps_in_order = [None, None]  # j = 1, j = 4
steps_backwards = [None, None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.1 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet'}")


compare("matches", matches_by_hand, [2, 1])
compare("BLEU", bleu_by_hand, [100 * math.sqrt(2 / 3 * 1 / 2)])
compare("steps, in order", steps_in_order, [4, 4])
compare("steps, backwards", steps_backwards, [1, 7])

# %% [markdown]
# ## Task 1: matching n-grams
#
# An *n-gram* is a run of n neighbouring words.
# For each n-gram in a model's translation, the *hypothesis*, BLEU checks whether the reference has it too (chapter 3,
# *Quality against length*; Papineni et al., 2002, section 2.1).
#
# If that were all, *le le le le* would be nearly perfect French.
# So each n-gram matches at most as often as it occurs in the reference; this is called *clipping*:
#
# $$\mathrm{matches} = \sum_{g} \min(\mathrm{count}_{\mathrm{hypothesis}}(g), \mathrm{count}_{\mathrm{reference}}(g))$$
#
# Return two whole numbers: how many match, and how many n-grams the hypothesis has.
# Words are compared as they are: *Le* is not *le*.
#
# > **Often believed:** "BLEU compares the words position by position."
# > A match may be anywhere in the reference; order counts only within the n-gram.
# > That is why longer n-grams are needed as well as single words.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Write down the n-grams of *le chat noir dort* for n = 2. Where do they begin, and how many are there?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Count the n-grams of both sentences, each in a table of its own, then go through the table of the hypothesis.
# `Counter` is such a table; it gives 0 for what it has never seen.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# A slice of a list is a list, and a list cannot be looked up in a table: make it a `tuple`.
# In a sentence of `m` words the n-grams begin at `range(m - n + 1)`, which is empty when the sentence is too short.
# </details>

# %% answer="ngram_matches"
from seq2seq.exercises.bottleneck import ngram_matches

# %% check="ngram_matches_visible" points=1
from autograder.tasks.bottleneck import check

check("ngram_matches", ngram_matches)

# %% check="ngram_matches_hidden" points=1 hidden=true
# When graded: random sentences with n up to 6, sentences that end alike, an empty translation, an empty reference,
# one shorter than n, the same words in reverse, capitals, words that occur more than once, and words that look alike
# when they are joined.
from autograder.tasks.bottleneck import check

check("ngram_matches", ngram_matches, hidden=True)

# %% tags=["demonstration"]
# One translation under the lens (nothing to write here).
try:
    translation, meant = (text.split() for text in ("le chat noir le chat dort", "le chat noir ne dort pas"))
    print("n  match  of")
    for n in (1, 2, 3, 4):
        print("{}  {:5}  {:2}".format(n, *ngram_matches(translation, meant, n)))
except Exception as error:
    print(f"A small table appears here once the matches are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: BLEU
#
# From the counts of a whole corpus to one score (Papineni et al., 2002, section 2.3):
#
# $$\mathrm{BLEU} = 100 \cdot \min\left(1, e^{1 - r/c}\right) \cdot
#   \left(\prod_{n=1}^{N} \frac{\mathrm{matches}_n}{\mathrm{total}_n}\right)^{1/N}$$
#
# with $c$ words in all hypotheses together and $r$ in all references.
# The root makes it a *geometric* mean: if one of the fractions is 0, so is BLEU.
# The factor in front is the *brevity penalty*: without it, a model would do best to say only what it is sure of.
#
# > **Often believed:** "the BLEU of a corpus is the mean of the BLEU of its sentences."
# > The counts are summed over all sentences first, and the score is made of the sums.
# > Many good sentences have no matching run of four words and would score 0 on their own.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the factors can be 0, and what then happens to a logarithm, or to a fraction whose total is 0?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# First settle the case in which nothing matches for some n.
# What remains is safe: one fraction for each n, their product, a root, a factor for brevity.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# $N$ is the length of `matches`; it need not be 4.
# The exponent of the penalty is above 0 for a translation that is too long, so `min` has to cap the factor at 1.
# </details>

# %% answer="bleu_of_counts"
from seq2seq.exercises.bottleneck import bleu_of_counts

# %% check="bleu_of_counts_visible" points=1
from autograder.tasks.bottleneck import check

check("bleu_of_counts", bleu_of_counts)

# %% check="bleu_of_counts_hidden" points=1 hidden=true
# When graded: n-grams up to 1, 2, 3 and 6; translations too short, too long, and too short for any n-gram;
# nothing said, nothing right, all right, almost nothing right; a large corpus.
from autograder.tasks.bottleneck import check

check("bleu_of_counts", bleu_of_counts, hidden=True)


# %% tags=["demonstration"]
# Your two functions together (nothing to write here): what does one wrong word cost, depending on where it is?
def corpus_bleu(hypotheses, references):
    pairs = list(zip(hypotheses, references, strict=True))
    counts = [[ngram_matches(*pair, n) for pair in pairs] for n in (1, 2, 3, 4)]
    matches, totals = ([sum(entry[side] for entry in row) for row in counts] for side in (0, 1))
    return bleu_of_counts(matches, totals, sum(map(len, hypotheses)), sum(map(len, references)))


try:
    text = "le chat noir dort dans la petite maison"
    meant = text.split()
    for place in range(len(meant)):
        translation = [*meant[:place], "?", *meant[place + 1 :]]
        print(f"{corpus_bleu([translation], [meant]):5.1f}  {' '.join(translation)}")
    print(f"{corpus_bleu([meant[:-1]], [meant]):5.1f}  {' '.join(meant[:-1])}")
except Exception as error:
    print(f"Scores of nine translations appear here once both tasks are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 3: BLEU against length
#
# One BLEU for a whole test set says nothing about long sentences.
# So the test set is split by the length of the *source*, and each part gets its own score: the curve of chapter 3.
# A *bucket* is a pair (from, to), both included; a sentence may lie in two buckets that overlap, or in none.
#
# Build the instrument: for each bucket, in the given order, return the corpus BLEU of its sentences, with
# n-grams of 1 to 4 words.
# A handful of sentences proves nothing: a bucket with fewer than `fewest` gets `None` instead of a score.
# You may call `ngram_matches` and `bleu_of_counts` from the earlier tasks.
#
# > **Often believed:** "a recurrent network can only handle sentences of one fixed length."
# > It reads any length, with the same weights at every word.
# > What is fixed here is the size of what is *kept*, and the curve shows what that costs.
#
# Before you write it: one sentence of a bucket has no matching run of four words. What does that do to the mean of the
# sentences' scores, and to the score of their summed counts?
#
# <details><summary>Hint 1: a nudge</summary>
#
# There is one score for each bucket. What do you need to know about a bucket before you can call `bleu_of_counts`?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# First the row numbers of the bucket's sentences; then, for each n, two sums over these rows; and two sums of lengths.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `enumerate` gives a row's number along with its length, and comparisons may be chained, as in `0 <= x <= 9`.
# Start every sum afresh for each bucket.
# </details>

# %% answer="bleu_by_bucket"
from seq2seq.exercises.bottleneck import bleu_by_bucket

# %% check="bleu_by_bucket_visible" points=1
from autograder.tasks.bottleneck import check

check("bleu_by_bucket", bleu_by_bucket)

# %% check="bleu_by_bucket_hidden" points=2 hidden=true
# When graded: many sentences, buckets of one length, a bucket or a sentence that occurs twice, one bucket for all, a
# bucket that scores 0, an empty translation, no sentences at all.
from autograder.tasks.bottleneck import check

check("bleu_by_bucket", bleu_by_bucket, hidden=True)

# %% tags=["demonstration"]
# Your instrument at work (nothing to write here): two trained models translate new sentences.
# Both have the same encoder; the first sees the source through one vector, the second has attention.
translations, references, source_lengths = {}, [], []
buckets = [(4, 10), (11, 20), (21, 30), (31, 40), (41, 50)]
try:
    from seq2seq.corpora.grammar import corpus
    from seq2seq.experiments.evaluation import translate
    from seq2seq.experiments.recipe import load_trained
    from seq2seq.plots import length_curve

    pairs = [pair for bucket in buckets for pair in corpus(30, 77, bucket)]
    references = [list(pair.target) for pair in pairs]
    source_lengths = [len(pair.source) for pair in pairs]
    curve = {}
    for name in ("every_step", "bahdanau"):
        model, *vocabularies = load_trained(name)
        translations[name] = translate(model, pairs, *vocabularies)
        scores = bleu_by_bucket(translations[name], references, source_lengths, buckets, 10)
        curve[name] = [{"bleu": {f"{low}-{high}": score for (low, high), score in zip(buckets, scores, strict=True)}}]
        print(
            f"{name:11} all: {corpus_bleu(translations[name], references):4.1f}   by length:",
            *(f"{s:5.1f}" for s in scores),
        )
    display(length_curve({"models": curve}))
except ModuleNotFoundError:
    print("The trained models are not here; the course's folder has them.")
except Exception as error:
    print(f"A curve appears here once the first three tasks are written. ({type(error).__name__})")

# %% [markdown]
# Both models were trained on the same sentences for the same time.
# The number for all lengths hides where the first one fails.
# Chapter 3 has this curve with several seeds and more than six times as many sentences.
#
# ## Task 4: more than chance?
#
# Two systems translate the same 30 sentences; yours scores 1.5 BLEU more.
# With 30 other sentences, would it be ahead again?
#
# There are no others, so the *bootstrap* draws them from the ones you have (Koehn, 2004, section 4).
# A row of `draws` is a test set made of these sentences, some of them several times and others not at all.
# Both systems are scored on the *same* draw, by corpus BLEU with n-grams of 1 to 4 words, and the share of the draws
# that yours wins says how sure you can be.
# A draw in which the two scores are equal counts as half a win.
#
# All you need from a sentence is ten counts: its matches for n = 1 to 4, its n-grams for n = 1 to 4, the words of the
# translation, the words of the reference.
# Return the share, and a verdict: `"ours"` if the share is at least `level`, `"theirs"` if the other system's share is
# at least `level`, and otherwise `"neither"`.
# You may call `bleu_of_counts`.
#
# > **Often believed:** "0.3 BLEU more is better; BLEU is measured exactly."
# > It is measured exactly *on these sentences*. They are only a sample.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which of the ten counts can be summed over the sentences of a draw? And what about a sentence that was drawn twice?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# For each draw: pick the drawn rows of both tables, sum them, compute a score from each sum, compare the two.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `table[rows]` with a tensor of row numbers repeats a row that is listed twice; `.sum(0).tolist()` leaves ten numbers.
# The other system's share is 1 minus yours.
# </details>

# %% answer="bootstrap"
from seq2seq.exercises.bottleneck import bootstrap

# %% check="bootstrap_visible" points=1
from autograder.tasks.bottleneck import check

check("bootstrap", bootstrap)

# %% check="bootstrap_hidden" points=2 hidden=true
# When graded: many sentences, many draws, more than a thousand draws, systems that say the same, draws in which both
# score 0, also among draws that they win, draws won by a narrow margin, a test set that they win, one draw, a share
# that is exactly the level or just below it.
from autograder.tasks.bottleneck import check

check("bootstrap", bootstrap, hidden=True)


# %% tags=["demonstration"]
# Which is better, and at which length (nothing to write here)? The two models of the curve, attention first.
def counts_of(hypothesis, reference):
    matches = [ngram_matches(hypothesis, reference, n) for n in (1, 2, 3, 4)]
    return [*(match for match, _ in matches), *(total for _, total in matches), len(hypothesis), len(reference)]


try:
    for place, (low, high) in enumerate(buckets):
        rows = range(30 * place, 30 * place + 30)
        ours, theirs = (
            torch.tensor([counts_of(translations[name][row], references[row]) for row in rows])
            for name in ("bahdanau", "every_step")
        )
        draws = torch.randint(len(rows), (200, len(rows)), generator=torch.Generator().manual_seed(low))
        share, verdict = bootstrap(ours, theirs, draws, 0.95)
        print(f"{low:2} to {high} words: ahead in {share:4.0%} of the draws, better: {verdict}")
except KeyError:
    print("Five verdicts appear here where the trained models are, in the course's folder.")
except Exception as error:
    print(f"Five verdicts appear here once this task is written. ({type(error).__name__})")

# %% [markdown]
# ## In words
#
# A colleague compares two translation models.
# For each she computes the BLEU of every test sentence by itself and takes the mean over the whole test set, in which
# four sentences in five have fewer than 15 words.
# The two means differ by less than half a point.
# She concludes that the models translate *long* sentences equally well.
#
# What is wrong with her measurement? Name two different faults, and say what you would measure instead.
# Five or six sentences are enough.

# %% [markdown] question="why_buckets" points=2
# **Model answer.** First, the mean runs over all lengths, and most sentences are short: a model may be far worse on
# the long fifth and make up for it on the short ones, and nobody would notice.
# The long sentences have to be scored separately: group the test set by source length, with enough sentences in
# each group.
# Second, a mean of sentence scores is not the BLEU of a corpus.
# A sentence without a matching run of four words scores 0, however many of its words are right, and a short
# sentence counts as much as a long one.
# The counts of all sentences of a group have to be summed before the score is computed.
# I would plot corpus BLEU against length for both models, with the spread over several seeds, so that I know which
# differences are more than chance.
#
# **Rubric.** 1 point: says that the mean over all lengths hides the long sentences, and that they must be scored in
# groups by length.
# 1 point: says that sentence scores must not be averaged (a 0 wherever no n-gram of some length matches, or equal
# weight of short and long), and that counts are summed over the corpus.
# Half a point in place of one of these: names the spread over seeds, or too few long sentences, as a fault.

# %% [markdown]
# ## Task 5: the source backwards
#
# Sutskever et al. (2014, section 3.3) found that their fixed-vector model translates better when it reads the source
# backwards (chapter 3, *A trick: read the source backwards*).
# Reverse each sentence of a batch, so that it runs from its last word to its first.
# The sentences are already padded, and the padding has to stay at the end:
#
# | | | | | |
# |---|---|---|---|---|
# | a | b | c | – | – |
# | c | b | a | – | – |
#
# `source_lengths` says how long each sentence is; do not look for the id of padding.
#
# > **Often believed:** "reversing the source brings all words nearer to their translations."
# > You counted this in the warm-up: the first words come nearer, the last ones move further away, and the mean stays
# > the same.
# > What helps is that *some* words are near enough to be learnt first.
#
# <details><summary>Hint 1: a nudge</summary>
#
# In a sentence of 3 words, from which position does the word at position 0 of the result come? And that at position 1?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Make a table of positions, (batch, source_len), which says for each position of the result where its id comes from.
# A real word comes from its mirror image, padding from where it is.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The mirror image of position $i$ in a sentence of $n$ words is $n - 1 - i$: below 0 exactly where there is padding.
# `torch.where` chooses between two positions, and `gather` along axis 1 fetches the ids.
# A loop over the sentences with `flip` is just as good, as long as it works on a copy.
# </details>

# %% answer="reverse_source"
from seq2seq.exercises.bottleneck import reverse_source

# %% check="reverse_source_visible" points=1
from autograder.tasks.bottleneck import check

check("reverse_source", reverse_source)

# %% check="reverse_source_hidden" points=1 hidden=true
# When graded: one sentence, sentences of one word, no padding, much padding, a large batch, ids in int32, and a
# sentence with the id of padding within it.
from autograder.tasks.bottleneck import check

check("reverse_source", reverse_source, hidden=True)

# %% tags=["demonstration"]
# What the trick did for small models, trained for a minute (nothing to write here): BLEU, mean of three seeds.
try:
    import json
    from pathlib import Path

    import seq2seq

    words = ["<pad>", "the", "black", "cat", "sleeps"]
    batch, sizes = torch.tensor([[1, 2, 3, 4], [1, 3, 4, 0]]), torch.tensor([4, 3])
    for before, after in zip(batch.tolist(), reverse_source(batch, sizes).tolist(), strict=True):
        print(" ".join(words[id] for id in before), "→", " ".join(words[id] for id in after))
    results = Path(seq2seq.__file__).parent / "experiments/results/reversal.json"
    measured = json.loads(results.read_text())["orders"] if results.exists() else {}  # none while it is graded
    for order, runs in measured.items():
        means = {name: sum(run["bleu"][name] for run in runs) / len(runs) for name in runs[0]["bleu"]}
        print(f"{order:9}", *(f"  {name} words: {mean:4.1f}" for name, mean in means.items()))
except Exception as error:
    print(f"Two sentences and a small table appear here once the reversal is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 6: the vector at every step
#
# In the first variant the fixed vector is the decoder's first state, and is not seen again.
# In the second the decoder gets it again at every step, next to the previous word (chapter 3, *Fed at every step*, from
# Cho et al., 2014):
#
# $$s_i = \mathrm{RNN}([E y_{i-1}; c], s_{i-1})$$
#
# Write what goes into the network for all steps of a batch at once: $[E y_{i-1}; c]$, the word first.
# The words have shape (batch, target_len, embedding_size), and there is one vector per sentence.
#
# Before you write it: one vector takes part in every step. What gradient does it get?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Two tensors can be joined along one axis if they agree in all others. Which axis does the vector lack?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Give the vector an axis for the steps, expand that axis to the number of steps, and join along the features.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `unsqueeze` inserts the axis, `expand` stretches it without copying; −1 in `expand` leaves an axis as it is.
# `repeat` followed by `view` mixes the sentences of the batch with each other.
# </details>

# %% answer="beside_every_word"
from seq2seq.decoders.fixed import beside_every_word

# %% check="beside_every_word_visible" points=1
from autograder.tasks.bottleneck import check

check("beside_every_word", beside_every_word)

# %% check="beside_every_word_hidden" points=1 hidden=true
# When graded: other sizes, one sentence, one step, all sizes equal, float64, half precision, and gradients.
from autograder.tasks.bottleneck import check

check("beside_every_word", beside_every_word, hidden=True)

# %% tags=["demonstration"]
# How much of the vector's gradient comes from each step (nothing to write here)?
# An untrained GRU reads 30 words; the loss depends only on the last state.
try:
    torch.manual_seed(0)
    cell = torch.nn.GRU(8 + 16, 16, batch_first=True)
    vector, embedded = torch.randn(1, 16, requires_grad=True), torch.randn(1, 30, 8)
    inputs = beside_every_word(embedded, vector)
    states, last = cell(inputs, vector.unsqueeze(0))  # as first state, and beside every word
    (reached,) = torch.autograd.grad(last.sum(), inputs)
    part = slice(8, None) if torch.equal(inputs[0, 0, 8:], vector[0]) else slice(16)  # where the vector stands
    for step in (0, 9, 19, 24, 27, 29):
        print(f"step {step + 1:2}: {float(reached[0, step, part].norm()):9.6f}")
    only_first = torch.randn(1, 1, 16, requires_grad=True)
    cell(torch.cat([embedded, torch.zeros(1, 30, 16)], -1), only_first)[1].sum().backward()
    print(f"as first state only, over all 30 steps: {float(only_first.grad.norm()):9.6f}")
except Exception as error:
    print(f"A small table appears here once the inputs are written. ({type(error).__name__})")

# %% [markdown]
# As first state only, the vector gets almost no gradient after 30 steps.
# Fed at every step, the vector is always one step away from where it is needed.
# But it is the *same* vector at every step: the decoder itself must find in it what it needs now.
# Chapter 4 lets the vector change.
#
# ## To go further (not graded)
#
# 1. Draw the curve of task 3 with exact match, the share of sentences that are entirely right, instead of BLEU.
#    Which of the two falls faster with length, and why must it?
# 2. Delete one word in the middle of a reference of 20 words, and compare its BLEU with that of 20 words of which one
#    is wrong. Which part of BLEU notices the missing word?
# 3. Why does reversal not help a bidirectional encoder? Try to prove it with the equation *fixed vector* of
#    chapter 3.

# %% tags=["demonstration"]
text = "le chat noir dort dans la petite maison de la vieille dame qui aime les fleurs et le vin rouge"
meant = text.split()
without_a_word = None  # your sentence
if without_a_word is None:
    print("still to do, if you like")
else:
    print(f"BLEU: {corpus_bleu([without_a_word], [meant]):.1f}")

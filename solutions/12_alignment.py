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
#     title: Alignment and explanation
#     assignment: 12_alignment
#     chapters: [12]
#     given:
#       - seq2seq/__init__.py
#       - seq2seq/plots.py
#       - seq2seq/fonts.py
#       - seq2seq/vocab.py
#       - seq2seq/guards.py
#       - seq2seq/device.py
#       - seq2seq/demos/forced_decoding.py
#       - seq2seq/checkpoints/__init__.py
#       - seq2seq/checkpoints/forced_decoding.npz
#       - seq2seq/checkpoints/forced_decoding.json
# ---

# %% [markdown]
# # Alignment and explanation
#
# A trained model looks at the source while it writes.
# Is the word at which it looks the word that it translates?
# And does it write what it writes *because* it looks there?
# An error rate against gold links answers the first question, an experiment the second; you build both.
# Then you go beyond the chapter: you merge two alignments into one, and find weights that look elsewhere while the
# output stays the same.
# This exercise goes with chapter 12 (*attention (nearly) learns alignment*).
#
# **Time:** 75 minutes. **Points:** 18, of which 15 for five tasks and three for a question to answer in words.
#
# **When you are done you can**
#
# - read an alignment off a table of weights, and find out which word a step's weights align;
# - measure it by the alignment error rate, hard and soft, with sure and possible links;
# - say what an error rate is worth, next to a floor that needs no model;
# - merge two alignments made in opposite directions, and see what that is worth;
# - permute the weights of a trained model, look for others that change nothing, and say what follows and what does not.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# No task uses what you wrote before, so a wrong task does not cost you the next.
# Throughout, the batch axis comes first, and `source_mask` is true for real tokens.
#
# Terms: a **link** joins a source word and a target word that translate each other; an **alignment** is a set of links.
# **Forced decoding** feeds the model the right target words and watches its weights.

# %% given="setup"
import math

import torch
import torch.nn.functional as F
from IPython.display import display
from torch import Tensor

from seq2seq.demos import forced_decoding
from seq2seq.plots import alignment_plot

# Where two trained models, a Bahdanau model and a Luong model, look while they are fed 24 translations.
trained = forced_decoding.load()

# %% [markdown]
# ## Warm-up: an error rate by hand
#
# *le chat noir dort* is the translation of *the black cat sleeps*.
# People who linked the words by hand were **sure** of four links: le–the, chat–cat, noir–black, dort–sleeps.
# They called one more **possible**: le–cat, since *le* agrees with *chat*.
# A model predicts four links: le–cat, chat–cat, noir–black, dort–black.
#
# 1. How many of the predicted links are sure? How many are sure or possible?
# 2. The alignment error rate is $1 - (|A \cap S| + |A \cap P|) / (|A| + |S|)$, with $A$ the predicted links, $S$ the
#    sure ones and $P$ the possible ones, which include the sure ones. What is it here?
# 3. At one step a model gives the next word the probabilities (.7, .2, .1); with other weights it would give (.1, .2,
#    .7). Half the sum of the absolute differences is their **total variation** distance. What is it?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
predicted_and_sure = None
predicted_and_possible = None
error_by_hand = None
distance_by_hand = None


def compare(name, mine, right):
    if mine is None:
        print(f"{name}: still to do")
    else:
        print(f"{name}: {'right' if abs(mine - right) < 0.01 else 'not yet'}")


compare("predicted and sure", predicted_and_sure, 2)
compare("predicted and possible", predicted_and_possible, 3)
compare("alignment error rate", error_by_hand, 1 - (2 + 3) / (4 + 4))
compare("total variation", distance_by_hand, (0.6 + 0.0 + 0.6) / 2)

# %% [markdown]
# ## Task 1: one source word for each target word
#
# The hard alignment (chapter 12, alignment from weights) takes the real token with the largest weight:
#
# $$a_{t+s} = \operatorname{argmax}_{j \text{ real}} \alpha_{tj}$$
#
# The shift $s$ says which word the weights of step $t$ align.
# Step $t$ reads word $t - 1$ and writes word $t$; so with $s = 0$ they align the word that the step writes, with
# $s = -1$ the word that it reads.
# With $s = -1$, no step aligns the last word; it gets -1, as does every word that no step aligns.
#
# The weights may come from a model that forgot its mask, so padding may have weight, even all of it;
# choose among real tokens only.
#
# Return whole numbers; no gradient is needed.
#
# > **Often believed:** "the weights of a step show which source word is being translated right now."
# > Luong et al. found in their model that weights computed from a state that has just *read* word $t - 1$ align that
# > word, the input (footnote 14 of their paper); a study of German–English found weights one position off.
# > In other models they do align the word that is written.
# > The equations cannot tell: measure it, as the table after task 2 does.
#
# <details><summary>Hint 1: a nudge</summary>
#
# At first, forget the shift. Along which axis does one row of weights run? What must the weights of padding be so that
# it never wins?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Find the best position for every *step*; then move the row of answers by `shift` positions, and put -1 where nothing
# arrives.
# For word $u$, ask which step aligns it.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# For each word, which step aligns it, if any does?
# With `torch.arange` these step numbers are one tensor; those below 0 or too large can be clamped for indexing and
# overwritten with -1 afterwards. `torch.roll` would bring in words from the other end.
# </details>

# %% answer="hard_alignment"
from seq2seq.alignment import hard_alignment

# %% check="hard_alignment_visible" points=1
from autograder.tasks.alignment import check

check("hard_alignment", hard_alignment)

# %% check="hard_alignment_hidden" points=2 hidden=true
# When graded: larger shifts, shifts beyond the sentence, padding on the left, also with all of the weight, small
# weights that hardly differ, one sentence, one word, one token, float64.
from autograder.tasks.alignment import check

check("hard_alignment", hard_alignment, hidden=True)

# %% tags=["demonstration"]
# Your alignment of a trained model (nothing to write here): cells are weights, outlines are your links.
try:
    source, target = trained.sources[0], trained.targets[0]
    first = hard_alignment(trained.weights["bahdanau"], trained.source_mask)[0, : len(target)]
    drawn = frozenset((int(place), word) for word, place in enumerate(first))
    display(alignment_plot(trained.weights["bahdanau"][0], source, target, drawn))
except Exception as error:
    print(f"A table of weights with your links appears here once the alignment is written. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: the alignment error rate
#
# How many links are wrong? Och & Ney's error rate (chapter 12, the alignment error rate) counts over the whole corpus:
#
# $$\mathrm{AER} = 1 - \frac{|A \cap S| + |A \cap P|}{|A| + |S|}$$
#
# Missing a *sure* link is an error; missing a *possible* one is not, nor is predicting it.
# Every sure link is possible too, whether the table of possible links says so or not.
#
# Here the sets are tables of (target word, source word) cells, zero or one, and $|A \cap S|$ is a sum of products.
# This has a welcome consequence: replace $A$ by the *weights* themselves, and you have the **soft** error rate, in
# which each link counts by the weight that the model gives it, and being unsure costs.
# Your function has to work for both. Return a number, or a tensor with one number; no gradient is needed.
#
# <details><summary>Hint 1: a nudge</summary>
#
# If two tables hold zeros and ones, which operation gives a one exactly where both have a one? Does it make sense for
# weights too?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Four sums over all cells of all sentences, and one fraction at the very end.
# A mean of the sentences' error rates is a different number: in it, short sentences count as much as long ones.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `|` joins two tables of bools, for the possible links. Then `(predicted * sure).sum()` is the first term of the
# numerator, whether `predicted` holds bools or weights. `&` would reject the weights.
# </details>

# %% answer="alignment_error"
from seq2seq.alignment import alignment_error

# %% check="alignment_error_visible" points=1
from autograder.tasks.alignment import check

check("alignment_error", alignment_error)

# %% check="alignment_error_hidden" points=2 hidden=true
# When graded: one sentence, more sentences, sentences without sure links or without any, words, sentences or a whole
# batch for which nothing is predicted, weights, float64.
from autograder.tasks.alignment import check

check("alignment_error", alignment_error, hidden=True)


# %% tags=["demonstration"]
# Which word do the weights align (nothing to write here)? Two trained models, three shifts, gold links.
def table_of(positions):
    """Positions as a table of links; words that no step speaks for have none."""
    chosen = F.one_hot(positions.clamp(min=0), trained.gold.size(-1)).bool()
    return chosen & (trained.word_mask & (positions >= 0)).unsqueeze(-1)


try:
    print("model       shift -1  shift 0  shift +1     soft")
    for name, weights in trained.weights.items():
        tables = [table_of(hard_alignment(weights, trained.source_mask, shift)) for shift in (-1, 0, 1)]
        tables.append(weights * trained.word_mask.unsqueeze(-1))
        rates = [float(alignment_error(table, trained.gold, trained.gold)) for table in tables]
        print(f"{name:10}" + "".join(f"{rate:10.3f}"[1:] for rate in rates))
except Exception as error:
    print(f"A table of error rates appears here once both functions are written. ({type(error).__name__})")

# %% [markdown]
# > **Often believed:** "an alignment error rate of .1 means that the model is wrong about every tenth link."
# > Some words have no gold link, or several, while every target word gets exactly one link here.
# > On these sentences even the best choice of one link for every word leaves an error rate of about .03.
#
# ## Task 3: two alignments merged into one
#
# Programs that only align words give each *target* word one source word. Run in the other direction, they give each
# *source* word one target word. Both make mistakes, but not the same ones. The links in both tables are nearly always
# right, but too few; the links in either are nearly complete, but too many.
# Koehn, Och & Marcu (2003) steer between the two, and their method became a standard in statistical translation:
#
# 1. Begin with the links that are in both tables, `forward` and `backward`.
# 2. One round: a link that is in at least one of the two tables is added if
#    - it touches a link: in the table of cells, one of its eight neighbours is a link so far; and
#    - it is free: its target word or its source word has no link so far.
# 3. Repeat such rounds until one finds nothing.
#
# A round looks at the links as they were before it, and adds all that it finds at once; so the order in which you
# visit the cells does not matter. (The original adds them one by one.)
# The tables are bool, (batch, target_len, source_len), and so is the result; there is no gradient.
#
# Before you write: `forward` links each word $t$ of five words to token $t$; `backward` has only the link (0, 0).
# How many rounds add something, and which links are there in the end?
#
# <details><summary>Hint 1: a nudge</summary>
#
# Draw a table of four words and four tokens, and do two rounds by hand. What do you need to know about a cell?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Four tables of bools: in either table, touches a link, is free, is not yet a link. A round adds the cells where all
# four are true. Loops over cells are a correct answer too, if a round does not see what it has added itself.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# The largest value around a cell is 1 if it touches a link: `F.max_pool2d` of the links as numbers, with a window
# of three and a padding of one. `any` along one axis and along the other says which words and which tokens have a link;
# keep the axes, and let them broadcast.
# </details>

# %% answer="grow_diagonal"
from seq2seq.exercises.alignment import grow_diagonal

# %% check="grow_diagonal_visible" points=1
from autograder.tasks.alignment import check

check("grow_diagonal", grow_diagonal)

# %% check="grow_diagonal_hidden" points=2 hidden=true
# When graded: other sizes, one sentence, one target word, long chains of links, no common link.
from autograder.tasks.alignment import check

check("grow_diagonal", grow_diagonal, hidden=True)

# %% tags=["demonstration"]
# What merging gains (nothing to write here): for each word its token, for each token its word, what grows from both.
try:
    weights, gold, real = trained.weights["bahdanau"], trained.gold, trained.word_mask.unsqueeze(-1)
    of_words = F.one_hot(weights.masked_fill(~trained.source_mask.unsqueeze(1), -1.0).argmax(-1), gold.size(-1)).bool()
    of_tokens = F.one_hot((weights * real).argmax(1), gold.size(1)).bool().mT & trained.source_mask.unsqueeze(1)
    tables = {"a token for each word": of_words & real, "a word for each token": of_tokens & real}
    first, second = tables.values()
    tables |= {"in both": first & second, "in either": first | second, "grown": grow_diagonal(first, second)}
    for name, table in tables.items():
        print(f"{name:22} {int(table.sum()):4} links, error rate {float(alignment_error(table, gold, gold)):.3f}")
except Exception as error:
    print(f"Five error rates appear here once both functions are written. ({type(error).__name__})")

# %% tags=["demonstration"]
# The models next to baselines that have learnt nothing (nothing to write here): chapter 12's diagonal, uniform weights.
try:
    gold = trained.gold
    straight = torch.zeros_like(gold)
    for row, (source, target) in enumerate(zip(trained.sources, trained.targets, strict=True)):
        for word in range(len(target)):  # from corner to corner
            straight[row, word, round(word * (len(source) - 1) / max(1, len(target) - 1))] = True
    even = trained.source_mask / trained.source_mask.sum(-1, keepdim=True)  # uniform weights
    rates = {
        "uniform weights (soft)": alignment_error(even.unsqueeze(1) * trained.word_mask.unsqueeze(-1), gold, gold),
        "diagonal": alignment_error(straight, gold, gold),
    }
    for name, weights in trained.weights.items():
        rates[name] = alignment_error(table_of(hard_alignment(weights, trained.source_mask)), gold, gold)
    for name, rate in rates.items():
        print(f"{name:24}{float(rate):6.3f}  {'█' * round(40 * float(rate))}")
except Exception as error:
    print(f"Four bars appear here once the first two functions are written. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: permuted weights
#
# The weights point at the right words. Do they *matter* to what is written?
# Jain & Wallace permute them: each real token gets the weight of another, and the model goes on with the wrong context
# (chapter 12, the permutation test):
#
# $$\hat\alpha_{r_n} = \alpha_{r_{\pi(n)}}$$
#
# with $r_1 < r_2 < \ldots$ the positions of the sentence's real tokens.
# The order $\pi$ comes from random numbers, one for each position: $r_{\pi(1)}$ is the real position with the smallest
# of the `draws`, $r_{\pi(2)}$ the one with the next, and so on.
# The check accepts the inverse order too. (Both make every order equally likely.)
#
# Padding takes no part: it has no weight, gets none, and its draws do not count.
# Real tokens may be anywhere, and a mask (batch, 1, keys) may come with weights (batch, queries, keys).
#
# <details><summary>Hint 1: a nudge</summary>
#
# Write it for a single row first: `positions = mask.nonzero().flatten()`, and then? A loop over rows is a correct
# answer if it copes with three axes as well (`reshape(-1, keys)`).
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `argsort` gives the positions in the order of their draws. If padding has draws larger than any other, it comes last.
# Likewise, `argsort` of the positions themselves, with padding moved to the end, lists the real ones in order.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `weights.gather(-1, order)` fetches the weights in the order of the draws; `torch.zeros_like(weights).scatter(-1,
# positions, …)` puts them down, the first at the first real position, and so on.
# `source_mask.expand_as(weights)` saves you a case.
# </details>

# %% answer="permute_weights"
from seq2seq.demos.altered_attention import permute_weights

# %% check="permute_weights_visible" points=1
from autograder.tasks.alignment import check

check("permute_weights", permute_weights)

# %% check="permute_weights_hidden" points=2 hidden=true
# When graded: padding anywhere, a draw of 1, an empty sentence, one sentence, one token, real tokens of weight 0,
# float64, weights (batch, queries, keys) or (batch, heads, queries, keys), a mask for each query or one for all.
from autograder.tasks.alignment import check

check("permute_weights", permute_weights, hidden=True)

# %% tags=["demonstration"]
# The same sentence with permuted weights (nothing to write here): as sharp as before, but senseless.
try:
    weights = trained.weights["bahdanau"]
    draws = torch.rand(weights.shape, generator=torch.Generator().manual_seed(1))
    shuffled = permute_weights(weights, trained.source_mask.unsqueeze(1), draws)
    display(alignment_plot(shuffled[0], trained.sources[0], trained.targets[0]))
except Exception as error:
    print(f"A table of weights appears here once the permutation is written. ({type(error).__name__})")

# %% tags=["demonstration"]
# The test of Jain & Wallace on Luong's model (nothing to write here), eleven permutations of every step.
# `next_words` sums the encoder states with the given weights and goes on as the model does; the distance is the total
# variation of the warm-up, half the sum of the absolute differences; the median over the trials is shown.
try:
    weights, steps = trained.weights["luong"], trained.step_mask
    random = torch.Generator().manual_seed(2)
    tried, trials = [], []
    for _ in range(11):
        draws = torch.rand(weights.shape, generator=random)
        elsewhere = permute_weights(weights, trained.source_mask.unsqueeze(1), draws)
        tried.append(elsewhere[steps])
        trials.append(trained.next_words(elsewhere)[steps])
    original = trained.next_words(weights)[steps]
    distance = ((torch.stack(trials) - original).abs().sum(-1) / 2).median(0).values
    largest, is_word = weights.amax(-1)[steps], trained.word_mask[steps]
    print("                  steps   largest weight   distance     (medians)")
    for name, rows in (("words", is_word), ("end of sentence", ~is_word)):
        print(
            f"{name:18}{int(rows.sum()):5}{float(largest[rows].median()):17.3f}{float(distance[rows].median()):11.3f}"
        )
    words = [word for target in trained.targets for word in [*target, "<eos>"]]
    still = sorted((value, word) for value, word in zip(distance.tolist(), words, strict=True) if word != "<eos>")
    print("words that hardly move:", ", ".join(f"{word} ({value:.2f})" for value, word in still[:8]))
except Exception as error:
    print(f"A small table appears here once the permutation is written. ({type(error).__name__})")

# %% [markdown]
# > **Often believed:** "attention tells you why the model decided as it did."
# > Look at the two lines of the table. For words, moving the weights moves the output: they are *needed*.
# > At the end of the sentence the weights are as sharp as elsewhere, and moving them changes nothing: a heat map alone
# > cannot tell the two cases apart.

# %% [markdown]
# ## Task 5: look elsewhere, say the same
#
# Permuting tests whether an output moves. Jain & Wallace ask a second question: are there *other* weights, as far from
# these as possible, with which the model still says the same?
# If there are, the heat map was only one of several that fit the output.
# They search by gradient (2019, section 4.2.2); here the candidates are given, such as permutations.
#
# Trial $n$ has weights $\alpha^n$ and an output $p_n$. It counts if the output moved by no more than the tolerance
# $\epsilon$, in total variation as in the warm-up:
#
# $$\tfrac12 \sum_y |p(y) - p_n(y)| \le \epsilon$$
#
# Of the trials that count, choose for each sentence the one whose weights lie furthest from $\alpha$. The distance
# between two rows of weights is the *Jensen–Shannon divergence*: with $m = (\alpha + \alpha^n) / 2$, the mean of the
# two,
#
# $$\tfrac12 \sum_j \alpha_j \log \frac{\alpha_j}{m_j} + \tfrac12 \sum_j \alpha^n_j \log \frac{\alpha^n_j}{m_j}$$
#
# with the natural logarithm, and $0 \log 0 = 0$: weights are 0 at padding, and elsewhere too.
# Return `(chosen, divergence)`: for each sentence the number of its trial and that trial's divergence, or -1 and 0
# where no trial counts. No gradient is needed.
#
# Before you write: how large is the divergence of (1, 0) and (0, 1)? Can it be larger for any two rows?
#
# <details><summary>Hint 1: a nudge</summary>
#
# `outputs` has one more axis than `output`, in front. What does broadcasting make of their difference, and over which
# axis is it summed?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Two tables (trials, batch): how far the output moved, and how far apart the weights are. The first says which entries
# of the second may win.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `torch.xlogy(x, y)` is $x \log y$, and 0 where $x$ is 0. The logarithm of a quotient is a difference.
# A trial that does not count must lose against every other, even one whose divergence is 0; what is the
# largest entry of a column in which none counts?
# </details>

# %% answer="furthest_look"
from seq2seq.exercises.alignment import furthest_look

# %% check="furthest_look_visible" points=1
from autograder.tasks.alignment import check

check("furthest_look", furthest_look)

# %% check="furthest_look_hidden" points=2 hidden=true
# When graded: one trial, weights that stay the same, one sentence, other tolerances, also 0, other sizes,
# float64.
from autograder.tasks.alignment import check

check("furthest_look", furthest_look, hidden=True)

# %% tags=["demonstration"]
# Other weights for the same words (nothing to write here): eleven permutations of every step of Luong's model.
try:
    kinds = {"words": trained.word_mask[steps], "end of sentence": ~trained.word_mask[steps]}
    for tolerance in (0.05, 0.2):
        chosen, divergence = furthest_look(weights[steps], torch.stack(tried), original, torch.stack(trials), tolerance)
        print(f"tolerance {tolerance}:")
        for name, rows in kinds.items():
            chosen_rows = rows & (chosen >= 0)
            apart = float(divergence[chosen_rows].median()) if chosen_rows.any() else 0.0
            share = int(chosen_rows.sum()) / int(rows.sum())
            print(f"  {name:16} {share:4.0%} have such weights, divergence {apart:.2f}")
except Exception as error:
    print(f"Four lines appear here once tasks 4 and 5 are written. ({type(error).__name__})")

# %% [markdown]
# ## Question: what follows, and what does not?
#
# At the end of a sentence the model puts nearly all its weight on one source token, yet no permutation changes its
# output.
#
# 1. How can that be? Name what else the output depends on in this model.
# 2. From the first line of the table, where permuting does move the output, a friend concludes: "so the heat map
#    explains the model's choice of words." Say why this goes too far.
# 3. Another friend concludes from the second line: "so attention is useless." Which experiment of chapter 12 would
#    answer that, and how does it differ from permuting?
#
# Write about five sentences in the cell below. A person grades them: 3 points.

# %% [markdown] question="what_follows" points=3
# **Model answer.** The word is predicted from the context *and* from the decoder state, which has read all target words
# so far; after the full stop the state alone says that the sentence is over, so the context may be anything.
# (Neighbouring encoder states may also be much alike, so that another state gives nearly the same context.)
# That the output moves shows only that the context is needed: permuted weights give contexts that the model never met
# in training. It does not show that the tokens of large weight are the reason: each encoder state has read the whole
# sentence, other weights might give the same output, and how the context was used is not in the picture.
# To test whether attention is useful, train a model whose weights are fixed to be uniform (Wiegreffe & Pinter): that
# model can adapt to its weights, while permuting disturbs a model that was trained with others.
#
# **Rubric.**
# 1 point: the decoder state (or the words written so far) decides without the context; similar encoder states may
# be named instead.
# 1 point: being needed is not being the reason; one good argument, such as states that have read the whole sentence,
# inputs never met in training, or other weights with the same output.
# 1 point: a model *trained* with uniform (frozen) weights, and that it may adapt, where the permuted one may not.

# %% [markdown]
# ## To go further (not graded)
#
# 1. Which words besides the end of the sentence hardly move? Can you guess the second half of *ne … pas* without the
#    source?
# 2. Write `entropy(weights)` in bits, and plot each word's distance against it. Do unsure weights matter less?
# 3. The best possible with one link for every word: for each target word with gold links choose one of them, for the
#    others choose any. What is its error rate, and why is it not 0?
# 4. Let the alignments of two models vote: a link counts if both predict it. Which of $|A|$, $|A \cap S|$ falls,
#    and does the error rate rise or fall?

# %% tags=["demonstration"]
agreed = None  # a table of the links that both models predict, like `table_of` above
if agreed is None:
    print("still to do, if you like")
else:
    print("error rate where the two agree:", float(alignment_error(agreed, trained.gold, trained.gold)))

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
#     title: Beam search and perplexity
#     assignment: 11_decoding
#     chapters: [11]
#     given: [seq2seq/__init__.py, seq2seq/vocab.py, seq2seq/guards.py, seq2seq/device.py]
# ---

# %% [markdown]
# # Beam search and perplexity
#
# A trained model gives probabilities; a translation has to be chosen from them.
# You measure how good the probabilities are, and then build beam search: first three parts of it, then the whole search
# with its length penalty and the rule by which it stops.
# After that you keep it from saying things twice, and write a model that leads it astray.
# It goes with chapter 11 (*training and decoding well*).
#
# **Time:** 120 minutes. **Points:** 18, four for the whole search, two for each of the six other tasks, and two for an
# answer in words.
#
# **When you are done you can**
#
# - compute the perplexity of a padded batch, and say what it would be for a model that knows nothing;
# - choose the best of (beam × vocabulary) candidates, and find their parents and words;
# - keep finished hypotheses apart from those that go on, and compare them fairly;
# - read a sentence out of a record of words and parents;
# - write a beam search with a length penalty, and say when it may stop;
# - say what a larger beam improves, and what it makes worse.
#
# **How it works.** Each task has a cell to write in, a check that you can run as often as you like, and a check that
# runs only when your work is graded; its comment says what it tries.
# What you import yourself has to come with Python, PyTorch or NumPy: little else is there when your work is graded.
# Arguments stay unchanged, results have the dtype and device of the inputs, and gradients flow unless the task says
# otherwise.
# One wrong task need not cost you the next: the whole search may call the parts that you wrote, and a mistake there
# that its own check can name is not counted again.
# A *hypothesis* is a translation, finished or not; its *log-probability* is the sum of those of its words.

# %% given="setup"
import heapq
import math

import torch
from torch import Tensor
from torch.nn import functional as F

from seq2seq.vocab import BOS, EOS, PAD

words = ["<pad>", "<bos>", "<eos>", "<unk>", "le", "la", "chat", "chatte", "noir", "dort"]
following = {  # a language model that knows the word before, and nothing else
    "<bos>": {"le": 0.45, "la": 0.30, "dort": 0.25},
    "le": {"chat": 0.40, "noir": 0.35, "dort": 0.25},
    "la": {"chatte": 0.90, "dort": 0.10},
    "chat": {"dort": 0.40, "noir": 0.35, "<eos>": 0.25},
    "chatte": {"dort": 0.80, "noir": 0.15, "<eos>": 0.05},
    "noir": {"<eos>": 0.50, "dort": 0.30, "chat": 0.20},
    "dort": {"<eos>": 0.90, "le": 0.05, "la": 0.05},
}
table = torch.full((len(words), len(words)), 1e-4)
for word, shares in following.items():
    for next_word, share in shares.items():
        table[words.index(word), words.index(next_word)] = share
log_table = (table / table.sum(1, keepdim=True)).log()  # row: the word before; column: the next word

# %% [markdown]
# ## Warm-up: two steps by hand
#
# A model says *le* with probability 0.6 and *la* with 0.4.
# After *le* it says *chat* with 0.5 and *chien* with 0.5; after *la* it says *chatte* with 0.9 and *chienne* with 0.1.
#
# 1. Greedy decoding takes the most probable word at every step. How probable is its sentence of two words?
# 2. A beam of two keeps two hypotheses. How probable is the best sentence that it finds?
# 3. One hypothesis has 2 words and the log-probability −2.0, another has 4 words and −2.4. What are their means per
#    word, and which of the two wins by its mean, the first or the second?
# 4. A model gave the three right words the probabilities 1/2, 1/4 and 1/8. The perplexity is the inverse of their
#    geometric mean. What is it?
#
# Write your numbers below before you run the cell. It is not graded.

# %% tags=["demonstration"]
greedy_by_hand = [None]
beam_by_hand = [None]
means_by_hand = [None, None, None]  # of the first, of the second, and 1 or 2
perplexity_by_hand = [None]


def compare(name, mine, right):
    if None in mine:
        print(f"{name}: still to do")
    else:
        close = all(abs(a - b) < 0.01 for a, b in zip(mine, right, strict=True))
        print(f"{name}: {'right' if close else 'not yet'}")


compare("greedy", greedy_by_hand, [0.30])
compare("beam of two", beam_by_hand, [0.36])
compare("means per word", means_by_hand, [-1.0, -0.6, 2])
compare("perplexity", perplexity_by_hand, [4.0])

# %% [markdown]
# ## Task 1: perplexity
#
# How many words does the model waver between? (Chapter 11, *Perplexity*.)
#
# $$\exp\left(-\frac{1}{N} \sum_i \log p(y_i \mid y_1, \ldots, y_{i-1}, x)\right)$$
#
# The logits are those of the teacher-forced pass: at each step the previous words were the right ones.
# `target_out` holds the right word of each step, EOS at the end.
# N counts the real words of the whole batch.
# It is a measurement: a plain number will do, and no gradient is needed.
#
# > **Often believed:** "perplexity says how good the translations are."
# > It says how well the model predicts the next word when *all words before it are right*.
# > When it translates, the words before are its own; only decoding shows how it does then.
#
# <details><summary>Hint 1: a nudge</summary>
#
# If all words are equally likely, the perplexity is the size of the vocabulary. Which of your steps ensures that?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# From logits to log-probabilities; for each step, that of the right word; of these, the real ones; their mean; its exp.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `gather` along the last axis needs an index with as many axes as the table: give `target_out` one of size 1 at the
# end.
# `values[mask]` is a flat tensor of those where the mask is true.
# `F.cross_entropy` on the real steps alone does much of this at once.
# </details>

# %% answer="perplexity_of_logits"
from seq2seq.metrics import perplexity_of_logits

# %% check="perplexity_of_logits_visible" points=1
from autograder.tasks.decoding import check

check("perplexity_of_logits", perplexity_of_logits)

# %% check="perplexity_of_logits_hidden" points=1 hidden=true
# When graded: one sentence, sentences of one word, more sentences, large logits, float64.
from autograder.tasks.decoding import check

check("perplexity_of_logits", perplexity_of_logits, hidden=True)

# %% tags=["demonstration"]
# What our little language model thinks of three sentences (nothing to write here).
try:
    for text in ("la chatte dort", "le chat noir dort", "dort chat la"):
        ids = torch.tensor([[BOS, *map(words.index, text.split()), EOS]])
        mask = torch.ones_like(ids[:, 1:], dtype=torch.bool)
        value = float(perplexity_of_logits(log_table[ids[:, :-1]], ids[:, 1:], mask))
        print(f"{text:18} perplexity {value:8.2f}")
    print(f"a model that knows nothing: {len(words)}")
except Exception as error:
    print(f"Three perplexities appear here once the task is done. ({type(error).__name__})")

# %% [markdown]
# ## Task 2: one step of the beam
#
# Greedy decoding never takes a word back.
# *Beam search* keeps the `beam_size` best hypotheses instead (chapter 11, beam search; Sutskever et al., 2014, section
# 3.2).
# In each step, any hypothesis may be continued by any word, and the best of all these candidates are kept:
#
# $$\log p(y_1, \ldots, y_i \mid x) = \log p(y_1, \ldots, y_{i-1} \mid x) + \log p(y_i \mid y_1, \ldots, y_{i-1}, x)$$
#
# A sentence with `width` hypotheses has width × vocab_size candidates; they compete with each other, and never with
# another sentence's.
# Return the log-probability of each that is kept, the place of the hypothesis that it continues (its *parent*), and
# its word, the best first.
# A search needs no gradient.
#
# > **Often believed:** "a beam of five follows five paths side by side."
# > One hypothesis may have all five of the best continuations; then the other four paths end there.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Make the table of all candidates of all sentences first. What is its shape, and which of the two inputs lacks an axis?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# `topk` chooses along one axis, and a candidate has two coordinates: make one axis of the two.
# The index that `topk` then returns stands for both coordinates together.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# In a table with `vocab_size` columns that was flattened row by row, in which row and in which column was candidate
# number `index`? Whole-number division gives one, its remainder the other.
# </details>

# %% answer="continue_hypotheses"
from seq2seq.beam.steps import continue_hypotheses

# %% check="continue_hypotheses_visible" points=1
from autograder.tasks.decoding import check

check("continue_hypotheses", continue_hypotheses)

# %% check="continue_hypotheses_hidden" points=1 hidden=true
# When graded: a beam of one, one sentence, a beam that gets narrower or wider, empty places, many words, long and
# improbable hypotheses, float64.
from autograder.tasks.decoding import check

check("continue_hypotheses", continue_hypotheses, hidden=True)

# %% tags=["demonstration"]
# Two steps of a beam of three (nothing to write here): how many children does each parent have?
try:
    totals, parents, tokens = continue_hypotheses(torch.zeros(1, 1), log_table[torch.tensor([[BOS]])], 3)
    print("step 1:", *(f"{words[t]} {float(s.exp()):.2f}  " for t, s in zip(tokens[0], totals[0], strict=True)))
    before = tokens[0]
    totals, parents, tokens = continue_hypotheses(totals, log_table[tokens], 3)
    kept = zip(parents[0], tokens[0], totals[0], strict=True)
    print("step 2:", *(f"{words[before[p]]} {words[t]} {float(s.exp()):.2f}  " for p, t, s in kept))
except Exception as error:
    print(f"Two steps appear here once the task is done. ({type(error).__name__})")

# %% [markdown]
# The first step begins with *one* hypothesis, BOS, and not with `beam_size` copies of it.
# Copies would have the same continuations, and the beam would hold the same sentence several times forever.
#
# ## Task 3: what has ended
#
# A hypothesis whose last word is EOS has ended: it must not be continued, but it must not be forgotten either.
# At the last step allowed, all hypotheses end, EOS or not.
#
# Split `totals` into two tensors of the same shape: those that go on, and those that have ended.
# Each hypothesis is in its place in one of them, and the other has $-\infty$ there, the logarithm of probability 0.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which hypotheses have ended? Make that a tensor of true and false first.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Two conditions, joined by *or*: the token, and the step. The second is one truth value for all.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `masked_fill` returns a new tensor; with `~` you get the other half.
# Do not multiply by the mask: 0 is the best log-probability there is, and $-\infty \cdot 0$ is NaN.
# </details>

# %% answer="set_finished_aside"
from seq2seq.beam.steps import set_finished_aside

# %% check="set_finished_aside_visible" points=1
from autograder.tasks.decoding import check

check("set_finished_aside", set_finished_aside)

# %% check="set_finished_aside_hidden" points=1 hidden=true
# When graded: nobody ends, all end, one hypothesis, empty places in the beam, float64.
from autograder.tasks.decoding import check

check("set_finished_aside", set_finished_aside, hidden=True)

# %% tags=["demonstration"]
# Which go on and which have ended, at a step in between and at the last (nothing to write here).
try:
    texts = ["la chatte", "dort <eos>", "le chat"]
    tokens = torch.tensor([[words.index(text.split()[-1]) for text in texts]])
    for is_last in (False, True):
        alive, finished = set_finished_aside(torch.tensor([[0.270, 0.225, 0.180]]).log(), tokens, is_last)
        print("the last step allowed" if is_last else "a step between")
        for text, goes_on, has_ended in zip(texts, alive[0].tolist(), finished[0].tolist(), strict=True):
            print(f"  {text:12} alive {goes_on:6.2f}   finished {has_ended:6.2f}")
except Exception as error:
    print(f"A small table appears here once the task is done. ({type(error).__name__})")

# %% [markdown]
# ## Task 4: the way back
#
# After each step the beam keeps only words and parents; the sentences themselves are never copied.
# When the search is over, the winner's last word is known: its step and its place in the beam.
# The word at (step, place) continues the hypothesis that was at (step − 1, parent).
#
# | step | words in the beam | parents |
# |---|---|---|
# | 0 | le, la, dort | 0, 0, 0 |
# | 1 | chatte, EOS, chat | 1, 2, 0 |
# | 2 | dort, dort | 0, 2 |
#
# The hypothesis that ends at step 2 in place 0 is *la chatte dort*: *dort* has parent 0, which is *chatte*; that has
# parent 1, which is *la*.
#
# Do it for a batch at once. Sentences end at different steps: after its last word a sentence gets PAD.
#
# > **Often believed:** "the first place of the beam holds the winner's words."
# > Places are reassigned at every step. Reading down one column gives a sentence that no hypothesis contains.
#
# <details><summary>Hint 1: a nudge</summary>
#
# Which step do you begin with, and which two things change on the way from one step to the one before?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Go from the last step to the first, and keep one place for each sentence: read the word that is there, then move
# to its parent.
# A sentence that ends earlier waits until you reach its own last step.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# With `rows = torch.arange(batch)`, `table[step, rows, place]` reads one entry for each sentence.
# `torch.where(step <= last, …, …)` decides twice: word or PAD, and parent or the place unchanged.
# </details>

# %% answer="trace_back"
from seq2seq.beam.steps import trace_back

# %% check="trace_back_visible" points=1
from autograder.tasks.decoding import check

check("trace_back", trace_back)

# %% check="trace_back_hidden" points=1 hidden=true
# When graded: a beam of one, one step, one sentence, all of full length, a hypothesis of one word, a large batch.
from autograder.tasks.decoding import check

check("trace_back", trace_back, hidden=True)

# %% [markdown]
# ## Task 5: the whole search
#
# Each further word adds a logarithm below 0, so a plain sum favours short hypotheses.
# Wu et al. (2016, section 7, equation 14) divide by a *length penalty*; the words are counted with EOS:
#
# $$s = \frac{\log p(y)}{\mathrm{lp}(|y|)}, \qquad \mathrm{lp}(n) = \left(\frac{5 + n}{6}\right)^\alpha$$
#
# Now write the search, for one sentence and a model that knows the *two* words before: `log_table[a, b, c]` is the
# log-probability of `c` after `a b`.
#
# - It begins with one hypothesis, BOS after BOS, and a beam of `beam_size` places.
# - A hypothesis ends with EOS, or with word number `longest`. Then it leaves the beam, and its place is not refilled:
#   in all later steps the beam has one place fewer.
# - A word with the log-probability $-\infty$ cannot follow: it is not a candidate.
#   There may be fewer candidates than places.
# - The search stops as soon as it is certain: when the beam is empty, or when no open hypothesis can still beat the
#   best that has ended. For an open one assume the best that can happen: further words that are certain and the
#   length `longest`.
#
# Return the words of the best hypothesis as a list of ids (EOS among them, BOS not), its score $s$, and the number of
# steps that the search took.
# No gradient is needed. Plain lists and `sorted` are as good as tensors; you may also use your parts, with a batch of
# one.
#
# Before you write it: a log-probability is below 0. Is it better to divide it by a large number or by a small one?
#
# > **Often believed:** "the search may stop when the first hypothesis has ended", or "when the best one has".
# > With plain sums the best may be trusted once it has ended; with a length penalty an open one may gain by growing.
#
# <details><summary>Hint 1: a nudge</summary>
#
# What do you need to know about each open hypothesis to continue it, compare it, and return it in the end?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# In each step: all candidates of all open hypotheses; the best of them, as many as there are places; of these, those
# that end; the best that has ended so far; how many places are left; whether to stop.
# As the table needs the word before the last too, that word has to follow its hypothesis when places are reassigned.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# A tuple `(log-probability, words)` is sorted by its first entry.
# The best that an open hypothesis with the sum `total` can reach is that same sum, divided by the penalty of the
# greatest length: a bound on its score.
# </details>

# %% answer="beam_search"
from seq2seq.exercises.decoding import beam_search

# %% check="beam_search_visible" points=1
from autograder.tasks.decoding import check

check("beam_search", beam_search)

# %% check="beam_search_hidden" points=3 hidden=true
# When graded: a beam wider than the vocabulary, words that cannot follow, a greatest length of one, a strong penalty,
# long sentences, hardly probable words, an open hypothesis that can at best draw level, float64.
from autograder.tasks.decoding import check

check("beam_search", beam_search, hidden=True)

# %% tags=["demonstration"]
# Your search in the little model, which looks one word back only (nothing to write here).
LONGEST = 6  # words, EOS among them
longer_table = log_table.unsqueeze(0).expand(len(words), -1, -1)
try:
    for beam_size, alpha in ((1, 0.0), (2, 0.0), (3, 0.0), (3, 0.6), (3, 1.0)):
        ids, score, steps = beam_search(longer_table, beam_size, LONGEST, alpha)
        text = " ".join(words[id] for id in ids)
        print(f"beam {beam_size}, alpha {alpha}:  {text:22} score {float(score):6.3f} after {steps} steps")
except Exception as error:
    print(f"Five sentences appear here once the task is done. ({type(error).__name__})")

# %% [markdown]
# A beam of one is greedy decoding: it takes *le*, the likeliest first word, and is stuck with it.
# A beam of two finds a better sentence.
# A beam of three finds one that is more probable still, but worse: it is merely short.
# With the length penalty, the same beam chooses as we would.

# %% tags=["demonstration"]
# The first steps of a beam of three as a tree (nothing to write here): a column for each step, the best on top.
GREY = "#767676"


def draw_tree(beam_size, steps=4):
    import matplotlib.pyplot as plt

    _, axes = plt.subplots(figsize=(1.7 * steps + 1, 0.8 * beam_size + 0.6))
    axes.text(-1, 0, "<bos>", ha="center", va="center", color=GREY)
    alive, before = torch.zeros(1, 1), torch.tensor([[BOS]])
    for step in range(steps):
        totals, parents, before = continue_hypotheses(alive, log_table[before], beam_size)
        alive, _ = set_finished_aside(totals, before, False)
        for place, total in enumerate(totals[0].tolist()):
            if total < -9:
                continue  # an empty place, or a word that the little model all but rules out
            above = -int(parents[0, place]) if step else 0
            axes.plot([step - 0.72, step - 0.3], [above, -place], color=GREY, linewidth=1)
            label = f"{words[int(before[0, place])]}\n{math.exp(total):.3f}"
            axes.text(step, -place, label, ha="center", va="center")
    axes.set(xlim=(-1.4, steps - 0.5), ylim=(0.5 - beam_size, 0.5), title=f"beam of {beam_size}")
    axes.set_axis_off()
    plt.show()


try:
    draw_tree(3)
except Exception as error:
    print(f"A tree appears here once tasks 2 and 3 are done. ({type(error).__name__})")

# %% tags=["demonstration"]
# What beams of other sizes do to a trained model (nothing to write here), measured in our own runs.
try:
    import json
    from pathlib import Path

    import seq2seq

    results = Path(seq2seq.__file__).parent / "experiments/results/beam_size.json"
    if results.exists():  # not while it is graded
        models = json.loads(results.read_text())["models"]
        print("Fixed vector at every step: BLEU, and in brackets words said by words of the references.")
        for penalty, runs in models["every_step"].items():
            cells = [f"beam {run['beam_size']}: {run['bleu']:.1f} ({run['length_ratio']:.2f})" for run in runs]
            print(f"{penalty:9}", *cells, sep="   ")
except Exception as error:
    print(f"A table appears here. ({type(error).__name__})")

# %% [markdown]
# ## Task 6: nothing twice
#
# Models that are unsure repeat themselves, and a search that looks for probable sentences favours that: what has been
# said is the likeliest thing to be said again.
# Paulus et al. (2018) therefore forbid the search to say a run of `n` words twice.
#
# Before each step, for every hypothesis: which next words would complete a run of `n` words that it already contains?
# In the log-probabilities of the next word, each of these gets $-\infty$.
# The others stay as they are.
#
# With `n = 2`, after *la dame et la*: the run *la dame* has been said, and *la* is the last word, so *dame* is barred.
# *dame et* and *et la* bar nothing here; they would after *dame* and after *et*.
#
# Before you write it: what does `n = 1` forbid?
#
# <details><summary>Hint 1: a nudge</summary>
#
# A run of `n` words is `n − 1` words and a last one. Which of the two is still open?
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# Go through all runs of a hypothesis. Where their first `n − 1` words are the same as the last `n − 1` words that were
# said, the last word of the run is affected.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# `words[-(n - 1):]` is the whole list for `n = 1`; `words[len(words) - n + 1:]` is right for every `n`.
# Work on a `clone` of the log-probabilities.
# </details>

# %% answer="without_repeats"
from seq2seq.exercises.decoding import without_repeats

# %% check="without_repeats_visible" points=1
from autograder.tasks.decoding import check

check("without_repeats", without_repeats)

# %% check="without_repeats_hidden" points=1 hidden=true
# When graded: runs of four words, fewer words than a run or just as many, nothing said yet, one hypothesis, improbable
# words, ids of several digits, float64.
from autograder.tasks.decoding import check

check("without_repeats", without_repeats, hidden=True)

# %% tags=["demonstration"]
# A model that goes round in circles, followed greedily with and without your rule (nothing to write here).
try:
    rows = [[0.1, 0.6, 0.2, 0.1], [0.1, 0.1, 0.6, 0.2], [0.6, 0.1, 0.1, 0.2], [0.3, 0.2, 0.4, 0.1]]
    circle = torch.tensor(rows).log()
    for n in (None, 3, 2):
        followed = [0]
        for _ in range(11):
            scores = circle[followed[-1]][None]
            scores = scores if n is None else without_repeats(scores, torch.tensor([followed]), n)
            followed.append(int(scores.argmax()))
        print(f"{'no rule' if n is None else f'n = {n}':8}", *("abcd"[word] for word in followed))
except Exception as error:
    print(f"Three lines appear here once the task is done. ({type(error).__name__})")

# %% [markdown]
# ## Task 7: lead the beam astray
#
# A beam of two looks at more than greedy decoding does. Does it always find a sentence at least as probable?
#
# It does not. Write a model that shows this: a dictionary like `following` at the top, of words of your choice, in
# which greedy decoding finds a more probable sentence than a beam of two; the beam's has at most four fifths of its
# probability.
#
# The search is that of task 5, with $\alpha = 0$ and sentences of up to 12 words.
# Every word that may be said needs a row whose probabilities sum to 1, `"<bos>"` for the first word; `"<eos>"` ends the
# sentence. Use at most 30 words.
#
# Before you begin, draw the tree: what could push the greedy hypothesis out of a beam of two, and when must it be gone?
#
# <details><summary>Hint 1: a nudge</summary>
#
# The greedy hypothesis is the best after step 1. It has to be in third place at some later step.
# </details>
# <details><summary>Hint 2: the idea</summary>
#
# One other beginning with two children takes both places, if both children look better for a while.
# </details>
# <details><summary>Hint 3: nearly there</summary>
#
# What looks good for a while but is not: words that follow with certainty, and after them many possible ends, each
# of them improbable.
# </details>

# %% answer="lured"
from seq2seq.exercises.decoding import lured

# %% check="lured_visible" points=1
from autograder.tasks.decoding import check

check("lured", lured)

# %% check="lured_hidden" points=1 hidden=true
# When graded: your words in another order, so that nothing depends on a tie.
from autograder.tasks.decoding import check

check("lured", lured, hidden=True)

# %% [markdown]
# ## In words
#
# Look at the sentences that your search found, and at the table of the trained model without a penalty.
# As the beam grows, the hypotheses found become more and more probable, and shorter and shorter.
#
# 1. Why does a better search find *shorter* sentences? Is that a fault of the search or of the model?
# 2. What does the length penalty change, and what does it not change? Think of two hypotheses at the *same* step.
#
# Five or six sentences are enough.

# %% [markdown] question="why_shorter" points=2
# **Model answer.** The log-probability is a sum of numbers below 0, and each further word makes it smaller, so of two
# sentences that are equally good word by word the shorter one has the larger sum.
# A small beam often throws the short sentence away early, because its EOS did not look good at that step; a larger
# beam keeps it until it wins.
# So the search does its job better: it finds what the model considers more probable. It is the model's probability that
# is the wrong measure of a translation, and the errors of a poor search had hidden that.
# The penalty divides each finished hypothesis's log-probability by a number that grows with its length, so that long
# and short ones compare more fairly when the winner is chosen.
# It changes neither the model's probabilities nor, within one step, the order of the hypotheses, since they all have
# the same length there and are divided by the same number.
#
# **Rubric.** 1 point: says that every word adds a negative logarithm so that short hypotheses have the larger sum, and
# that it is the model's score, not the search, that is at fault (a larger beam only finds what the score prefers).
# 1 point: says that the penalty makes finished hypotheses of different length comparable, and that within a step, or
# in the model, nothing changes.

# %% [markdown]
# ## To go further (not graded)
#
# 1. Change `following` so that a beam of three does worse than a beam of two even with $\alpha = 1$.
# 2. How large must a beam be for the search to be certain to find the most probable sentence of up to $n$ words?
# 3. Let the beam refill the place of a hypothesis that has ended. Which sentences may it then find that it does not
#    find now, and when can the search stop?

# %% tags=["demonstration"]
my_beam_size = None  # try your own
if my_beam_size is None:
    print("still to do, if you like")
else:
    draw_tree(my_beam_size)

"""The tasks of ``11_decoding``: how good a model's probabilities are, and how a sentence is searched for by them."""

import math
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import torch
from torch import Tensor

from autograder.checking.checker import Checker
from autograder.checking.draw import Draw
from autograder.checking.edits import body, edit, result, start
from autograder.checking.task import Entry, Task, hidden, listed, variant, visible
from autograder.checking.values import is_number
from autograder.finding import CheckFailed
from seq2seq.beam.steps import continue_hypotheses, set_finished_aside, trace_back
from seq2seq.exercises.decoding import beam_search, lured, without_repeats
from seq2seq.metrics import perplexity_of_logits
from seq2seq.vocab import BOS, EOS, PAD, UNK

Listed = dict[str, tuple[Any, ...]]  # id → why it is wrong, and its edits


def instead(of: str, edits_by_id: dict[str, tuple[str, str]], at: str = "") -> dict[str, Entry]:
    """(why, what stands there) for each id."""
    return {id: (why, edit(of, put, at)) for id, (why, put) in edits_by_id.items()}


def forced(
    draw: Draw, lengths: list[int], width: int, vocab_size: int, spread: float, surprise: float
) -> dict[str, Tensor]:
    """Right words with EOS at the end; ``surprise``: by how much the first word is ruled out, or below 0: certain."""
    mask = draw.mask(lengths, width)
    target = draw.whole(3, vocab_size, *mask.shape).masked_fill(~mask, PAD)
    target[torch.arange(len(lengths)), torch.tensor(lengths) - 1] = EOS
    logits = spread * draw.normal(*mask.shape, vocab_size)
    if surprise < 0:
        logits[:, :1] = logits[:, :1].scatter(-1, target[:, :1, None], -surprise)
    elif surprise:
        logits = logits.scatter(-1, target.unsqueeze(-1), 120.0)
        logits[0, 0, target[0, 0]] -= 120 + surprise
    return {"logits": logits, "target_out": target, "target_mask": mask}


def measured(answer: Any, given: SimpleNamespace) -> Any:
    """A number, be it Python's or a tensor of one element."""
    value = answer(given.logits, given.target_out, given.target_mask)
    return float(value) if is_number(value) else value


LOGS, MEAN = "F.log_softmax(logits, dim=-1)", "torch.exp(-words[target_mask].mean())"
PER_SENTENCE = "(-(words * target_mask).sum(1) / target_mask.sum(1))"
PERPLEXITY = {
    **instead(MEAN, {
        "padding": ("padding is averaged along: only real words count", "torch.exp(-words.mean())"),
        "padding_counted": ("padding is left out of the sum, but counted with the words",
                            "torch.exp(-(words * target_mask).mean())"),
        "padding_summed": ("padding is in the sum, though not in the number of words",
                           "torch.exp(-words.sum() / target_mask.sum())"),
        "sentences": ("each sentence is averaged first: all words of the batch count alike",
                      f"{PER_SENTENCE}.mean().exp()"),
        "perplexities": ("the perplexities of the sentences are averaged: all words of the batch count alike",
                         f"{PER_SENTENCE}.exp().mean()"),
        "not_divided": ("the sum is not divided by the number of words", "torch.exp(-words[target_mask].sum())"),
        "per_sentence": ("the sum is divided by the number of sentences, not of words",
                         "torch.exp(-words[target_mask].sum() / len(words))"),
        "base_two": ("2 is raised to a mean of natural logarithms", "2 ** -words[target_mask].mean()"),
        "inverse_mean": ("the inverse probabilities are averaged; their logarithms are",
                         "(-words[target_mask]).exp().mean()"),
        "mean_probability": ("this is the inverse of the mean probability; the logarithms are averaged",
                             "1 / words[target_mask].exp().mean()"),
        "no_eos": ("the last word of each sentence, EOS, is left out; it has to be predicted too",
                   "torch.exp(-words[:, :-1][target_mask[:, 1:]].mean())"),
        "moved": ("the targets are moved by one: `target_out` stands beside its logits already",
                  "torch.exp(-log_probabilities[:, :-1].gather(-1, target_out[:, 1:].unsqueeze(-1))"
                  ".squeeze(-1)[target_mask[:, 1:]].mean())"),
    }),
    **instead(LOGS, {
        "no_softmax": ("the logits are taken for log-probabilities: a softmax is missing", "logits"),
        "over_steps": ("the softmax runs over the steps; words of the vocabulary compete", "logits.log_softmax(1)"),
        "over_batch": ("the softmax runs over the batch; words of the vocabulary compete", "logits.log_softmax(0)"),
        "log_of_softmax": ("so small a share comes to 0: take softmax and log in one", "logits.softmax(-1).log()"),
    }),
    "no_exp": ("the exp is missing: this is the mean loss", edit(MEAN, "-words[target_mask].mean()")),
    "likeliest": ("the probability of the most likely word is taken, not that of the right one",
                  edit("{x}.gather(-1, target_out.unsqueeze(-1)).squeeze(-1)", "{x}.amax(-1)")),
    "sentence_0": ("only sentence 0 is measured", edit("words[target_mask]", "words[0][target_mask[0]]")),
}  # fmt: skip


def hypotheses(
    draw: Draw, batch: int, width: int, vocab_size: int, beam_size: int, empty: bool, level: float = -3.0
) -> dict[str, Any]:
    alive = 0.5 * draw.normal(batch, width) + level
    if empty:
        alive[0, 0] = alive[1, 3] = -torch.inf
        alive[2, 1:] = -torch.inf
    log_probabilities = draw.normal(batch, width, vocab_size).log_softmax(-1)
    return {"alive": alive, "log_probabilities": log_probabilities, "beam_size": beam_size}


CANDIDATES, INDEX = "alive.unsqueeze(2) + log_probabilities", "candidates.flatten(1).topk(beam_size)"
TRIPLE = "totals, index // vocab_size, index % vocab_size"
CONTINUED: dict[str, Entry] = {
    **instead(CANDIDATES, {
        "past": ("what came before is forgotten: add the log-probability of the hypothesis", "log_probabilities"),
        "multiplied": ("the logarithms are multiplied; they are added, as probabilities are multiplied",
                       "alive.unsqueeze(2) * log_probabilities"),
        "sentence_0": ("the hypotheses of sentence 0 are continued in all",
                       "alive[:1].unsqueeze(2) + log_probabilities"),
    }),
    **instead(TRIPLE, {
        "by_beam": ("the number of a candidate is divided by the size of the beam; it is divided by the vocabulary's",
                    "totals, index // beam_size, index % beam_size"),
        "by_width": ("the number of a candidate is divided by the width; it is divided by the size of the vocabulary",
                     "totals, index // alive.size(1), index % alive.size(1)"),
        "as_if_turned": ("the number of a candidate is taken apart as if the words were the rows of the table; the "
                         "hypotheses are", "totals, index % alive.size(1), index // alive.size(1)"),
        "two_divisors": ("quotient and remainder belong to different divisors",
                         "totals, index // vocab_size, index % alive.size(1)"),
        "tokens_whole": ("the tokens are numbers of candidates: the remainder by the vocabulary's size is the word",
                         "totals, index // vocab_size, index"),
        "parents_whole": ("the parents are numbers of candidates: divided by the vocabulary's size they are places",
                          "totals, index, index % vocab_size"),
        "float_parents": ("a place is a whole number: the division has to be `//`",
                          "totals, index / vocab_size, index % vocab_size"),
        "rounded": ("the quotient is rounded to the nearest number: words of high number get the next parent",
                    "totals, (index / vocab_size).round().long().clamp(max=alive.size(1) - 1), index % vocab_size"),
        "rounded_past": ("the quotient is rounded to the nearest number: words of high number get the next parent, "
                         "even where there is none", "totals, (index / vocab_size).round().long(), index % vocab_size"),
        "parent_0": ("the parent is 0 for all", "totals, torch.zeros_like(index), index % vocab_size"),
        "probabilities": ("the totals are probabilities; they have to stay logarithms",
                          "totals.exp(), index // vocab_size, index % vocab_size"),
        "own": ("the totals are the words' own log-probabilities: add those of the hypotheses",
                "log_probabilities.flatten(1).gather(1, index), index // vocab_size, index % vocab_size"),
        "worst_first": ("the best comes last; it is to come first", "totals.flip(1), (index // vocab_size).flip(1), "
                        "(index % vocab_size).flip(1)"),
    }),
    **instead(INDEX, {
        "worst": ("the worst candidates are kept", "candidates.flatten(1).topk(beam_size, largest=False)"),
        "not_widened": ("no more are kept than there were hypotheses before; it should be as many as `beam_size` says",
                        "candidates.flatten(1).topk(min(beam_size, alive.size(1)))"),
        "turned": ("the table was turned before it was made flat",
                   "candidates.transpose(1, 2).flatten(1).topk(beam_size)"),
        "across": ("the sentences of the batch compete with each other: each has a beam of its own",
                   "candidates.flatten().topk(beam_size)"),
        "a_beam_each": ("each hypothesis has a beam of its own: all candidates of a sentence compete",
                        "candidates.topk(beam_size)"),
        "first_only": ("only the first hypothesis is continued", "candidates[:, 0].topk(beam_size)"),
    }),
    "underflow": ("probabilities are multiplied before the logarithm is taken: small ones come to 0",
                  edit(CANDIDATES, "(alive.exp().unsqueeze(2) * log_probabilities.exp()).log()")),
    "one_child": ("once the beam is full, each hypothesis is continued by its best word alone", start(
        "if alive.size(1) >= beam_size:\n"
        f"    best, words = ({CANDIDATES}).max(-1)\n"
        "    totals, parents = best.topk(beam_size)\n"
        "    return totals, parents, words.gather(1, parents)")),
    "batch_parents": ("the parents are counted through the batch; they are places in the sentence's own beam", edit(
        "index // vocab_size", "index // vocab_size + alive.size(1) * torch.arange(len(alive)).unsqueeze(1)")),
    "each_once": ("each hypothesis is continued once; the best of all candidates are wanted",
                  edit(INDEX, "candidates.max(-1)"),
                  edit(TRIPLE, "totals, torch.arange(alive.size(1)).expand_as(index), index")),
    "each_once_later": ("after the first step each hypothesis is continued once; the best of all candidates are wanted",
                        start("if alive.size(1) > 1:\n"
                              f"    best, words = ({CANDIDATES}).max(-1)\n"
                              "    totals, parents = best.topk(min(beam_size, best.size(1)))\n"
                              "    return totals, parents, words.gather(1, parents)")),
    "each_once_ranked": ("each hypothesis is continued once; the best of all candidates are wanted", start(
        f"best, words = ({CANDIDATES}).max(-1)\n"
        "totals, parents = best.topk(min(beam_size, best.size(1)))\n"
        "return totals, parents, words.gather(1, parents)")),
}  # fmt: skip


NUMBERED = {  # what to ask where no mistake explains the difference
    "parents": "a parent is the place in `alive` of the hypothesis continued, counted within its own sentence: in "
               "which row of width × vocab_size does the number of the chosen candidate lie?",
    "tokens": "a token is the place of the chosen candidate within the row of its hypothesis, the last axis",
    "totals": "a total is that of the hypothesis plus the log-probability of the word, and the largest comes first",
}  # fmt: skip


def beam(draw: Draw, batch: int, beam_size: int, is_last: bool, says: str, empty: bool) -> dict[str, Any]:
    totals = -1 - draw.uniform(batch, beam_size, high=5.0)
    special = torch.tensor([EOS, 7, PAD, BOS, UNK, 8, EOS, 9]).repeat(batch * beam_size)[: batch * beam_size]
    tokens = {"all": special, "words": special * 0 + 6, "eos": special * 0 + EOS}[says].view(batch, beam_size)
    if batch > 1 and says == "all":
        tokens[-1][tokens[-1] == EOS] = 9  # a sentence of which nothing ends
    if empty:
        totals[0, 0] = totals[-1, 1] = -torch.inf
    return {"totals": totals, "tokens": tokens, "is_last": is_last}


ENDED, ALIVE, FINISHED = ("(tokens == EOS) | is_last", "totals.masked_fill(ended, -torch.inf)",
                          "totals.masked_fill(~ended, -torch.inf)")  # fmt: skip
ASIDE: dict[str, Entry] = {
    **instead(ENDED, {
        "last_only": ("hypotheses end with EOS before the last step too",
                      "torch.full_like(tokens, is_last, dtype=torch.bool)"),
        "and": ("EOS before the last step is enough, and so is the last step", "(tokens == EOS) & is_last"),
        "pad": ("PAD is taken for EOS", "(tokens == 0) | is_last"),
        "bos": ("BOS is taken for EOS", "(tokens == 1) | is_last"),
        "unk": ("UNK is taken for EOS", "(tokens == 3) | is_last"),
        "sentence": ("one EOS ends all hypotheses of its sentence",
                     "((tokens == EOS).any(1, keepdim=True) | is_last).expand_as(tokens)"),
        "batch": ("one EOS ends the whole batch", "((tokens == EOS).any() | is_last).expand_as(tokens)"),
        "best_only": ("only the best place is looked at",
                      "((tokens == EOS) & (torch.arange(tokens.size(1)) == 0)) | is_last"),
    }),
    "zeros": ("0 marks a place that is empty, and is the best log-probability there is",
              edit("-torch.inf", "0.0", "all")),
    "low": ("a finite number marks an empty place; minus infinity is the logarithm of 0",
            edit("-torch.inf", "torch.finfo(totals.dtype).min", "all")),
    "billion": ("a very low number marks an empty place; minus infinity is the logarithm of 0",
                edit("-torch.inf", "-1e9", "all")),
    "cut_off_lost": ("what is cut off at the last step without EOS is in neither of the two",
                     edit(FINISHED, "totals.masked_fill(tokens != EOS, -torch.inf)")),
    "alive_at_last": ("what is cut off at the last step without EOS still goes on",
                      edit(ALIVE, "totals.masked_fill(tokens == EOS, -torch.inf)")),
    "nan": ("minus infinity times 0 is NaN", edit(ALIVE, "totals + ended * -torch.inf"),
            edit(FINISHED, "totals + ~ended * -torch.inf")),
    "go_on": ("a hypothesis is continued after its EOS", edit(ALIVE, "totals.clone()")),
    "all_finished": ("what goes on is among the finished too", edit(FINISHED, "totals.clone()")),
    "picked": ("each is a list of those that belong to it; every hypothesis should keep its place in both",
               edit("return alive, finished", "return totals[~ended], totals[ended]")),
    "masks": ("these are the masks; wanted are the log-probabilities",
              edit("return alive, finished", "return ~ended, ended")),
}  # fmt: skip


def record(draw: Draw, steps: int, last: list[int], beam_size: int) -> dict[str, Tensor]:
    """What was in the beam: words that all differ within a sentence, and no place that is its own parent."""
    batch = len(last)
    tokens = torch.stack([4 + torch.tensor(draw.order(steps * beam_size)).view(steps, -1) for _ in last], 1)
    away = 1 + draw.whole(0, max(1, beam_size - 1), steps, batch, beam_size)
    parents = (torch.arange(beam_size) + away) % beam_size
    parents[0] = 0  # before the first step there is one hypothesis
    place = draw.whole(0, beam_size, batch)
    return {"tokens": tokens, "parents": parents, "last": torch.tensor(last), "place": place}


WORD, MOVE = ("torch.where(spoken, tokens[step, rows, place], PAD)",
              "torch.where(spoken, parents[step, rows, place], place)")
READ, MOVED = f"ids[:, step] = {WORD}", f"place = {MOVE}"
TRACED = {
    **instead(WORD, {
        "no_pad": ("after the last word stands what others said; it has to be PAD", "tokens[step, rows, place]"),
        "last_as_pad": ("PAD stands for the last word: `last` is its step",
                        "torch.where(step < last, tokens[step, rows, place], PAD)"),
        "places": ("these are the places; wanted are the words that stand there",
                   "torch.where(spoken, parents[step, rows, place], PAD)"),
        "words_of_0": ("the words are read in sentence 0 for every sentence",
                       "torch.where(spoken, tokens[step, 0, place], PAD)"),
    }),
    **instead(MOVE, {
        "not_followed": ("the words stand at the same place in every step: the parents are not followed", "place"),
        "step_before": ("the parents are those of the step before: a word's parent stands at its own step",
                        "torch.where(spoken, parents[max(step - 1, 0), rows, place], place)"),
        "step_after": ("the parents are those of the step after: a word's parent stands at its own step",
                       "torch.where(spoken, parents[min(step + 1, steps - 1), rows, place], place)"),
        "at_padding": ("the parents are followed after the last word already, where the hypothesis is not",
                       "parents[step, rows, place]"),
        "parents_of_0": ("the parents are read in sentence 0 for every sentence",
                         "torch.where(spoken, parents[step, 0, place], place)"),
    }),
    "parent_first": ("the parent is followed before the word is read", edit(f"{READ}\n{MOVED}", f"{MOVED}\n{READ}")),
    "forwards": ("the steps are gone through from the first to the last; parents lead back",
                 edit("range(steps - 1, -1, -1)", "range(steps)")),
    "flipped": ("the row comes from the last step to the first, PAD in front", result("({x}).flip(1)")),
    "late_words": ("the words come from the last to the first",
                   edit(READ, f"ids[rows, (last - step) % steps] = {WORD}")),
    "too_short": ("the last word is left out: `last` is its step", edit("step <= last", "step < last")),
    "too_long": ("a word too many: `last` is the step of the last word", edit("step <= last", "step <= last + 1")),
    "place_0": ("every hypothesis is traced from place 0", start("place = torch.zeros_like(place)")),
    "place_of_0": ("every sentence has the place of sentence 0", start("place = place[:1].expand_as(place)")),
    "last_of_0": ("every sentence has the last step of sentence 0", start("last = last[:1].expand_as(last)")),
    "all_last": ("every hypothesis is taken to end at the last step of all",
                 start("last = torch.full_like(last, len(tokens) - 1)")),
    "exchanged": ("the axes are exchanged: a row is a sentence", result("({x}).T")),
    "cut": ("there is a column for every step, PAD and all", result("({x})[:, : int(last.max()) + 1]")),
}  # fmt: skip


def two_words_before(
    draw: Draw, vocab_size: int, beam_size: int, longest: int, alpha: float, ends: float, barred: bool, level: bool,
    flat: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """A model that knows the two words before; ``ends``: how likely EOS is made; ``level``: as much as the one word.

    ``flat``: all words are nearly as probable as each other, so that every long hypothesis is hardly probable.
    """
    logits = (0.05 if flat else 1.5) * draw.normal(vocab_size, vocab_size, vocab_size)
    logits[..., EOS] += ends
    logits[BOS, ..., EOS] -= 7  # no sentence of one word or two
    logits[..., [PAD, BOS]] = -torch.inf if barred else -12.0
    if barred:
        logits[BOS, BOS, EOS] = -torch.inf
        logits[BOS, BOS, 4:] = -torch.inf  # one word can be the first
    if level:
        logits[BOS, BOS] = logits.new_full((vocab_size,), -torch.inf).scatter(0, torch.tensor([EOS, 4]), 0.0)
    return {"log_table": logits.log_softmax(-1), "beam_size": beam_size, "longest": longest, "alpha": alpha}


LONG, STRONG = {"alpha": 4.0, "longest": 8, "ends": 2.0}, {"alpha": 8.0, "ends": 4.0}
BARRED = LONG | {"barred": True}
LP, STOP = "((5 + length) / 6) ** alpha", "alive[0][0] / penalty(longest) <= best"
NEXT = "table[words[-2]][words[-1]]"
LEFT = "alive = [hypothesis for hypothesis in beam if hypothesis not in ended]"
CLOSED = "hypothesis[1][-1] == EOS or length == longest"
SEARCHED: dict[str, Entry] = {
    **instead(LP, {
        "no_penalty": ("the log-probabilities are not normalised at all", "1.0"),
        "mean": ("this is the mean per word: the penalty of the equation grows more slowly", "length"),
        "multiplied": ("the scores are multiplied by the penalty: they are below 0, so that punishes length twice",
                       "((5 + length) / 6) ** -alpha"),
        "no_alpha": ("alpha is not used", "(5 + length) / 6"),
        "bracket": ("only n is divided by 6: a bracket is missing around 5 + n", "(5 + length / 6) ** alpha"),
        "six_outside": ("6 stays outside the power: a bracket is missing around (5 + n) / 6",
                        "(5 + length) ** alpha / 6"),
        "no_eos_counted": ("EOS is left out of the length", "((4 + length) / 6) ** alpha"),
    }),
    **instead(STOP, {
        "no_stop": ("the search goes on though nothing open can win any more", "False"),
        "first_end": ("the search stops when the first hypothesis ends; a better one may be open", "ended"),
        "present": ("open hypotheses are compared by their present length; they may grow, and gain by it",
                    "alive[0][0] / penalty(length) <= best"),
        "not_normalised": ("sums of open hypotheses are compared with scores", "alive[0][0] <= best"),
    }),
    **instead(NEXT, {
        "one_word": ("the word before the last is not looked at", "table[words[-1]][words[-1]]"),
        "axes": ("the two words before are exchanged: the first axis is the earlier one",
                 "table[words[-1]][words[-2]]"),
    }),
    "not_reordered": ("the word before the last is another hypothesis's, which stood in the same place before: what is "
                      "kept of a hypothesis has to follow it", start("stood = [BOS]"),
                      edit(NEXT, "table[stood[min(alive.index((total, words)), len(stood) - 1)]][words[-1]]"),
                      edit(LEFT, f"stood = [words[-1] for _, words in alive]\n{LEFT}")),
    "not_given_up": ("the place of a hypothesis that has ended is refilled; the beam should get narrower by one",
                     edit("width -= len(ended)", "width -= 0")),
    "ends_unranked": ("every continuation by EOS counts as ended, and open ones fill the beam; only one among the best "
                      "of all should end, and take a place", edit("heapq.nlargest(width, candidates)", "candidates"),
                      edit(LEFT, "alive = heapq.nlargest(width, [one for one in beam if one not in ended])"),
                      edit("width -= len(ended)", "width -= 0")),
    "without_eos": ("the EOS of a hypothesis that has ended is not counted in its length",
                    edit("total / penalty(length)", "total / penalty(length - (words[-1] == EOS))", "all")),
    "neither": ("the place of a hypothesis that has ended is refilled, and its EOS is not counted in its length",
                edit("width -= len(ended)", "width -= 0"),
                edit("total / penalty(length)", "total / penalty(length - (words[-1] == EOS))", "all")),
    "continued": ("a hypothesis is continued after its EOS", edit(LEFT, "alive = beam")),
    "cut_lost": ("a hypothesis that is cut off at the greatest length is lost",
                 edit(CLOSED, "hypothesis[1][-1] == EOS")),
    "copies": ("every place of the beam holds the same sentence, as copies of BOS make it",
               edit("[(0.0, [BOS, BOS])]", "[(0.0, [BOS, BOS])] * beam_size")),
    "one_back": ("only one word is looked back at: BOS stands in place of the other",
                 edit("table[words[-2]]", "table[BOS]")),
    "forgotten": ("what came before is forgotten: add the log-probability of the hypothesis",
                  edit("total + log", "log")),
    "underflow": ("probabilities are multiplied, and such small products come to 0: add their logarithms",
                  edit("total + log", "math.log(max(math.exp(total) * math.exp(log), 5e-324))")),
    "with_bos": ("BOS stands among the words", edit("words[2:]", "words[1:]")),
    "no_eos": ("EOS is cut off; it is one of the words", edit("words[2:]", "words[2:-1]")),
    "sum_returned": ("the log-probability is returned in the place of the score",
                     edit("return sentence, best, length", "return sentence, best * penalty(len(sentence)), length")),
}  # fmt: skip


COUNTED = {  # what to ask where no mistake explains the difference
    "steps": "the sentence is right, but the search ends too early or too late. A step adds one word to each open "
             "hypothesis; the search ends after the step in which the last one ends, or in which the best open sum, "
             "divided by the penalty of the greatest length, is not above the best score so far",
    "score": "the words are right: their summed log-probability is divided by the penalty of their number, with EOS",
}  # fmt: skip


def runs(draw: Draw, hypotheses: int, length: int, vocab_size: int, scale: int, ids: list[int], n: int) -> Any:
    prefixes = torch.tensor(ids)[draw.whole(0, 3, hypotheses, length)]  # few words, so that runs come back
    if len(ids) > 3:  # (0, id) and (1, 0), or (id, 0) and (0, 1), are one number to whoever counts in as many digits
        prefixes = torch.tensor([[*(word for id in ids for word in (0, id)), *end] for end in ([1, 0], [0, 1])])
    logs = draw.normal(hypotheses, vocab_size, scale=scale).log_softmax(-1)
    return {"log_probabilities": logs, "prefixes": prefixes, "n": n}


BEFORE, SAME = "words[len(words) - n + 1:]", "before == words[len(words) - n + 1:]"
REPEATED: dict[str, Entry] = {
    "all_words": ("every word that was said is barred; only one that would end a repeated run is", edit(SAME, "True")),
    "any_order": ("the words before are compared without their order",
                  edit(SAME, f"sorted(before) == sorted({BEFORE})")),
    "longer": ("runs of n + 1 words are looked for", start("n = n + 1")),
    "shorter": ("runs of n − 1 words are looked for", start("n = max(1, n - 1)")),
    "sentence_0": ("the words of hypothesis 0 bar those of all", start("prefixes = prefixes[:1].expand_as(prefixes)")),
    "all_rows": ("what one hypothesis has said is barred for all",
                 edit("allowed[row, last] = -torch.inf", "allowed[:, last] = -torch.inf")),
    "zero": ("0 is the best log-probability there is; a barred word gets minus infinity", edit("-torch.inf", "0.0")),
    "first_run": ("the first run of the hypothesis alone is looked at",
                  edit("range(len(words) - n + 1)", "range(min(1, len(words) - n + 1))")),
    "low": ("a barred word gets a very low number, and could still be said; it gets minus infinity",
            edit("-torch.inf", "-1e9")),
    "minus_zero": ("for runs of one word a slice from −0 takes the whole hypothesis, not an empty end, and bars none",
                   edit("words[len(words) - n + 1:]", "words[-(n - 1):]")),
    "shared_runs": ("what another hypothesis has said bars words too; each has runs of its own", body(
        "allowed = log_probabilities.clone()\n"
        "said = set()\n"
        "for row, words in enumerate(prefixes.tolist()):\n"
        "    said |= {tuple(words[start : start + n]) for start in range(len(words) - n + 1)}\n"
        "    for *before, last in said:\n"
        f"        if {SAME}:\n"
        "            allowed[row, last] = -torch.inf\n"
        "return allowed")),
    "all_runs": ("what another hypothesis has said bars words too; each has runs of its own",
                 edit("*before, last = words[start : start + n]\nif {c}:\n    {a} = -torch.inf",
                      "for other in prefixes.tolist():\n    *before, last = other[start : start + n]\n"
                      "    if {c}:\n        {a} = -torch.inf")),
    "as_text": ("the words are compared as text, in which 1 is found in 11; their numbers should be", body(
        "allowed = log_probabilities.clone()\n"
        "for row, words in enumerate(prefixes.tolist()):\n"
        f"    said, end = ' '.join(map(str, words)), {BEFORE}\n"
        "    for word in range(allowed.size(1)):\n"
        "        if ' '.join(map(str, [*end, word])) in said:\n"
        "            allowed[row, word] = -torch.inf\n"
        "return allowed")),
    "adjacent": ("only a run that follows itself at once is barred; it is barred wherever it was said",
                 edit("range(len(words) - n + 1)",
                      "range(max(0, len(words) - 2 * n + 1), len(words) - 2 * n + 2)")),
    "renormalised": ("the others are raised so that they sum to 1; they stay as they are",
                     result("({x}).log_softmax(-1)")),
}  # fmt: skip


def alone(answer: Any, given: SimpleNamespace) -> Any:
    return answer()


def judged(given: SimpleNamespace, shares: Any) -> Iterator[tuple[str, Any]]:
    """Who finds the better sentence in the learner's model."""
    table = log_table_of(shares, given.turned)
    (greedy, first, _), (wide, second, _) = (beam_search(table, size, 12, 0.0) for size in (1, 2))
    if greedy == wide:
        yield "who finds the better sentence", "nobody: the two are the same"
    elif first < second:
        yield "who finds the better sentence", "a beam of two"
    else:
        enough = math.exp(second - first) <= 0.8 + 1e-9
        yield "who finds the better sentence", "greedy decoding" if enough else "greedy decoding, but by too little"


def log_table_of(shares: Any, turned: bool) -> Tensor:
    """The dictionary as a table for :func:`beam_search`; says what is wrong with it."""

    def expect(holds: bool, got: str, expected: str, id: str) -> None:
        if not holds:
            raise CheckFailed("the model", got, expected, mistake=id)

    rows: list[Any] = list(shares.values()) if isinstance(shares, dict) else [None]
    expect(all(isinstance(row, dict) for row in rows), "something else", "a dictionary of dictionaries", "kind")
    expect("<bos>" in shares, "no row for <bos>", "one", "no_row")
    words = {word for row in rows for word in row} - {"<eos>"} | set(shares) - {"<bos>"}
    names = sorted(words, key=str, reverse=turned)  # numbers may be words, too
    expect(len(names) <= 30, f"{len(names)} words", "at most 30", "size")
    ids = {"<bos>": BOS, "<eos>": EOS} | {word: 4 + index for index, word in enumerate(names)}
    table = torch.zeros(4 + len(names), 4 + len(names), dtype=torch.float64)
    table[EOS, EOS] = 1
    for word, row in shares.items():
        numbers = all(is_number(share) and 0 <= float(share) <= 1 for share in row.values())
        expect(numbers and math.isclose(sum(map(float, row.values())), 1, abs_tol=1e-6),
               f"shares after {word!r} that do not sum to 1", "probabilities", "sum")  # fmt: skip
        for other, share in row.items():
            expect(other in shares or other == "<eos>", f"no row for {other!r}", "one for every word", "no_row")
            table[ids[word], ids[other]] = float(share)
    return table.log().unsqueeze(0).expand(len(table), -1, -1)


LURED: dict[str, Entry] = {
    "beam_wins": ("here the beam does what it is for: a beginning that looks worse has the better end",
                  edit('{"dort": 0.55, "mange": 0.45}', '{"dort": 0.3, "mange": 0.3, "rit": 0.2, "chante": 0.2}'),
                  edit('{"rit": 0.5, "chante": 0.5}', '{"rit": 1.0}')),
    "same": ("the beam keeps what greedy decoding keeps to the end: something has to push it out on the way",
             edit('{"rit": 0.5, "chante": 0.5}', '{"rit": 0.4, "chante": 0.3, "fort": 0.3}')),
    "too_little": ("the difference is less than a fifth",
                   edit('{"fort": 0.5, "<eos>": 0.5}', '{"fort": 0.1, "<eos>": 0.9}', "all")),
    "sum": ("the shares after a word have to sum to 1", edit('{"le": 0.6, "la": 0.4}', '{"le": 0.6, "la": 0.5}')),
    "no_row": ("every word needs a row", edit('{"dame": 1.0}', '{"reine": 1.0}')),
}  # fmt: skip

check = Checker(
    __name__,
    {
        "perplexity_of_logits": Task(
            perplexity_of_logits,
            "perplexity: real words alone, each counting once; equal logits give the size of the vocabulary",
            [
                visible(), visible("equal logits", lengths=[4, 2], width=4, vocab_size=9, spread=0.0),
                visible("no padding", lengths=[4, 4], width=4, vocab_size=6),
                visible("a word that was all but ruled out", surprise=150.0, spread=0.5),
                visible("first words that are certain", surprise=-200.0),
                hidden("a batch of one sentence", lengths=[3], width=6, vocab_size=5),
                hidden("sentences of one word", lengths=[1, 1], width=1, vocab_size=8),
                hidden("more sentences", lengths=[3, 7, 1, 5], width=7, vocab_size=5),
                hidden("float64", dtype=torch.float64),
                hidden("large logits", lengths=[4, 6, 2], width=6, surprise=130.0, spread=3.0),
                hidden("sentences of 130 words", lengths=[130, 128], width=130, vocab_size=400, spread=0.1),
            ], forced, {"lengths": [5, 2, 3], "width": 6, "vocab_size": 7, "spread": 1.5, "surprise": 0.0},
            {"perplexity": ""}, measured, gradients=False, mistakes=listed(PERPLEXITY),
            variants=[
                variant(
                    "bits", result("torch.log2({x})"),
                    text={
                        r"\exp\left(-\frac{1}{N} \sum_i \log p": r"\left(-\frac{1}{N} \sum_i \log_2 p",
                        "How many words does the model waver between?": "How many bits does a word cost the model?",
                        "the perplexity is the size of the vocabulary": "this is the logarithm, to base 2, of the "
                        "size of the vocabulary",
                        "their mean; its exp": "their mean; in bits",
                        "Perplexity of the right words": "Bits per word of the right words",
                    },
                )
            ],
        ),
        "continue_hypotheses": Task(
            continue_hypotheses, "continuations: the best of all candidates of a sentence, with parents and words",
            [
                visible(), visible("the first step", batch=3, width=1, vocab_size=6),
                hidden("a beam of one", width=1, vocab_size=8, beam_size=1),
                hidden("one sentence", batch=1, width=4, vocab_size=9),
                hidden("a beam that gets narrower", batch=3, width=5, vocab_size=6, beam_size=2),
                hidden("a beam that gets wider", width=3, vocab_size=9, beam_size=5),
                hidden("many words", vocab_size=500, beam_size=6),
                hidden("empty places", batch=3, width=4, vocab_size=6, empty=True),
                hidden("long hypotheses, hardly probable", width=4, level=-400.0),
                hidden("a vocabulary smaller than the beam", width=2, vocab_size=3, beam_size=5),
                hidden("float64", width=4, vocab_size=5, beam_size=3, dtype=torch.float64),
            ], hypotheses, {"batch": 2, "width": 3, "vocab_size": 7, "beam_size": 4, "empty": False},
            {name: "batch beam_size" for name in ("totals", "parents", "tokens")}, gradients=False,
            mistakes=listed(CONTINUED, "underflow", "one_child"), words=NUMBERED,
            variants=[
                variant(
                    "word_reward", edit(CANDIDATES, f"{CANDIDATES} + 0.5"),
                    text={
                        r"\log p(y_1, \ldots, y_i \mid x) = \log p(y_1, \ldots, y_{i-1} \mid x)": (
                            r"s(y_1, \ldots, y_i) = 0.5 + s(y_1, \ldots, y_{i-1})"
                        ),
                        "Return the log-probability of each": "Return the score $s$ of each",
                        "log-probabilities of the continuations": "scores s of the continuations",
                    },
                )
            ],
        ),
        "set_finished_aside": Task(
            set_finished_aside,
            "what has ended: each hypothesis in one of the two, with -inf in its place in the other",
            [
                visible(), visible("the last step", is_last=True), hidden("the last step", is_last=True),
                hidden("nobody ends", says="words"),
                hidden("all end", says="eos"), hidden("one hypothesis", batch=1, beam_size=1),
                hidden("empty places in the beam", empty=True), hidden("float64", beam_size=5, dtype=torch.float64),
            ], beam, {"batch": 3, "beam_size": 4, "is_last": False, "says": "all", "empty": False},
            {"alive": "batch beam_size", "finished": "batch beam_size"}, mistakes=listed(ASIDE),
        ),
        "trace_back": Task(
            trace_back, "the way back: each word's parent is where the word before it stands; PAD after the last word",
            [
                visible(), hidden("a beam of one", steps=5, last=[4, 1, 2], beam_size=1),
                hidden("one step", steps=1, last=[0, 0], beam_size=3), hidden("one sentence", last=[3], beam_size=5),
                hidden("all of full length", steps=5, last=[4, 4, 4], beam_size=3),
                hidden("a hypothesis of one word", steps=4, last=[0, 3], beam_size=3),
                hidden("a large batch", steps=12, last=[7 * n % 12 for n in range(20)], beam_size=6),
            ], record, {"steps": 6, "last": [4, 1, 3], "beam_size": 4}, {"ids": "batch steps"}, mistakes=listed(TRACED),
        ),
        "beam_search": Task(
            beam_search, "a beam search: the best sentence that it finds, its score, and no step more than needed",
            [
                *(visible(f"{sentences} sentences, beam of {n}", beam_size=n, ends=end) for n in (2, 3, 5)
                  for sentences, end in (("ordinary", 0.0), ("short", 1.0), ("long", -1.0))),
                *(visible(f"a strong penalty, beam of {n}", **LONG, beam_size=n) for n in (2, 3, 4, 5, 6)),
                visible("no penalty", alpha=0.0, beam_size=4), visible("a beam of one", beam_size=1),
                visible("sentences cut off", longest=4, ends=-2.0),
                hidden("a beam wider than the vocabulary", **STRONG, longest=8, beam_size=12),
                hidden("an open hypothesis that can at best draw level", level=True, alpha=0.0, beam_size=2),
                hidden("words that cannot follow", **BARRED | STRONG, beam_size=8, vocab_size=5),
                *(hidden("words that cannot follow", **BARRED, beam_size=n, vocab_size=n + 2) for n in (3, 4, 5)),
                hidden("a greatest length of one", longest=1),
                hidden("a sentence of 250 words, hardly probable", flat=True, ends=-30.0, longest=250, vocab_size=28,
                       dtype=torch.float64),
                *(hidden(f"a strong penalty and a beam of {n}", **LONG, beam_size=n) for n in (3, 4, 5)),
                *(hidden("long sentences", beam_size=n, longest=10, ends=-1.0) for n in (2, 4)),
                *(hidden("float64", dtype=torch.float64, alpha=alpha, beam_size=4) for alpha in (0.3, 1.0)),
            ], two_words_before,
            {"vocab_size": 6, "beam_size": 3, "longest": 7, "alpha": 0.7, "ends": 0.5, "barred": False, "level": False},
            {"ids": "", "score": "", "steps": ""},
            earlier=(continue_hypotheses, set_finished_aside, trace_back),
            gradients=False, mistakes=listed(SEARCHED, "underflow"), words=COUNTED,
            variants=[
                variant("power", edit(LP, "length**alpha"), text={r"\left(\frac{5 + n}{6}\right)^\alpha": r"n^\alpha"}),
                variant("kept", edit("width -= len(ended)", "pass_on = width"),
                        text={"its place is not refilled": "its place is refilled",
                              "in all later steps the beam has one place fewer": "the beam keeps its width"}),
            ],
        ),
        "without_repeats": Task(
            without_repeats, "no run said twice: the words that would end one get -inf, the others stay",
            [
                visible(), visible("runs of two words", n=2), visible("runs of one word", n=1),
                hidden("runs of four words", n=4, length=40), hidden("fewer words than a run", n=3, length=1),
                hidden("just as many words as a run", n=3, length=3), hidden("nothing said yet", length=0),
                hidden("one hypothesis", hypotheses=1), hidden("words that are hardly probable", scale=150),
                hidden("words whose numbers are written alike, as 1 and 11", ids=[1, 11, 21], vocab_size=24, n=2),
                hidden("a large vocabulary", ids=[10, 100, 256, 512, 1000, 1024, 4096, 10_000, 32_768],
                       hypotheses=2, vocab_size=32_769),
                hidden("float64", dtype=torch.float64),
            ], runs, {"hypotheses": 4, "length": 11, "vocab_size": 6, "n": 3, "scale": 1, "ids": [0, 1, 2]},
            {"allowed": "hypotheses vocab_size"}, mistakes=listed(REPEATED, "as_text"),
            variants=[
                variant("lowered", edit("allowed[row, last] = -torch.inf", "allowed[row, last] -= 2"),
                        text={r"gets $-\infty$": "loses 2 for each time that the run was said"})
            ],
        ),
        "lured": Task(
            lured, "a model that misleads a beam of two: greedy decoding finds the better sentence",
            [visible("your model"), hidden("your words in another order", turned=True)], sizes={"turned": False},
            results={"who finds the better sentence": ""}, play=alone, reading=judged, gradients=False, coarse=True,
            mistakes=listed(LURED),
        ),
    },
)

"""Checks of BLEU, made of a corpus's counts."""

import math
from collections.abc import Callable, Mapping

import torch

from autograder.checks.number import close, expect_lists_unchanged, is_number, number
from autograder.expect import CheckFailed, ask, check, generator
from autograder.wording import brief, labelled
from seq2seq import ngrams as reference

Function = Callable[..., object]

SCORE = "BLEU"


@check
def check_bleu_of_counts(answer: Function) -> None:
    """BLEU of counts: geometric mean of the precisions, less for brevity alone, 0 where nothing matches"""
    _compare_bleu(answer, [18, 11, 7, 3], [20, 16, 12, 8], 20, 20)
    _compare_bleu(answer, [18, 11, 7, 3], [20, 16, 12, 8], 20, 17)
    _compare_bleu(answer, [18, 11, 7, 3], [20, 16, 12, 8], 20, 27)
    _compare_bleu(answer, [9, 4, 1, 0], [10, 8, 6, 4], 10, 11)


@check
def check_bleu_of_counts_hidden(answer: Function) -> None:
    """BLEU of counts, other cases: n-grams up to 1, 2, 3 and 6, no n-gram at all, all right, large corpora"""
    draw = generator("counts")
    for longest in (1, 2, 3, 6):
        totals = [400 - 50 * n for n in range(longest)]
        matches = [int(total * (0.2 + 0.6 * float(torch.rand((), generator=draw)))) for total in totals]
        for words in (310, 400, 520):
            _compare_bleu(answer, matches, totals, 400, words, f"n-grams up to {longest}")
    _compare_bleu(answer, [2, 1, 0, 0], [3, 2, 1, 0], 3, 3, "sentences too short for any n-gram of 4")
    _compare_bleu(answer, [0, 0], [5, 4], 5, 5, "not a word right")
    _compare_bleu(answer, [30, 26, 22, 18], [30, 26, 22, 18], 30, 30, "all right")
    _compare_bleu(answer, [1, 1], [60_000, 55_000], 60_000, 61_000, "next to nothing right in a large corpus")


def _compare_bleu(
    answer: Function, matches: list[int], totals: list[int], said: int, meant: int, case: str = ""
) -> None:
    given = {"matches": list(matches), "totals": list(totals), "hypothesis_length": said, "reference_length": meant}
    got = ask(SCORE, answer, case=case, **given)
    shown = f"BLEU of {matches} matches of {totals}, {said} words against {meant}"
    what = labelled(SCORE, case) if case else shown
    if not is_number(got):
        why = "is the `return` missing?" if got is None else "one score for the whole corpus"
        raise CheckFailed(what, brief(got), "a number from 0 to 100", why)
    score, expected = number(got), reference.bleu_of_counts(matches, totals, said, meant)
    expect_lists_unchanged(what, given, {"matches": matches, "totals": totals})
    if close(score, expected):
        return
    why = next((why for why, value in _misscores(matches, totals, said, meant).items() if close(score, value)), "")
    if not why and not math.isfinite(score):
        why = "log 0 or x / 0: settle the counts of 0 before you take logarithms"
    elif not why and not 0 <= score <= 100:
        why = "a share of what could match, times at most 1: it cannot leave 0 to 100"
    if case:
        raise CheckFailed(what, "a wrong score", "that of the equation", why)
    raise CheckFailed(what, f"{score:.4g}", f"{expected:.4g}", why)


def _misscores(matches: list[int], totals: list[int], said: int, meant: int) -> Mapping[str, float]:
    shares = [match / total if total else 0.0 for match, total in zip(matches, totals, strict=True)]
    product = math.prod(shares)
    mean = product ** (1 / len(shares))
    brevity = min(1.0, math.exp(1 - meant / said))
    added = [(match + 1) / (total + 1) for match, total in zip(matches, totals, strict=True)]
    some = [share for share in shares if share] or [0.0]
    return {
        "this is a share from 0 to 1; BLEU is given from 0 to 100": mean * brevity,
        "the brevity penalty is missing: a translation may be right and say half": 100 * mean,
        "lengths are swapped in the brevity penalty: it punishes translations that are too short": (
            100 * mean * min(1.0, math.exp(1 - said / meant))
        ),
        "translations that are too long are rewarded: the brevity penalty is at most 1": (
            100 * mean * math.exp(1 - meant / said)
        ),
        "long translations are punished by the penalty of short ones": 100 * mean * math.exp(-abs(1 - meant / said)),
        "the brevity penalty is the ratio of the lengths; it is an exponential": 100 * mean * min(1.0, said / meant),
        "the brevity penalty lacks its 1: at equal lengths it has to be 1": 100 * mean * math.exp(-meant / said),
        "the precisions are averaged by their sum; BLEU takes the root of their product, so that none may be 0": (
            100 * brevity * sum(shares) / len(shares)
        ),
        "the root is missing: with every n more, the product would fall": 100 * brevity * product,
        "the root is always the fourth; there are as many factors as counts": 100 * brevity * product ** (1 / 4),
        "the counts of all n are thrown together; each n has its own share": 100 * brevity * sum(matches) / sum(totals),
        "only the longest n-grams are scored": 100 * brevity * shares[-1],
        "only single words are scored": 100 * brevity * shares[0],
        "the n whose matches are 0 are left out; where one share is 0, so is the product": (
            100 * brevity * math.prod(some) ** (1 / len(some))
        ),
        "the n whose matches are 0 count as shares of 1; where one share is 0, so is the product": (
            100 * brevity * math.prod(some) ** (1 / len(shares))
        ),
        "1 is added to each count: nothing is smoothed here": 100 * brevity * math.prod(added) ** (1 / len(shares)),
        "the penalty is put under the root: it is a factor of its own": 100 * (brevity * product) ** (1 / len(shares)),
        "the shares are turned round: matches by total": (100 * brevity / mean if mean else math.inf),
    }

"""Checks of the cut of a queue into batches of about equal cost."""

from collections.abc import Callable

import torch

from autograder.checks.lists import expect_equal, expect_list
from autograder.expect import CheckFailed, ask, check, generator
from autograder.wording import labelled
from seq2seq.batch import cut_by_tokens

Function = Callable[[list[int], int], list[list[int]]]
WHAT = "batches"


@check
def check_cut_by_tokens(answer: Function) -> None:
    """cut by tokens: every sentence once, in order, in batches that cost no more than the budget when padded"""
    _compare(answer, [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 5, 6, 6, 7], 12)
    _compare(answer, sorted(_lengths("sorted", 14, 1, 9)), 20)
    _compare(answer, [3, 3, 3, 3, 3, 3, 3], 9, what="batches of equal sentences")
    _compare(answer, [2, 2, 7, 1, 1, 1, 1, 5], 8, what="batches of a queue that is not sorted")


@check
def check_cut_by_tokens_hidden(answer: Function) -> None:
    """cut by tokens, other cases: no queue, one sentence, one too long, a wide budget, long queues in any order"""
    _compare(answer, [], 10, case="an empty queue")
    _compare(answer, [5], 10, case="one sentence")
    _compare(answer, [15, 2, 3, 20, 1], 10, case="sentences longer than the budget")
    _compare(answer, _lengths("wide", 8, 1, 9), 10_000, case="a budget wide enough for all")
    _compare(answer, _lengths("ones", 9, 1, 1), 1, case="a budget of one token")
    _compare(answer, sorted(_lengths("long", 60, 1, 30)), 90, case="a long queue in order of length")
    _compare(answer, _lengths("any", 60, 1, 30), 70, case="a long queue in any order")


def _lengths(name: str, count: int, shortest: int, longest: int) -> list[int]:
    draw = generator(f"queue {name}")
    return torch.randint(shortest, longest + 1, (count,), generator=draw).tolist()


def _compare(answer: Function, lengths: list[int], budget: int, what: str = WHAT, case: str = "") -> None:
    got = ask(what, answer, case=case, lengths=list(lengths), tokens_per_batch=budget)
    expect_list(what, got, list, case)
    for group in got:
        expect_list(what, group, int, case)
    got, expected = [list(group) for group in got], cut_by_tokens(lengths, budget)
    if got == expected:
        return
    label = labelled(what, case)
    mistakes = _mistakes(lengths, budget)
    if any(got == value for value in mistakes.values()):
        expect_equal(what, got, expected, lambda: mistakes, case)
    if [] in got:
        why = "even a sentence that is longer than the budget has a batch to be in, its own"
        raise CheckFailed(label, "a batch is empty", "a sentence in each", why)
    places = [place for group in got for place in group]
    if sorted(places) != list(range(len(lengths))):
        lost, twice = set(range(len(lengths))) - set(places), len(places) - len(set(places))
        kind = "sentences are lost" if lost else "sentences are there twice" if twice else "places that do not exist"
        raise CheckFailed(label, kind, "every place of the queue once")
    if places != list(range(len(lengths))):
        raise CheckFailed(label, "the sentences are in another order", "that of the queue")
    for group in got:
        cost = len(group) * max(lengths[place] for place in group)
        if len(group) > 1 and cost > budget:
            figure = "a batch costs more than the budget" if case else f"batch {group} costs {cost}, padded"
            raise CheckFailed(label, figure, f"at most {'the budget' if case else budget}", COST)
    why = "a batch ends only where the next sentence would not fit"
    expect_equal(what, got, expected, lambda: {why: got}, case)


COST = "every row is padded to the longest of the batch: count sentences times that length"


def _mistakes(lengths: list[int], budget: int) -> dict[str, list[list[int]]]:
    expected = cut_by_tokens(lengths, budget)
    return {
        "there is an empty batch in front": [[], *expected],
        "there is an empty batch at the end": [*expected, []],
        "all sentences are in one batch": [list(range(len(lengths)))],
        "this counts the real tokens of a batch; padding costs the same, so each row counts as the longest": _cut(
            lengths, budget, lambda group: sum(lengths[place] for place in group)
        ),
        "each row is counted as the new sentence; a longer one that is there already sets the width": _cut(
            lengths, budget, lambda group: len(group) * lengths[group[-1]]
        ),
        "each row is counted as the first of the batch; a longer one that comes later sets the width": _cut(
            lengths, budget, lambda group: len(group) * lengths[group[0]]
        ),
        "each row is counted as the shortest of the batch; the longest sets the width": _cut(
            lengths, budget, lambda group: len(group) * min(lengths[place] for place in group)
        ),
        "this counts sentences; the budget counts tokens": _cut(lengths, budget, len),
        "a batch that costs exactly the budget is cut; it still fits": _cut(lengths, budget - 1, _padded(lengths)),
        "the sentence that no longer fits is still let in, and the cut comes after it": _late(lengths, budget),
        "the longest of the batch before still counts: a new batch begins with its own first sentence": _stale(
            lengths, budget
        ),
        "the last batch is lost: it is still open when the queue ends": expected[:-1],
        "these are the lengths of the sentences; their places in the queue are asked": [
            [lengths[place] for place in group] for group in expected
        ],
        "the places count from 1; Python counts from 0": [[place + 1 for place in group] for group in expected],
        "every sentence has a batch of its own": [[place] for place in range(len(lengths))],
        "the sentence that no longer fits is lost: it begins the next batch": _lossy(lengths, budget),
    }


def _padded(lengths: list[int]) -> Callable[[list[int]], int]:
    return lambda group: len(group) * max(lengths[place] for place in group)


def _cut(lengths: list[int], budget: int, cost: Callable[[list[int]], int]) -> list[list[int]]:
    groups: list[list[int]] = []
    for place in range(len(lengths)):
        if not groups or cost([*groups[-1], place]) > budget:
            groups.append([])
        groups[-1].append(place)
    return groups


def _late(lengths: list[int], budget: int) -> list[list[int]]:
    groups: list[list[int]] = [[]]
    for place in range(len(lengths)):
        if groups[-1] and _padded(lengths)(groups[-1]) > budget:
            groups.append([])
        groups[-1].append(place)
    return groups


def _stale(lengths: list[int], budget: int) -> list[list[int]]:
    groups: list[list[int]] = []
    longest = 0
    for place, length in enumerate(lengths):
        longest = max(longest, length)
        if not groups or longest * (len(groups[-1]) + 1) > budget:
            groups.append([])
        groups[-1].append(place)
    return groups


def _lossy(lengths: list[int], budget: int) -> list[list[int]]:
    groups: list[list[int]] = [[]]
    for place in range(len(lengths)):
        if groups[-1] and _padded(lengths)([*groups[-1], place]) > budget:
            groups.append([])
        else:
            groups[-1].append(place)
    return groups

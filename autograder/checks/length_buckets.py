"""Checks of length buckets: which sentences are scored together."""

from collections.abc import Callable

import torch

from autograder.expect import CheckFailed, ask, check, generator
from autograder.wording import brief, labelled
from seq2seq import metrics as reference

Function = Callable[..., object]
Rows = list[list[int]]
Buckets = list[tuple[int, int]]

WHAT = "rows of each bucket"


@check
def check_bucket_rows(answer: Function) -> None:
    """bucket rows: both ends belong to a bucket, other lengths to none, empty buckets stay"""
    _compare(answer, [12, 4, 31, 10, 11, 20, 7, 3, 10], [(4, 10), (11, 20), (40, 50), (31, 35)])
    _compare(answer, [5, 6, 5], [(5, 5), (6, 6)])


@check
def check_bucket_rows_hidden(answer: Function) -> None:
    """bucket rows, other cases: many sentences, one bucket, buckets with gaps and out of order, no sentence"""
    lengths = torch.randint(1, 41, (60,), generator=generator("lengths")).tolist()
    _compare(answer, lengths, [(1, 10), (11, 20), (21, 30), (31, 40)], "sixty sentences")
    _compare(answer, lengths, [(21, 30), (3, 9), (12, 12)], "buckets out of order, with gaps")
    _compare(answer, lengths[:7], [(1, 40)], "one bucket for all")
    _compare(answer, lengths[:9], [(50, 60), (70, 80)], "lengths that lie in no bucket")
    _compare(answer, [], [(1, 10), (11, 20)], "no sentence")


def _compare(answer: Function, lengths: list[int], buckets: Buckets, case: str = "") -> None:
    given = {"source_lengths": list(lengths), "buckets": list(buckets)}
    got = ask(WHAT, answer, case=case, **given)
    what = labelled(WHAT, case) if case else f"{WHAT} {buckets} for the lengths {lengths}"
    expected = reference.bucket_rows(lengths, buckets)
    if not isinstance(got, list | tuple):
        why = "is the `return` missing?" if got is None else "one list of row numbers per bucket, in the buckets' order"
        raise CheckFailed(what, brief(got), f"a list of {len(buckets)} lists", why)
    if given["source_lengths"] != lengths or given["buckets"] != buckets:
        raise CheckFailed(what, "an argument was changed in place", "the arguments left as they were")
    rows = _plain(got)
    if rows == expected:
        return
    why = next((why for why, value in _mistakes(lengths, buckets).items() if rows == value), "")
    why = why or _broken(rows, expected)
    shown = ("wrong rows", "those of the definition") if case else (f"{rows}", f"{expected}")
    raise CheckFailed(what, *shown, why)


def _broken(rows: list, expected: Rows) -> str:
    """The first property that the answer breaks."""
    if not all(isinstance(one, list) for one in rows):
        return "one list of row numbers per bucket"
    if len(rows) != len(expected):
        return "one list per bucket, be it empty: the caller pairs lists with buckets"
    if [sorted(one) for one in rows] == expected:
        return "the rows of a bucket are out of their order"
    return "row r belongs to the bucket with from ≤ source_lengths[r] ≤ to"


def _plain(value: object) -> object:
    """Tuples as lists, tensors as plain numbers."""
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value.tolist() if isinstance(value, torch.Tensor) else value


def _mistakes(lengths: list[int], buckets: Buckets) -> dict[str, object]:
    right = reference.bucket_rows(lengths, buckets)

    def rows(holds: Callable[[int, int, int], bool]) -> Rows:
        return [[row for row, length in enumerate(lengths) if holds(length, *bucket)] for bucket in buckets]

    place = [next((i for i, (low, high) in enumerate(buckets) if low <= n <= high), None) for n in lengths]
    overflow = [*right[:-1], [row for row, index in enumerate(place) if index in (len(buckets) - 1, None)]]
    return {
        "the upper end of a bucket belongs to it": rows(lambda n, low, high: low <= n < high),
        "the lower end of a bucket belongs to it": rows(lambda n, low, high: low < n <= high),
        "both ends of a bucket belong to it": rows(lambda n, low, high: low < n < high),
        "longer sentences are in a bucket too: it has an upper end": rows(lambda n, low, high: low <= n),
        "shorter sentences are in a bucket too: it has a lower end": rows(lambda n, low, high: n <= high),
        "a sentence that lies in no bucket is put into the last one; it belongs to none": overflow,
        "these are the lengths; wanted are the numbers of their rows": [[lengths[row] for row in one] for one in right],
        "rows are numbered from 0": [[row + 1 for row in one] for one in right],
        "an empty bucket is left out, so that the lists no longer pair with the buckets": [one for one in right if one],
        "these are counts; wanted are the numbers of the rows": [len(one) for one in right],
        "this is one bucket per row; wanted are the rows of each bucket": place,
        "this is one list for all; wanted is one list per bucket": [row for one in right for row in one],
        "the rows are sorted by length; wanted is their own order": [
            sorted(one, key=lambda row: lengths[row]) for one in right
        ],
        "the rows come from last to first": [one[::-1] for one in right],
        "only the first row of each bucket arrives": [one[:1] for one in right],
        "only the last row of each bucket arrives": [one[-1:] for one in right],
        "all buckets share one list: `[[]] * n` repeats the same list, it does not make new ones": (
            [[row for one in right for row in one]] * len(buckets)
        ),
        "equal lengths have the same row: `index` finds the first of them only": [
            [lengths.index(lengths[row]) for row in one] for one in right
        ],
        "equal lengths are one: each sentence has a row of its own": [
            sorted({lengths[row]: row for row in reversed(one)}.values()) for one in right
        ],
        "the buckets are sorted; wanted is the order in which they were given": [
            one for _, one in sorted(zip(buckets, right, strict=True))
        ],
    }

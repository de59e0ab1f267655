"""Checks of the clipped matches of n-grams in one sentence."""

from collections import Counter
from collections.abc import Callable, Sequence

import torch

from autograder.checks.number import expect_lists_unchanged, is_number, number
from autograder.expect import CheckFailed, ask, check, generator
from autograder.wording import brief, labelled
from seq2seq import ngrams as reference

Function = Callable[..., object]

WORDS = ["le", "chat", "noir", "et", "chien"]


@check
def check_ngram_matches(answer: Function) -> None:
    """n-gram matches: none counts more often than it stands in the reference"""
    said = ["le", "le", "le", "chat", "voit", "le", "noir", "chien", "le"]
    meant = ["le", "chat", "voit", "le", "chien", "noir", "et", "voit", "voit", "dort", "ici"]
    for n in (1, 2, 3):
        _compare_matches(answer, said, meant, n)
    _compare_matches(answer, said[:2], meant, 4)


@check
def check_ngram_matches_hidden(answer: Function) -> None:
    """n-gram matches, other cases: random sentences, short ones, an empty one, words that look alike when joined"""
    for row in range(6):
        said, meant = _sentence(f"said {row}", 7 + row), _sentence(f"meant {row}", 12 - row)
        for n in (1, 2, 3, 4):
            _compare_matches(answer, said, meant, n, "random sentences")
    _compare_matches(answer, [], _sentence("meant", 5), 2, "an empty translation")
    _compare_matches(answer, _sentence("said", 5), [], 1, "an empty reference")
    _compare_matches(answer, _sentence("short", 2), _sentence("meant", 5), 4, "a translation shorter than n")
    _compare_matches(answer, ["a", "bc", "d"], ["ab", "c", "d"], 2, "words that look alike only when joined")
    _compare_matches(answer, ["a b", "c"], ["a", "b c"], 2, "words that look alike only when joined")


def _compare_matches(answer: Function, said: list[str], meant: list[str], n: int, case: str = "") -> None:
    given = {"hypothesis": list(said), "reference": list(meant), "n": n}
    got = ask("matches and total", answer, case=case, **given)
    shown = f"matches and total of {' '.join(said)!r} against {' '.join(meant)!r}, n={n}"
    what = labelled("matches and total", case) if case else shown
    if not isinstance(got, tuple | list) or len(got) != 2 or not all(map(is_number, got)):
        why = "is the `return` missing?" if got is None else "return both: how many match, and how many there are"
        raise CheckFailed(what, brief(got), "two whole numbers, matches and total", why)
    pair, expected = (number(got[0]), number(got[1])), reference.ngram_matches(said, meant, n)
    expect_lists_unchanged(what, given, {"hypothesis": said, "reference": meant})
    if pair == expected:
        return
    why = next((why for why, value in _miscounts(said, meant, n).items() if value == pair), "")
    if not why and min(pair) < 0:
        why = "a sentence shorter than n has no n-gram, and no count falls below 0"
    elif not why and pair[0] > pair[1]:
        why = "more match than there are: are the counts of both sides clipped to the smaller?"
    elif not why and pair[1] == expected[1]:
        why = "the total is right, the matches are not: an n-gram matches as often as it stands in both"
    elif not why and pair[0] == expected[0]:
        why = "the matches are right; the total is the number of n-grams in the translation"
    numbers = "{:g} and {:g}".format
    if case:
        raise CheckFailed(what, "wrong counts", "those of the definition", why)
    raise CheckFailed(what, numbers(*pair), numbers(*expected), why)


def _miscounts(said: Sequence[str], meant: Sequence[str], n: int) -> dict[str, tuple[float, float]]:
    """What is counted in its place → (matches, total); the total is the right one where nothing is said of it."""
    ours, theirs = _ngrams(said, n), _ngrams(meant, n)
    right, total = reference.ngram_matches(said, meant, n)
    unclipped = sum(count for ngram, count in ours.items() if ngram in theirs)
    distinct = len(ours.keys() & theirs.keys())
    placed = sum(a == b for a, b in zip(_runs(said, n), _runs(meant, n), strict=False))
    cut = reference.ngram_matches(said[:-1], meant[:-1], n)
    parts = [reference.ngram_matches(said, meant, size) for size in range(1, n + 1)]
    letters = ["".join(words) for words in (said, meant)]
    return {
        "the two numbers are in opposite order: matches first, then the total": (total, right),
        "a repeated n-gram matches more often than it stands in the reference: clip each count": (unclipped, total),
        "each different n-gram counts once; one that stands twice in both matches twice": (distinct, total),
        "each different n-gram counts once, in the total as well": (distinct, len(ours)),
        "the matches are right, but the total counts different n-grams; a repeated one counts again": (
            right,
            len(ours),
        ),
        "only n-grams at the same place are compared; a match may stand anywhere in the reference": (placed, total),
        "the total is that of the reference: this share is precision, of what was said": (right, sum(theirs.values())),
        "the total is the number of words; a sentence has n − 1 n-grams fewer": (right, len(said)),
        "the total goes below 0 for a sentence shorter than n, which has no n-gram": (right, len(said) - n + 1),
        "the last n-gram is left out: there are len − n + 1 places to begin": cut,
        "the last n-gram is left out of the total only": (right, total - 1),
        "runs of all lengths up to n are counted; here those of n words alone": (
            sum(pair[0] for pair in parts),
            sum(pair[1] for pair in parts),
        ),
        "these are single words, whatever n is": reference.ngram_matches(said, meant, 1),
        "letters are counted; the sentences are lists of words": reference.ngram_matches(*letters, n),
        "the words of an n-gram are joined without a mark between, so that different words look alike": (
            _joined(said, meant, n, "")
        ),
        "the words of an n-gram are joined to one text, in which their ends are lost": _joined(said, meant, n, " "),
        "the order of the words in an n-gram is lost": _joined(said, meant, n, None),
        "the n-grams do not overlap; each word but the last n − 1 begins one": _apart(said, meant, n),
        "each count of the translation is raised to the reference's: a match needs both, so take the smaller": (
            sum(max(count, theirs[ngram]) for ngram, count in ours.items()),
            total,
        ),
        "the reference's counts are summed; an n-gram matches no more often than it was said": (
            sum(theirs[ngram] for ngram in ours),
            total,
        ),
    }


def _runs(words: Sequence[str], n: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + n]) for start in range(len(words) - n + 1)]


def _ngrams(words: Sequence[str], n: int) -> Counter:
    return Counter(_runs(words, n))


def _joined(said: Sequence[str], meant: Sequence[str], n: int, mark: str | None) -> tuple[int, int]:
    """Counts of n-grams made one text with `mark` between, or sorted where there is none."""
    ours, theirs = (
        Counter(tuple(sorted(run)) if mark is None else mark.join(run) for run in _runs(words, n))
        for words in (said, meant)
    )
    return sum((ours & theirs).values()), sum(ours.values())


def _apart(said: Sequence[str], meant: Sequence[str], n: int) -> tuple[int, int]:
    ours, theirs = (Counter(_runs(words, n)[::n]) for words in (said, meant))
    return sum((ours & theirs).values()), sum(ours.values())


def _sentence(name: str, words: int) -> list[str]:
    drawn = torch.randint(len(WORDS), (words,), generator=generator(f"sentence {name}"))
    return [WORDS[index] for index in drawn.tolist()]

"""Feeds one pattern with long hostile texts; is killed by the kernel where one takes too much processor time.

Reads pattern, flags and methods as JSON; prints what it tries before it tries it.
"""

import json
import re
import signal
import sys
import time
from collections.abc import Iterator
from itertools import islice, product
from re import _constants as constants
from re import _parser as parser

SHORT, LONG = 2_000, 250_000  # characters; at the latter, quadratic work takes many seconds and linear work some ms
SECONDS = 1.0  # of processor time for one text
SUSPECT = 0.02  # seconds for a short text, after which the long one is tried at once
CHOICES = 6  # of alternatives, each of which is tried once
WORST = 10  # texts that are tried at length, those that took longest when they were short
COMMON = " \n\t\r\"'\\`-_~#%!$*()[]{}<>=,:./a1\0é"
CATEGORIES = {"SPACE": " \n", "NOT_SPACE": "a", "DIGIT": "1", "NOT_DIGIT": "a", "WORD": "a1_", "NOT_WORD": " -"}
METHODS = {
    "scan": lambda pattern, text: sum(1 for _ in pattern.finditer(text)),
    "match": lambda pattern, text: pattern.match(text),
    "fullmatch": lambda pattern, text: pattern.fullmatch(text),
}


def signs(tree: object) -> Iterator[str]:
    """The characters that the pattern speaks of."""
    for kind, value in tree:
        yield from signs_of(kind, value)


def signs_of(kind: object, value: object) -> Iterator[str]:
    name = str(kind)
    if name in ("LITERAL", "NOT_LITERAL"):
        yield chr(value)
    elif name == "RANGE":
        yield chr(value[0])
    elif name == "CATEGORY":
        yield from CATEGORIES[str(value).removeprefix("CATEGORY_")]
    elif name == "IN":
        for one in value:
            yield from signs_of(*one)
    elif isinstance(value, tuple | list):
        for part in value:
            if isinstance(part, parser.SubPattern):
                yield from signs(part)
            elif isinstance(part, list):
                for one in part:
                    yield from signs(one)
    elif isinstance(value, parser.SubPattern):
        yield from signs(value)


def sample(tree: object, choice: int = 0) -> str:
    """A text that the pattern is at home with: each part once, of each choice one."""
    made = ""
    for kind, value in tree:
        name = str(kind)
        if name == "LITERAL":
            made += chr(value)
        elif name in ("IN", "CATEGORY", "NOT_LITERAL", "ANY"):
            found = [] if name in ("ANY", "NOT_LITERAL") else list(signs_of(kind, value))
            negated = name == "IN" and str(value[0][0]) == "NEGATE"
            made += found[0] if found and not negated else "a"
        elif name == "SUBPATTERN":
            made += sample(value[3], choice)
        elif name == "ATOMIC_GROUP":
            made += sample(value, choice)
        elif name == "BRANCH":
            made += sample(value[1][choice % len(value[1])], choice)
        elif name.endswith("REPEAT"):
            made += sample(value[2], choice) * max(1, value[0])
    return made


def units(tree: object) -> Iterator[str]:
    """What the pattern's repeats repeat."""
    for kind, value in tree:
        if str(kind).endswith("REPEAT"):
            yield from (sample(value[2], choice) for choice in range(CHOICES))
            yield from units(value[2])
        elif str(kind) == "SUBPATTERN":
            yield from units(value[3])
        elif str(kind) == "ATOMIC_GROUP":
            yield from units(value)
        elif str(kind) == "BRANCH":
            for branch in value[1]:
                yield from units(branch)


def texts(text: str, flags: int, size: int) -> Iterator[str]:
    tree = parser.parse(text, flags)
    own = list(dict.fromkeys(signs(tree)))[:14]
    homes = list(dict.fromkeys(sample(tree, choice) for choice in range(CHOICES)))
    lengths = [*range(8), *range(max(8, len(homes[0]) - 8), len(homes[0]) + 1)]
    starts = list(dict.fromkeys([*(homes[0][:length] for length in lengths), *homes]))
    repeated = dict.fromkeys([*own, *units(tree), *COMMON])
    for start, sign, end in product(starts, filter(None, repeated), ("", "\0", "\n\0")):
        yield start + sign * (size // len(sign)) + end
    for one, other in product(own, own):
        yield (one + other) * (size // 2)
        yield (one * 40 + other) * (size // 41)
    for start in starts:
        for sign in ("", *own):
            unit = start + sign
            yield unit * (size // max(1, len(unit)))


def work(pattern: re.Pattern[str], method: str, text: str) -> float:
    print(json.dumps([method, text[:60], text[-20:], len(text)]), flush=True)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    start = time.process_time()
    METHODS[method](pattern, text)
    signal.setitimer(signal.ITIMER_PROF, 0)
    return time.process_time() - start


def main() -> None:
    text, flags, methods = json.load(sys.stdin)
    pattern = re.compile(text, flags)
    for method in methods:
        took = []
        for index, one in enumerate(texts(text, flags, SHORT)):
            seconds = work(pattern, method, one)
            if seconds > SUSPECT:
                work(pattern, method, next(islice(texts(text, flags, LONG), index, None)))
            took.append((seconds, index))
        worst = {index for _, index in sorted(took)[-WORST:]}
        for index, one in enumerate(texts(text, flags, LONG)):
            if index in worst:
                work(pattern, method, one)
    print("linear")


if __name__ == "__main__":
    assert constants.MAXREPEAT
    main()

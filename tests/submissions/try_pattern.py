"""Feeds one pattern with long hostile texts; is killed by the kernel where one takes too much processor time.

Reads pattern, flags and methods as JSON; prints what it tries before it tries it.
"""

import json
import re
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import islice, product
from re import _parser as parser

SHORT, LONG = 2_000, 100_000  # characters; at the latter, quadratic work takes seconds and linear work some ms
SECONDS = 0.4  # of processor time for one text
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
Node = tuple[str, object]


def children(value: object) -> list[Iterable[tuple[object, object]]]:
    """The patterns within a part of a pattern: of a group, of a repeat, of each alternative."""
    if isinstance(value, parser.SubPattern):
        return [value]
    return [inner for part in value for inner in children(part)] if isinstance(value, list | tuple) else []


def nodes(tree: Iterable[tuple[object, object]]) -> Iterator[Node]:
    """Every part of a pattern, those within others too."""
    for kind, value in tree:
        yield str(kind), value
        for inner in [value] if str(kind) == "IN" else children(value):
            yield from nodes(inner)


def signs(parts: Iterable[Node]) -> list[str]:
    """The characters that these parts speak of."""
    characters = ""
    for name, value in parts:
        if name in ("LITERAL", "NOT_LITERAL"):
            characters += chr(value)
        elif name == "RANGE":
            characters += chr(value[0])
        elif name == "CATEGORY":
            characters += CATEGORIES[str(value).removeprefix("CATEGORY_")]
    return list(dict.fromkeys(characters))


def sample(tree: Iterable[tuple[object, object]], choice: int = 0) -> str:
    """A text that the pattern is at home with: each part once, of each choice one."""
    text = ""
    for kind, value in tree:
        name = str(kind)
        if name in ("LITERAL", "CATEGORY", "IN", "NOT_LITERAL", "ANY"):
            is_open = name in ("NOT_LITERAL", "ANY") or (name == "IN" and str(value[0][0]) == "NEGATE")
            text += "a" if is_open else signs(nodes([(kind, value)]))[0]
        elif name == "BRANCH":
            text += sample(value[1][choice % len(value[1])], choice)
        elif name in ("SUBPATTERN", "ATOMIC_GROUP") or name.endswith("REPEAT"):
            text += sample(children(value)[0], choice) * (max(1, value[0]) if name.endswith("REPEAT") else 1)
    return text


def texts(text: str, flags: int, size: int) -> Iterator[str]:
    tree = parser.parse(text, flags)
    characters = signs(nodes(tree))[:14]
    homes = list(dict.fromkeys(sample(tree, choice) for choice in range(CHOICES)))
    lengths = [*range(8), *range(max(8, len(homes[0]) - 8), len(homes[0]) + 1)]
    starts = list(dict.fromkeys([*(homes[0][:length] for length in lengths), *homes]))
    repeats = [value[2] for name, value in nodes(tree) if name.endswith("REPEAT")]
    units = [sample(repeat, choice) for repeat in repeats for choice in range(CHOICES)]
    for start, unit, end in product(
        starts, filter(None, dict.fromkeys([*characters, *units, *COMMON])), ("", "\0", "\n\0")
    ):
        yield start + unit * (size // len(unit)) + end
    for first, second in product(characters, characters):
        yield (first + second) * (size // 2)
        yield (first * 40 + second) * (size // 41)
    for start, sign in product(starts, ("", *characters)):
        yield (start + sign) * (size // max(1, len(start + sign)))


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
        for index, short in enumerate(texts(text, flags, SHORT)):
            took.append((work(pattern, method, short), index))
            if took[-1][0] > SUSPECT:
                work(pattern, method, next(islice(texts(text, flags, LONG), index, None)))
        worst = {index for _, index in sorted(took)[-WORST:]}
        for index, long in enumerate(texts(text, flags, LONG)):
            if index in worst:
                work(pattern, method, long)
    print("linear")


if __name__ == "__main__":
    main()

"""What counts as a number in the prose.

A number is written in digits or in words: words above twelve, parts of a whole, *twice as many*, and smaller ones
before what is measured, as in *three seeds* or *five of six*; other small words count what stands on the page.
"""

import re
from collections.abc import Iterator
from decimal import Decimal

_ONES = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
_TEENS = ["thir", "four", "fif", "six", "seven", "eigh", "nine"]
_TENS = ["twen", "thir", "for", "fif", "six", "seven", "eigh", "nine"]
SMALL = {word: size for size, word in enumerate(_ONES, 1)}
LARGE = {f"{word}teen": size for size, word in enumerate(_TEENS, 13)}
LARGE |= {f"{word}ty": 10 * size for size, word in enumerate(_TENS, 2)}
LARGE |= {"hundred": 100, "thousand": 1000, "million": 1_000_000}
PARTS = {"half": "0.5", "third": "0.33", "quarter": "0.25", "fifth": "0.2", "tenth": "0.1"}

FEW, PART = "|".join(SMALL), f"(?:halves|(?:{'|'.join(PARTS)})s?)"
MEASURED = "BLEU|days?|epochs|hours?|million|minutes?|ms|percentage points|runs|seconds?|seeds|times|weeks?|%"
MANY = rf"(?:(?:{FEW})[ -])?(?:{'|'.join(LARGE)})(?:-(?:{FEW}))?s?"
PATTERNS = (
    r"(?<![\w.#])(?:(?<![-–])|(?<=\d[-–]))(?:\d+(?:,\d{3})*(?:\.\d+)?|\.\d+)(?!\w)(?:\s?%| million\b)?",
    rf"\b{MANY}\b",
    rf"\b(?:twice (?:as|its|the)|doubled|\w+(?<!mani)fold)\b|\b(?:{FEW}) (?:[a-z]+ )?(?:{MEASURED})\b",
    r"\bone (?:[a-z]+ )?(?:run|seed)\b",
    rf"\b(?:{FEW}) (?:(?:run|seed|network|model) )?of (?:(?:the|our|its) )?(?:{FEW})\b|\b(?:{FEW}) {PART}s\b",
    rf"\b(?:about|by|only|than) (?:(?:an?|{FEW}) )?{PART}\b|\b(?:an?|{FEW}) {PART} of\b",
    r"\bhalf (?:as|of the sentences)\b",
)
NUMBER = re.compile("|".join(PATTERNS), re.IGNORECASE)
PLAIN = re.compile(rf"[\d,.]+(?: million)?|{MANY}", re.IGNORECASE)
UNIT = re.compile(rf"\s*(?:{MEASURED})\b|\s?%", re.IGNORECASE)
NAME = re.compile(  # a number that names something; and an option that is wrong
    r"^- \[ \].*|^\s*\d+\.\s|^\s*(?:\| )?\d+ (?:·|(?=\|))|^[\d ]+$|#\d+|\[\d+[\],]|\b(?:19|20)\d\d\b(?!,)"
    r"|(?:Python|Debian) [\d.]+|\b(?:chapter|equation|exercise|exhibit|figure|section|appendix|word|position|frame"
    r"|step|state|task)s? [\d.]+(?:[–-]\d+|(?:, \d+)*,? (?:and|to|or) \d+)?",
    re.IGNORECASE,
)


def value(number: str) -> Decimal:
    """What digits or words say.

    Raises:
        ValueError: they say no number.
    """
    digits, millions, _ = re.sub(r"[\s%,]", "", number).partition("million")
    if re.fullmatch(r"\d*\.?\d+", digits):
        return Decimal(digits) * (LARGE["million"] if millions else 1)
    total = Decimal(0)
    for word in re.findall(r"[a-z]+", number.lower().replace("twice", "two").replace("halves", "half")):
        singular = word.removesuffix("s")
        if size := SMALL.get(word) or LARGE.get(singular):
            total = max(total, Decimal(1)) * size if size >= 100 else total + size
        elif singular in PARTS:
            total = max(total, Decimal(1)) * Decimal(PARTS[singular])
    if not total:
        raise ValueError(f"number: got {number!r}, expected digits or words of a number.")
    return total


def within(number: re.Match[str], spans: list[tuple[int, int]]) -> bool:
    return any(start <= number.start() and number.end() <= end for start, end in spans)


def numbers(text: str) -> Iterator[re.Match[str]]:
    """The numbers of a bare text that are no names."""
    names = [match.span() for match in NAME.finditer(text)]
    yield from (match for match in NUMBER.finditer(text) if not within(match, names))


def has_unit(number: re.Match[str]) -> bool:
    """Whether it is a share, a ratio, or stands before what is measured."""
    return PLAIN.fullmatch(number[0]) is None or UNIT.match(number.string, number.end()) is not None

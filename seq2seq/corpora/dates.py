"""Dates: from the many ways people write them to ISO 8601, character by character.

The source "5 March 2019" has the target "2019-03-05".
A digit of the target is linked to the digit of the source that it copies.
Where characters are not copied one by one ("March" to "03", "5" to "05"), each digit is linked to each character.
Hyphens, weekdays, ordinals and commas have no links.
"""

import datetime
from random import Random
from string import Formatter

from seq2seq.corpora.pair import Pair
from seq2seq.guards import check_at_least

FIRST_DAY, LAST_DAY = datetime.date(1900, 1, 1), datetime.date(2099, 12, 31)
FORMATS = (
    "{day} {month} {year}",
    "{day} {mon} {year}",
    "{month} {day}, {year}",
    "{mon} {day}, {year}",
    "{month} {day}{th}, {year}",
    "the {day}{th} of {month}, {year}",
    "{weekday}, {day} {month} {year}",
    "{weekday} the {day}{th} of {month} {year}",
    "{two_digit_day}-{mon}-{year}",
    "{two_digit_day}.{two_digit_month}.{year}",
    "{day}.{month_number}.{year}",
    "{year}, {month} {day}",
)
# those of the calendar module are in the language of the machine
_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_TARGETS = {  # positions in "2019-03-05" of what a field says
    "year": range(0, 4),
    **dict.fromkeys(("month", "mon", "two_digit_month", "month_number"), range(5, 7)),
    **dict.fromkeys(("day", "two_digit_day"), range(8, 10)),
}


def dates(size: int, seed: int) -> list[Pair]:
    """`size` dates from 1900 to 2099, each in a format drawn from FORMATS; they may repeat.

    The same seed gives the same dates.

    Raises:
        ValueError: the size is below 0.
    """
    rng = Random(seed)
    days = (LAST_DAY - FIRST_DAY).days
    check_at_least("size", size, 0)
    return [pair(FIRST_DAY + datetime.timedelta(days=rng.randint(0, days)), rng.choice(FORMATS)) for _ in range(size)]


def pair(date: datetime.date, form: str) -> Pair:
    """One date in one format, with its ISO form and their links.

    Raises:
        ValueError: the format has an unknown field.
    """
    fields = _fields(date)
    source: list[str] = []
    links: set[tuple[int, int]] = set()
    for literal, name, _, _ in Formatter().parse(form):
        source += literal
        if name is None:
            continue
        if name not in fields:
            raise ValueError(f"form: got the field {name!r}, expected one of {list(fields)}.")
        positions = range(len(source), len(source) + len(fields[name]))
        source += fields[name]
        if name in _TARGETS:
            links |= _links(positions, _TARGETS[name], copied=fields[name].isdigit())
    return Pair(tuple(source), tuple(date.isoformat()), frozenset(links))


def _links(sources: range, targets: range, copied: bool) -> set[tuple[int, int]]:
    if copied and len(sources) == len(targets):
        return set(zip(sources, targets, strict=True))
    return {(source, target) for source in sources for target in targets}


def _fields(date: datetime.date) -> dict[str, str]:
    month = _MONTHS[date.month - 1]
    return {
        "year": f"{date.year:04}",
        "month": month,
        "mon": month[:3],
        "two_digit_month": f"{date.month:02}",
        "month_number": str(date.month),
        "day": str(date.day),
        "two_digit_day": f"{date.day:02}",
        "th": _ordinal(date.day),
        "weekday": _WEEKDAYS[date.weekday()],
    }


def _ordinal(day: int) -> str:
    return "th" if day in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")

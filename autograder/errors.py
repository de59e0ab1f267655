"""What stops a command because of what it was asked."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class UsageError(Exception):
    """The request cannot be carried out; the message is one line that says why."""


def several(names: Sequence[str], most: int = 20) -> str:
    """What there is in place of what was asked for: the first names, and how many more."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if names[most:] else "")


def nearest(name: str, known: Iterable[str]) -> str:
    """Which known name a mistyped one may have been; empty if none is near."""
    names = get_close_matches(name, list(known), 1)
    return f" (did you mean {names[0]}?)" if names else ""

"""What stops a command because of what it was asked."""

from collections.abc import Sequence


class UsageError(Exception):
    """The request cannot be carried out; the message is one line that says why."""


def several(names: Sequence[str], most: int = 20) -> str:
    """What there is in place of what was asked for: the first names, and how many more."""
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if names[most:] else "")

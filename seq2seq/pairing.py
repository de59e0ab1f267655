"""Ours and theirs, sentence by sentence: what every metric asks of its two sides."""

from collections.abc import Sequence


def check_equal_number(ours: Sequence, theirs: Sequence) -> None:
    """Refuse two sides that do not pair up, or are empty.

    Raises:
        ValueError: they differ in number, or there is none.
    """
    if len(ours) != len(theirs) or not ours:
        raise ValueError(f"sentences: got {len(ours)} of ours and {len(theirs)} of theirs, expected as many, and some.")

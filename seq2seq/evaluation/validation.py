"""The check that every metric makes of its two sides: ours and theirs, sentence by sentence."""

from collections.abc import Sequence


def check_equal_number(ours: Sequence, theirs: Sequence) -> None:
    """Reject two sides that differ in number, or are empty.

    Raises:
        ValueError: they differ in number, or there are none.
    """
    if len(ours) != len(theirs) or not ours:
        raise ValueError(
            f"sentences: got {len(ours)} of ours and {len(theirs)} of theirs; expected equal counts above 0."
        )

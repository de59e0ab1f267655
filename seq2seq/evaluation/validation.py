"""The check that every metric makes of its two sides: ours and theirs, sentence by sentence."""

from collections.abc import Sequence

from seq2seq.vocab import checked_tokens


def check_sides(ours: Sequence, theirs: Sequence) -> None:
    """Refuse two sides that differ in number or are empty, and strings where a metric counts tokens.

    Raises:
        ValueError: they differ in number, or there are none.
        TypeError: a side or a sentence is a string, whose letters would be counted.
    """
    for name, side in (("hypotheses", ours), ("references", theirs)):
        for sentence in checked_tokens(name, side):
            checked_tokens(name, sentence)
    if len(ours) != len(theirs) or not len(ours):
        raise ValueError(
            f"sentences: got {len(ours)} of ours and {len(theirs)} of theirs; expected equal counts above 0."
        )

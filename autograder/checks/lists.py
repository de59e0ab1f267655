"""What checks say of plain lists: ids, tokens, positions."""

from collections.abc import Callable, Mapping, Sequence

from autograder.expect import CheckFailed
from autograder.wording import brief, labelled

Mistakes = Callable[[], Mapping[str, Sequence[object]]]  # why → the list that this mistake would give


def expect_list(what: str, got: object, of: type, case: str = "") -> None:
    """A list, or a tuple, of plain values of one type."""
    what = labelled(what, case)
    kind = {int: "whole numbers", str: "texts", list: "lists"}[of]
    if not isinstance(got, list | tuple):
        why = "is the `return` missing?" if got is None else ""
        raise CheckFailed(what, brief(got), f"a list of {kind}", why)
    allowed = (list, tuple) if of is list else of
    for place, item in enumerate(got):
        if not isinstance(item, allowed) or isinstance(item, bool):
            where = "" if case else f" at place {place}"
            raise CheckFailed(what, f"{brief(item)}{where}", f"a list of {kind}")


def expect_equal(what: str, got: Sequence[object], expected: Sequence[object], mistakes: Mistakes, case: str) -> None:
    """The reference's list; if not, the known mistake that gives this one."""
    if list(got) == list(expected):
        return
    why = next((why for why, value in mistakes().items() if list(got) == list(value)), "")
    if case:
        raise CheckFailed(labelled(what, case), "another list", "that of the definition", why)
    raise CheckFailed(what, str(list(got)), str(list(expected)), why)

"""Builds a task's mistakes from a table with a line or an entry for each."""

from collections.abc import Mapping

from autograder.checking.edits import AnyEdit, edit
from autograder.checking.task import Mistake, mistake

Told = tuple[str, *tuple[AnyEdit, ...]]  # why it is wrong, and the edits


def swaps(find: str, table: str, *hides: str) -> list[Mistake]:
    """A mistake for each line "id → why → replacement of ``find``"; ``hides``: ids that only hidden cases can catch."""
    lines = [line.split(" → ") for line in table.strip().splitlines()]
    return listed({id: (why, edit(find, put)) for id, why, put in lines}, *hides)


def listed(found: Mapping[str, Told], *hides: str) -> list[Mistake]:
    """A mistake for each entry id → (why, edits…); ``hides`` as in :func:`swaps`."""
    return [mistake(id, *rest, caught="hidden" if id in hides else "visible") for id, rest in found.items()]

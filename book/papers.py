"""Compares a paper with the library: its equation, where it is computed, and where popular code deviates."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path

from IPython.display import Markdown


def thread(repository: str, number: int) -> str:
    """A Markdown link to a GitHub issue; the number of a pull request works too."""
    return f"[{repository.split('/')[1]}#{number}](https://github.com/{repository}/issues/{number})"


def line_of(definition: Callable, needle: str) -> str:
    """The place of a definition's only line that contains ``needle``, in Markdown; the line itself may be an answer.

    Raises:
        ValueError: none or several of its lines contain the needle.
    """
    lines, start = inspect.getsourcelines(definition)
    matches = [(start + place, line) for place, line in enumerate(lines) if needle in line]
    if len(matches) != 1:
        raise ValueError(f"needle: got {needle!r} in {len(matches)} lines of {definition.__qualname__}, expected one.")
    [(number, _)] = matches
    name = definition.__qualname__.replace(".", ".\u200b")  # allows a line break
    return f"`{name}` ({Path(inspect.getfile(definition)).name}, line {number})"


def table(rows: Sequence[tuple[str, str, Callable, str, str]]) -> Markdown:
    """Rows of (place in the paper, equation, our definition, needle of its line, what popular code does).

    Tag the notebook cell ``stacked``: on a phone the two columns are then stacked.
    """
    lines = ["| paper, and where we compute it | popular code |", "|---|---|"]
    for place, equation, definition, needle, deviation in rows:
        lines.append(f"| **{place}** {equation}<br>{line_of(definition, needle)} | {deviation} |")
    return Markdown("\n".join(lines))

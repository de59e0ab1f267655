"""A paper held against the library: its equation, where it is computed, and where popular code deviates."""

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path

from IPython.display import Markdown


def thread(repository: str, number: int) -> str:
    """A link to a public thread, in Markdown; a pull request's number leads there too."""
    return f"[{repository.split('/')[1]}#{number}](https://github.com/{repository}/issues/{number})"


def line_of(definition: Callable, needle: str) -> str:
    """Where the one line of a definition is that holds the needle, in Markdown: a page does not print answers.

    Raises:
        ValueError: none of its lines holds the needle, or several do.
    """
    lines, start = inspect.getsourcelines(definition)
    found = [(start + place, line) for place, line in enumerate(lines) if needle in line]
    if len(found) != 1:
        raise ValueError(f"needle: got {needle!r} in {len(found)} lines of {definition.__qualname__}, expected one.")
    [(number, _)] = found
    name = definition.__qualname__.replace(".", ".\u200b")  # where a long name may break
    return f"`{name}` ({Path(inspect.getsourcefile(definition)).name}, line {number})"


def table(rows: Sequence[tuple[str, str, Callable, str, str]]) -> Markdown:
    """Rows of: place in the paper, its equation, the definition and needle of our place, and what popular code does.

    The cell has the tag ``stacked``: on a phone the two cells of a row stand one below the other.
    """
    lines = ["| paper, and where we compute it | popular code |", "|---|---|"]
    for place, equation, definition, needle, deviation in rows:
        lines.append(f"| **{place}** {equation}<br>{line_of(definition, needle)} | {deviation} |")
    return Markdown("\n".join(lines))

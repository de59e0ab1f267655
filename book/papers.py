"""A paper held against the library: its equation, the line that computes it, and where popular code deviates."""

import inspect
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from IPython.display import Markdown


def thread(repository: str, number: int) -> str:
    """A link to a public thread, in Markdown; a pull request's number leads there too."""
    return f"[{repository.split('/')[1]}#{number}](https://github.com/{repository}/issues/{number})"


def line_of(definition: Callable, needle: str) -> str:
    """The one line of a definition that holds the needle, with its file and number, in Markdown.

    Raises:
        ValueError: none of its lines holds the needle, or several do.
    """
    lines, start = inspect.getsourcelines(definition)
    found = [(start + place, line) for place, line in enumerate(lines) if needle in line]
    if len(found) != 1:
        raise ValueError(f"needle: got {needle!r} in {len(found)} lines of {definition.__qualname__}, expected one.")
    [(number, line)] = found
    code = line.split("  #")[0].strip()
    code = re.sub(r"(?<=[(.])(?=\w)", "\u200b", code)  # where a long line may break
    return f"`{code}` ({Path(inspect.getsourcefile(definition)).name}, line {number})"


def table(rows: Sequence[tuple[str, str, Callable, str, str]]) -> Markdown:
    """Rows of: place in the paper, its equation, the definition and needle of our line, and what popular code does.

    The cell has the tag ``stacked``: on a phone the two cells of a row stand one below the other.
    """
    lines = ["| paper, and our line | popular code |", "|---|---|"]
    for place, equation, definition, needle, deviation in rows:
        lines.append(f"| **{place}** {equation}<br>{line_of(definition, needle)} | {deviation} |")
    return Markdown("\n".join(lines))

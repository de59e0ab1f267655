"""Text that others chose, on its way to a terminal: nothing in it is a command to that."""

import re
from typing import Any, TextIO

# What terminals obey, what turns the direction of writing, and halves of characters, which cannot be encoded.
OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """The text with a mark in the place of each character that a terminal would obey; line ends stay."""
    return OBEYED.sub("\N{REPLACEMENT CHARACTER}", text)


class Plain:
    """A stream that passes on plain text alone; ``stream`` is the one behind it, for who draws on the terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(plain(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

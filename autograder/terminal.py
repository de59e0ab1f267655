"""Makes untrusted text safe for a terminal: no control characters get through."""

import re
from typing import Any, TextIO

# Control characters, changes of text direction, and lone surrogates, which cannot be encoded.
UNSAFE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def plain(text: str) -> str:
    """The text with each unsafe character replaced by a mark; line ends are kept."""
    return UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


class Plain:
    """A stream that passes on only plain text; ``stream`` is the one behind it, for drawing on the terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        self.stream.write(plain(text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)

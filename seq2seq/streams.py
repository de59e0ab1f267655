"""Output in any encoding: what a console or a file's encoding lacks is written in signs that it has."""

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

HANDLER = "seq2seq.plain"
# Signs of tables and lists; a letter of a name has no such stand-in: it is written as its number, which no other has.
STAND_INS = {"─": "-", "–": "-", "−": "-", "…": "...", "→": "->", "←": "<-", "×": "x", "·": ".", "✓": "+", "✗": "x"} | {
    **{"✎": "~", "◐": "~", "○": "o", "\N{REPLACEMENT CHARACTER}": "?", "∞": "inf", "“": '"', "”": '"', "’": "'"}
}


def print_anything() -> None:
    """From now on nothing that is printed raises UnicodeEncodeError; every command begins with this."""
    codecs.register_error(HANDLER, _in_plain_signs)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a test or a notebook may have put another in its place
            stream.reconfigure(errors=HANDLER)


@contextmanager
def to_a_reader() -> Iterator[None]:
    """What is printed within has a reader who may leave, as ``| head`` does: then the command ends without an error."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for the interpreter's own last flush
        raise SystemExit(0) from None


def _in_plain_signs(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    signs = (STAND_INS.get(sign) or sign.encode("ascii", "backslashreplace").decode() for sign in lacking)
    return "".join(signs), error.end

"""From bytes to text to JSON, repairing what can be repaired and noting it."""

import contextlib
import json
import re
from typing import Any

MAX_BYTES = 64 * 2**20
MAX_PARTS = 5_000_000  # brackets, braces and commas: each may become a Python object far larger than its text
# A string, or a comma before a closing bracket, as manual edits leave it; an unclosed string extends to the end, so it
# is scanned only once.
COMMA = re.compile(r'("[^"\\]*+(?:\\.[^"\\]*+)*"?+)|,(?=\s*+[}\]])', re.DOTALL)
NAMES = {"utf-16": "UTF-16", "utf-32": "UTF-32"}


class Unreadable(Exception):
    """No notebook can be made of the bytes; the message is one clear sentence for the learner."""


def text_of(data: bytes, notes: list[str]) -> str:
    """The text in any encoding, without a byte order mark; raises Unreadable if it is empty, too large, or not text.

    Of a notebook that a program has written as JSON once more, and so as one long string, what it was before.
    """
    text = _decoded(data, notes)
    with contextlib.suppress(ValueError):
        if text.lstrip().startswith('"') and isinstance(inner := json.loads(text), str):
            inner.encode()  # a ValueError for half a character, which JSON may hold and no text
            notes.append("The file was a text in JSON that held the notebook; it was read as the notebook.")
            return inner
    return text


def _decoded(data: bytes, notes: list[str]) -> str:
    if not data.strip():
        raise Unreadable("The file is empty: save the notebook, and hand it in again.")
    if len(data) > MAX_BYTES:
        raise Unreadable(f"The file has {len(data) >> 20} MiB, more than {MAX_BYTES >> 20}; clear the outputs.")
    if data.startswith((b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!")):
        raise Unreadable("The file is an archive (such as a zip), not a notebook; hand in the .ipynb file itself.")
    if data.startswith(b"%PDF"):
        raise Unreadable("The file is a PDF, not a notebook; hand in the .ipynb file itself.")
    encoding = json.detect_encoding(data)
    if name := NAMES.get(encoding[:6]):
        notes.append(f"The file was encoded in {name} instead of UTF-8; it was read as {name}.")
        return data.decode(encoding, errors="replace").lstrip("\ufeff")
    if encoding == "utf-8-sig":
        notes.append("The file began with a byte order mark; it was left out.")
        data = data[3:]
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        notes.append("The file was not encoded in UTF-8; it was read as Windows-1252.")
        return data.decode("cp1252", errors="replace")


def json_of(text: str, notes: list[str]) -> Any:
    """The JSON value that the text begins with; raises Unreadable if there is none."""
    text = text.strip().rstrip("\0").rstrip()
    if sum(map(text.count, "[{,")) > MAX_PARTS:
        raise Unreadable(f"The file has more than {MAX_PARTS} parts; clear the outputs.")
    try:
        return _first(text, notes)
    except RecursionError:
        raise Unreadable("The file is not a notebook: it is nested too deeply to be read.") from None
    except ValueError as error:
        with contextlib.suppress(ValueError, RecursionError):
            value = _first(COMMA.sub(lambda match: match[1] or "", text), notes)
            notes.append("The file had a comma too many; it was left out.")
            return value
        raise Unreadable(_reason(text, error)) from None


def _first(text: str, notes: list[str]) -> Any:
    value, end = json.JSONDecoder().raw_decode(text)
    if text[end:].strip():
        notes.append("There was text after the end of the notebook; it was left out.")
    return value


def _reason(text: str, error: ValueError) -> str:
    if "<<<<<<<" in text and ">>>>>>>" in text:
        hint = (
            "it has the conflict markers of a git merge; keep one version: while the merge is unfinished, by "
            "`git checkout --ours FILE`; later, by `git checkout COMMIT FILE`, COMMIT being the one before it"
        )
    elif text.startswith("<"):
        hint = "it is a web page; download the notebook again"
    elif not text.startswith("{"):
        hint = "a notebook begins with a brace"
    else:
        hint = "it was cut off or changed by hand; save or download it again, and hand in the whole file"
    where = f"line {error.lineno}" if isinstance(error, json.JSONDecodeError) else "a number"
    return f"The file is not JSON (from {where} on), so not a notebook: {hint}."

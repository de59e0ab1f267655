"""A table as a spreadsheet or an LMS saved it: text in any of their encodings, with any of their delimiters."""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError

DECLARED = re.compile(r'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)
SPREADSHEET = (b"\xd0\xcf\x11\xe0", b"[Content_Types].xml", b"mimetypeapplication/vnd.oasis")  # .xls, .xlsx, .ods
MARKS = {b"\xef\xbb\xbf": "utf-8-sig", b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16"}


@dataclass
class Table:
    """Rows of cells; ``declared``: its first line says what the delimiter is, as Excel asks for: ``sep=;``."""

    rows: list[list[str]]
    delimiter: str = ","
    encoding: str = "utf-8"
    declared: bool = False


def read_table(path: Path) -> Table:
    """The rows that are not empty. What is neither UTF-8 nor marked as UTF-16 is Windows-1252, as Excel writes it.

    Raises:
        UsageError: the file cannot be read, or is no text.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise UsageError(f"the roster {path} cannot be read: {error.strerror}.") from None
    if data[:2] in (b"PK", b"\xd0\xcf") and any(sign in data for sign in SPREADSHEET):
        raise UsageError(f"the roster {path} is a spreadsheet file; open it in a spreadsheet, and save it as CSV.")
    encoding = next((name for mark, name in MARKS.items() if data.startswith(mark)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        encoding = "cp1252"
        text = data.decode(encoding, errors="replace")
    if "\0" in text:
        kind = "a zip" if data.startswith(b"PK") else "no text"
        raise UsageError(f"the roster {path} is {kind}, and cannot be read as a table; expected a CSV.")
    declared = DECLARED.match(text)
    text = text[declared.end() :] if declared else text
    delimiter = declared[1] if declared else max(",;\t", key=text.split("\n", 1)[0].count)
    rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter) if any(row)]
    return Table(rows, delimiter, encoding, declared is not None)

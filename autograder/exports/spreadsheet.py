"""CSV files that a spreadsheet opens as data: no text in them becomes a formula.

Excel, LibreOffice and Google Sheets treat a cell that begins with ``=``, ``+``, ``-`` or ``@`` as a formula
(https://owasp.org/www-community/attacks/CSV_Injection), and names and messages come from learners.
"""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.submissions.table import Table, read_table

FORMULA = re.compile(r"\s*[=+\-@＝＋－＠].|[\t\r\n]", re.S)  # full-width signs count as well in East Asian versions
WITH_COMMA, WITH_POINT = (re.compile(rf"(?<!\d)\d++[{sign}]\d{{1,2}} ?%?") for sign in ",.")
NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)%?")


@dataclass
class Sheet(Table):
    """A table in memory, to be written back in its format, in UTF-8."""

    decimal: str = "."

    @property
    def text(self) -> str:
        """The file's text, in the format that it was read in."""
        mark = "" if self.encoding == "utf-8" else "\ufeff"
        return mark + f"sep={self.delimiter}\n" * self.declared + written(self.rows, self.delimiter)

    def points(self, value: float) -> str:
        """Two decimals, written as the file's own are."""
        return points(value).replace(".", self.decimal)


def inert(value: object) -> str:
    """The text of a cell, with an apostrophe before anything that a spreadsheet would evaluate."""
    text = "" if value is None else str(value)
    return f"'{text}" if FORMULA.match(text) and not NUMBER.fullmatch(text) else text


def written(rows: Iterable[Sequence[object]], delimiter: str = ",") -> str:
    """The rows as CSV (RFC 4180 except for line ends), every cell inert."""
    file = io.StringIO()
    csv.writer(file, delimiter=delimiter, lineterminator="\n").writerows([map(inert, row) for row in rows])
    return file.getvalue()


def read_sheet(path: Path) -> Sheet:
    """A table as an LMS exported it, or a spreadsheet saved it.

    Raises:
        UsageError: the file cannot be read or is not a table.
    """
    table = read_table(path)
    rows = table.rows
    if not rows or len(rows[0]) < 2:
        raise UsageError(f"the roster {path} is not a table: its first line has no columns.")
    width = len(rows[0])
    cells = [cell.strip() for row in rows for cell in row]
    decimal = "," if any(map(WITH_COMMA.fullmatch, cells)) and not any(map(WITH_POINT.fullmatch, cells)) else "."
    full = [row + [""] * (width - len(row)) for row in rows]
    return Sheet(full, table.delimiter, table.encoding, table.declared, decimal)


def points(value: float) -> str:
    """Two decimals, as Canvas and Moodle write them."""
    return f"{value:.2f}"

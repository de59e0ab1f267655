"""Where each number of the prose comes from, if no cell and no result has put it there.

Its source is an assertion in a cell of the page, whose comment quotes the words; a row of papers.yml; a pattern of
constants.yml, with its reason; a link in the sentence; or, for a whole number without a unit, the code of its section
or the question that it belongs to.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path

import yaml

from book.numbers import has_unit, numbers, value, within
from book.prose import ALT, BOOK, CAPTION, CELL, FENCE, Line, captions, lines

WHOLE_TEXT = re.MULTILINE | re.DOTALL
QUESTIONS = re.compile(FENCE.format(r" *\{(?:solution|exercise|predict)\}"), WHOLE_TEXT)  # given, or worked out
CODE = re.compile(
    r"^(`{3,})\{(?:code-cell|wiring)\}.*?^\1$|\$\$.*?\$\$|\{\w+\}`[^`\n]*`|`[^`\n]+`|\$[^$\n]+\$", WHOLE_TEXT
)
WHOLE = re.compile(r"(?<!\d)(?<!\d\.)\d+(?:_\d{3})*(?!\d|\.\d)")
HEAD = re.compile(r"\A(?:---\n.*?^---$|(?:^:.*?$\n?)*)", WHOLE_TEXT)  # of a cell
QUOTED = re.compile(r'"([^"]+)"')


@dataclass(frozen=True)
class PaperRow:
    """What a paper reports, where, and the words of the page that quote it."""

    paper: str
    at: str
    what: str
    values: list[float]
    page: str
    says: str


@cache
def paper_rows() -> tuple[PaperRow, ...]:
    rows = yaml.safe_load((BOOK / "papers.yml").read_text(encoding="utf-8"))
    return tuple(PaperRow(**row) for row in rows)


@cache
def constants() -> dict[re.Pattern[str], str]:
    """Patterns of words with numbers that nobody measured → why they may be typed."""
    listed = yaml.safe_load((BOOK / "constants.yml").read_text(encoding="utf-8"))
    return {re.compile(pattern): reason for reason, patterns in listed.items() for pattern in patterns}


@dataclass(frozen=True)
class Page:
    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def lines(self) -> list[Line]:
        return [*lines(self.path), *captions(self.path)]

    @cached_property
    def quotes(self) -> set[str]:
        """The words that comments of assertions quote."""
        return {quote for cell in CELL.findall(self.text) for quote in _quotes(cell)}

    @cached_property
    def in_questions(self) -> set[int]:
        """The lines of questions and their answers."""
        starts = {match: self.text.count("\n", 0, match.start()) + 1 for match in QUESTIONS.finditer(self.text)}
        return {number for match, start in starts.items() for number in range(start, start + match[0].count("\n") + 1)}

    @cached_property
    def settings(self) -> list[set[Decimal]]:
        """The whole numbers in the code of each line's section."""
        settings: list[set[Decimal]] = []
        for section in re.split(r"^(?=## )", self.text, flags=re.MULTILINE):
            silent = ALT.sub("", CAPTION.sub("", section))
            code = " ".join(match[0] for match in CODE.finditer(silent))
            settings += [{Decimal(number) for number in WHOLE.findall(code)}] * section.count("\n")
        return settings

    def rows(self, line: Line) -> list[PaperRow]:
        """The rows of papers that the line quotes."""
        return [row for row in paper_rows() if row.page == self.path.stem and row.says in line.bare]

    def unknown(self, line: Line) -> list[str]:
        """The numbers of a line whose source is not known."""
        if "](http" in line.text:
            return []
        words = [*self.quotes, *(row.says for row in self.rows(line))]
        patterns = [*constants(), *(re.compile(re.escape(each), re.IGNORECASE) for each in words)]
        known = [match.span() for pattern in patterns for match in pattern.finditer(line.bare)]
        typed = [number for number in numbers(line.bare) if not within(number, known)]
        if "{cite" not in line.text:
            typed = [number for number in typed if has_unit(number) or not self._is_given(line, value(number[0]))]
        return [number[0] for number in typed]

    def _is_given(self, line: Line, number: Decimal) -> bool:
        return line.number in self.in_questions or number in self.settings[line.number - 1]


def _quotes(cell: str) -> Iterator[str]:
    code = HEAD.sub("", cell, count=1)
    asserting = [part for part in ast.parse(code).body if any(isinstance(node, ast.Assert) for node in ast.walk(part))]
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        beside = (part.lineno - 1 <= token.start[0] <= (part.end_lineno or 0) for part in asserting)
        if token.type == tokenize.COMMENT and any(beside):
            yield from QUOTED.findall(token.string)

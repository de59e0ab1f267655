"""How the pages are written: spelt rightly, one sentence a line, and no measured number typed by hand."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from prose import BOOK, ROOT, Line, lines, pages

WRITTEN = ("README.md", "autograder", "book", "sample_class", "scripts", "seq2seq", "solutions")

# An end of a sentence, and the next one's beginning. "et al." and initials end no sentence.
LEAD = re.compile(
    r"^\s*(?:[-*]\s+|\d+\.\s+)?(?:\*\*[^*]+\*\*\s+)?"
)  # of a list, and the bold words that head a paragraph
NEXT = re.compile(r"(?<!\bal)(?<!\b[A-Z])[.!?][\"”’)*_]*\s+[A-Z“¤(*]")
NUMBER = re.compile(r"(?<![\w.])(?<!Python )(?<!nbgrader )\d+(?:,\d{3})*\.\d+|\d+(?:\.\d+)?\s?%")
SOURCE = re.compile(r"\{cite(:\w+)?\}|https?://")

PAGES = pytest.mark.parametrize("page", pages(), ids=lambda page: page.stem)


def test_spelling() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "codespell_lib", "--quiet-level=2", *WRITTEN],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def is_crowded(line: Line) -> bool:
    """Whether a second sentence begins on the line; the cells of a table have no other line to go to."""
    return not line.text.lstrip().startswith("|") and NEXT.search(LEAD.sub("", line.bare)) is not None


@PAGES
def test_one_sentence_stands_on_a_line(page: Path) -> None:
    crowded = [line for line in lines(page) if is_crowded(line)]
    assert not crowded, "\n".join(map(str, crowded))


@PAGES
def test_a_measured_number_is_taken_from_its_result(page: Path) -> None:
    """A decimal number or a percentage comes from a result, a cell or a formula, or its line names its source."""
    typed = [line for line in lines(page) if NUMBER.search(line.bare) and not SOURCE.search(line.text)]
    assert not typed, "\n".join(map(str, typed))


def test_these_checks_see_what_they_are_for(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "---\nkernel: x. Y\n---\n\n# Title 0.5\n\nOne. Two.\nBLEU is 98.5.\nBLEU is {result}`a:b`, $0.5$, `0.5`.\n"
        "As {cite:t}`x` found, 28.4.\nA share of 12 %.\n\n$$\na. B 0.5\n$$ (eq-x)\n\n"
        "```{code-cell} python3\nx. Y = 0.5\n```\n\n"
        "```{note}\n:class: Tip. Top\nHere. There.\n```\n\nBy {cite:t}`luong2015` et al. Again one.\n"
    )
    found = list(lines(page))
    assert [line.number for line in found if is_crowded(line)] == [7, 23]
    assert [line.number for line in found if NUMBER.search(line.bare) and not SOURCE.search(line.text)] == [5, 8, 11]


def test_every_page_of_the_book_is_read() -> None:
    assert len(pages()) >= 18
    assert BOOK / "05_scorers.md" in pages()

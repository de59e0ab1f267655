"""How the pages are written: spelt rightly, one sentence a line, and no measured number typed by hand."""

import re
import subprocess
import sys

import pytest

from book.prose import BOOK, ROOT, Line, lines, pages

WRITTEN = ("README.md", "autograder", "book", "sample_class", "scripts", "seq2seq", "solutions")

# An end of a sentence, and the next one's beginning. "et al." and initials end no sentence.
LEAD = re.compile(r"^\s*(?:[-*]\s+|\d+\.\s+)?(?:\*\*[^*]+\*\*\s+)?")  # of a list; bold words that head a paragraph
NEXT = re.compile(r"(?<!\bal)(?<!\b[A-Z])[.!?][\"”’)*_]*\s+[A-Z“¤(*]")
# Of what is measured; 0.005 is a learning rate.
NUMBER = re.compile(r"(?<![\w.])(?<!Python )(?<!nbgrader )(?!0\.00\d\b)\d+(?:,\d{3})*\.\d+|\d+(?:\.\d+)?\s?%")
SOURCE = re.compile(r"\{cite(:\w+)?\}|https?://")


def test_spelling() -> None:
    line = [sys.executable, "-m", "codespell_lib", "--quiet-level=2", *WRITTEN]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def is_crowded(line: Line) -> bool:
    """Whether a second sentence begins on the line; the cells of a table have no other line to go to."""
    return not line.text.lstrip().startswith("|") and NEXT.search(LEAD.sub("", line.bare)) is not None


def is_typed(line: Line) -> bool:
    """Whether a decimal number or a percentage is neither a result, of a cell or a formula, nor has its source."""
    return NUMBER.search(line.bare) is not None and not SOURCE.search(line.text)


@pytest.mark.parametrize("is_wrong", [is_crowded, is_typed])
def test_one_sentence_stands_on_a_line_and_a_measured_number_is_taken_from_its_result(is_wrong) -> None:
    assert len(pages()) >= 18
    assert BOOK / "05_scorers.md" in pages()
    wrong = [str(line) for page in pages() for line in lines(page) if is_wrong(line)]
    assert not wrong, "\n".join(wrong)

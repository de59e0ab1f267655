"""How the pages are written: spelt rightly, and one sentence a line."""

import re
import subprocess
import sys

from book.prose import BOOK, ROOT, Line, lines, pages

WRITTEN = ("README.md", "autograder", "book", "sample_class", "scripts", "seq2seq", "solutions")

# An end of a sentence, and the next one's beginning. "et al." and initials end no sentence.
LEAD = re.compile(r"^\s*(?:[-*]\s+|\d+\.\s+)?(?:\*\*[^*]+\*\*\s+)?")  # of a list; bold words that head a paragraph
NEXT = re.compile(r"(?<!\bal)(?<!\b[A-Z])[.!?][\"”’)*_]*\s+[A-Z“¤(*]")


def test_spelling() -> None:
    line = [sys.executable, "-m", "codespell_lib", "--quiet-level=2", *WRITTEN]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def is_crowded(line: Line) -> bool:
    """Whether a second sentence begins on the line; the cells of a table have no other line to go to."""
    return not line.text.lstrip().startswith("|") and NEXT.search(LEAD.sub("", line.bare)) is not None


def test_one_sentence_stands_on_a_line() -> None:
    assert len(pages()) >= 18
    assert BOOK / "05_scorers.md" in pages()
    wrong = [str(line) for page in pages() for line in lines(page) if is_crowded(line)]
    assert not wrong, "\n".join(wrong)

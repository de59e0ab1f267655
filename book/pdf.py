"""The whole book as a PDF: ``python -m book.pdf``, after ``python -m book.build``.

Sphinx joins all pages, ``print.js`` makes a book of them, and Chromium prints it with an outline and tags for screen
readers. Folded answers are printed open.
CSS cannot tell the page on which a heading falls: the contents are filled with what the printed file says, and the book
is printed again.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Error, Page
from pypdf import PdfReader

from book.chromium import SETTLED, PrintError, load, paper
from book.contents import parts
from book.cover import cover
from seq2seq.streams import print_anything

ROOT = Path(__file__).resolve().parents[1]
SINGLE = ROOT / "_build" / "singlehtml"
PDF = ROOT / "_build" / "html" / "learning-to-align.pdf"
ATTEMPTS = 6


def gather() -> None:
    """Builds all pages as one in _build/singlehtml; cells have already run."""
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", ".", "--builder", "singlehtml", "--quiet"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    written = SINGLE / "book" / "index.html"
    if done.returncode or not written.is_file():
        raise PrintError(f"jupyter-book ended with {done.returncode} and no single page.\n{done.stderr[-2000:]}")
    shutil.copy(written, SINGLE / "index.html")  # its links are relative to the top folder


def places(path: Path) -> dict[str, int]:
    """Each place in a PDF to which a link leads, and its page, counted from 1."""
    pdf = PdfReader(path)
    pages = {name: pdf.get_destination_page_number(place) for name, place in pdf.named_destinations.items()}
    return {name.removeprefix("/"): page + 1 for name, page in pages.items() if page is not None}


def print_page(page: Page, path: Path) -> None:
    """Prints until the numbers in the contents are those of the file."""
    for _ in range(ATTEMPTS):
        page.evaluate(SETTLED)
        page.pdf(path=path, prefer_css_page_size=True, outline=True, tagged=True, print_background=True)
        if not page.evaluate("number", places(path)):
            return
    raise PrintError(f"contents: got other page numbers in each of {ATTEMPTS} prints, expected the same in two.")


def print_book(source: Path, path: Path) -> None:
    """Prints a single page of Sphinx as a book."""
    with paper() as page:
        load(page, source)
        page.evaluate("layOut", {"cover": cover(), "parts": {pages[0]: part for part, pages in parts().items()}})
        print_page(page, path)


def main(arguments: Sequence[str] | None = None) -> int:
    print_anything()
    parser = argparse.ArgumentParser(prog="python -m book.pdf", description="Print the built book as one PDF.")
    parser.add_argument("--output", type=Path, default=PDF, help="where to put it (default: beside the pages)")
    output = parser.parse_args(arguments).output
    start = time.perf_counter()
    try:
        gather()
        output.parent.mkdir(parents=True, exist_ok=True)
        print_book(SINGLE / "index.html", output)
    except (PrintError, Error) as error:
        print(f"book: not printed. {error}", file=sys.stderr)
        return 1
    print(f"book: {output} ({time.perf_counter() - start:.0f} s)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

"""A printed book as tests read it: its contents, its outline, its lines with their sizes and places."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup
from pypdf import PageObject, PdfReader

MONOSPACE = 0.6  # of its size: the width of a character of Source Code Pro


def packed(text: str) -> str:
    """Without spaces, which a PDF does not keep."""
    return re.sub(r"\s", "", text)


@dataclass(frozen=True)
class Entry:
    """A heading where a reader finds it: by the outline or by the contents."""

    words: str
    page: int
    level: int
    top: float = 0


@dataclass(frozen=True)
class Run:
    """Some words on a page, in points from its lower left corner."""

    words: str
    size: float
    left: float
    base: float


@dataclass(frozen=True)
class Printed:
    path: Path
    single: Path  # the page it was printed from

    @cached_property
    def pdf(self) -> PdfReader:
        return PdfReader(self.path)

    @cached_property
    def pages(self) -> list[PageObject]:
        return list(self.pdf.pages)

    def text(self, page: int) -> str:
        return self.pages[page - 1].extract_text()

    def runs(self, page: int) -> list[Run]:
        found: list[Run] = []

        def visit(text: str, outer: list[float], inner: list[float], font: object, size: float) -> None:
            if text.strip():
                left, base = inner[4] * outer[0] + outer[4], inner[5] * outer[3] + outer[5]
                found.append(Run(text.strip("\n"), size * abs(inner[3] * outer[3]), left, base))

        self.pages[page - 1].extract_text(visitor_text=visit)
        return found

    def right_ends(self, page: int) -> dict[str, float]:
        """Each line of a page without its spaces → where it ends, as if it were set in Source Code Pro."""
        lines: dict[int, list[Run]] = {}
        for run in self.runs(page):
            lines.setdefault(round(run.base), []).append(run)
        ends = {}
        for runs in lines.values():
            runs.sort(key=lambda run: run.left)
            last = runs[-1]
            end = last.left + MONOSPACE * last.size * len(last.words.rstrip())
            ends[packed("".join(run.words for run in runs))] = end
        return ends

    @cached_property
    def outline(self) -> list[Entry]:
        def walk(items: list[Any], level: int) -> Iterator[Entry]:
            for item in items:
                if isinstance(item, list):
                    yield from walk(item, level + 1)
                else:
                    page = self.pdf.get_destination_page_number(item)
                    yield Entry(str(item.title), (page or 0) + 1, level, float(item.top or 0))

        return list(walk(self.pdf.outline, 1))

    @cached_property
    def contents(self) -> list[tuple[str, int, int]]:
        """Each line's words, its number, and the page to which it leads."""
        first = next(entry.page for entry in self.outline if entry.words == "Contents")
        last = self.outline[1].page
        lines = []
        for page in range(first, last):
            runs = self.runs(page)
            for link in self.links(page):
                left, bottom, right, top = map(float, link["/Rect"])
                if top - bottom < 2:
                    continue  # the edge of a line whose words stand in the next column or on the next page
                within = (run for run in runs if left - 1 < run.left < right and bottom < run.base < top)
                *words, number = (run.words for run in within)
                lines.append(("".join(words), int(number), self.target(link)))
        return lines

    def links(self, page: int) -> list[Any]:
        return [note.get_object() for note in self.pages[page - 1].get("/Annots") or []]

    def target(self, link: Any) -> int:
        place = self.pdf.named_destinations[link["/Dest"]]
        return (self.pdf.get_destination_page_number(place) or 0) + 1

    @cached_property
    def code(self) -> set[str]:
        """The lines of listings and outputs, as the single page has them."""
        page = BeautifulSoup(self.single.read_text(encoding="utf-8"), "html.parser")
        shown = (one for one in page.select("article pre") if not one.find_parent("details", class_="hide"))
        return {line.rstrip() for one in shown for line in one.get_text().splitlines() if line.strip()}

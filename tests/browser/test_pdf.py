"""The printed book: cover, contents, bookmarks, headings, code, links; of a small book, and of the course's own."""

import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from bs4 import BeautifulSoup
from pypdf import PageObject, PdfReader
from visits import ROOT

from book.pdf import SINGLE

MONOSPACE = 0.6  # of its size: the width of a character of Source Code Pro


def packed(text: str) -> str:
    """Without spaces, which a PDF does not keep."""
    return re.sub(r"\s", "", text)


class Entry(NamedTuple):
    """A heading where the outline says that a reader finds it."""

    words: str
    page: int
    level: int
    top: float


class Run(NamedTuple):
    """Some words on a page, in points from its lower left corner."""

    base: float
    left: float
    size: float
    words: str


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

    @cache  # noqa: B019
    def runs(self, page: int) -> list[Run]:
        runs: list[Run] = []

        def visit(text: str, outer: list[float], inner: list[float], font: object, size: float) -> None:
            if text.strip():
                left, base = inner[4] * outer[0] + outer[4], inner[5] * outer[3] + outer[5]
                runs.append(Run(base, left, size * abs(inner[3] * outer[3]), text.strip("\n")))

        self.pages[page - 1].extract_text(visitor_text=visit)
        return runs

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
        lines = []
        for page in range(first, self.outline[1].page):
            runs = self.runs(page)
            for link in self.links(page):
                left, bottom, right, top = map(float, link["/Rect"])
                if top - bottom >= 2:  # else the edge of a line whose words stand in the next column or page
                    within = (run for run in runs if left - 1 < run.left < right and bottom < run.base < top)
                    *words, number = (run.words for run in within)
                    lines.append(("".join(words), int(number), self.target(link)))
        return lines

    def links(self, page: int) -> list[Any]:
        return [note.get_object() for note in self.pages[page - 1].get("/Annots") or []]

    def target(self, link: Any) -> int:
        place = self.pdf.named_destinations[link["/Dest"]]
        return (self.pdf.get_destination_page_number(place) or 0) + 1


# In a process of its own: Playwright allows one browser a process, and other tests have it.
PRINT = "import sys, pathlib, book.pdf; book.pdf.print_book(*map(pathlib.Path, sys.argv[1:]))"
BASE = "https://learning-to-align.example.org/"
WIDE = f"def forward(self, {', '.join(f'state{i}: Tensor' for i in range(6))}) -> tuple[Tensor, Tensor]:"
CHAPTER = """<span id="document-book/{name}"></span><div class="book-page docutils container"><section id="{name}">
<h1><span class="section-number">{n}. </span>Chapter about {name}<a class="headerlink" href="#{name}">#</a></h1>
<p>See the <a href="#document-book/two/summary">summary</a> and <a href="_downloads/one.ipynb">the notebook</a>.</p>
<section id="first"><h2>What {name} is for</h2><p>{words}</p><h3>A part of {name}</h3><p>{words}</p>
<h4>A piece of {name}</h4><div class="highlight"><pre>{code}</pre></div></section>
<section id="summary"><h2>What was said of {name}</h2><p>{words}</p></section></section></div>
"""
BOOK = f"""<!doctype html><html lang="en" data-theme="dark"><head><meta charset="utf-8"><title>A book</title>
<link rel="canonical" href="{BASE}book/index.html"><link rel="stylesheet" href="{{style}}"></head><body>
<div class="bd-container"><div class="bd-container__inner"><main class="bd-main"><div class="bd-content">
<div class="bd-article-container"><article class="bd-article">{{chapters}}</article></div></div></main></div></div>
"""
MARGIN, TOP, WIDTH = 19 / 25.4 * 72, 22 / 25.4 * 72, 210 / 25.4 * 72


def small_book(folder: Path) -> Path:
    words = "A sentence of some words. " * 90
    names = ("00_start", "01_batches", "two")
    codes = {name: f"{WIDE}\n    pass  # {name}\n" for name in names}
    chapters = [CHAPTER.format(n=n, name=name, words=words * n, code=codes[name]) for n, name in enumerate(names, 1)]
    style = (ROOT / "book" / "_static" / "course.css").as_uri()
    path = folder / "index.html"
    path.write_text(BOOK.format(chapters="".join(chapters), style=style), encoding="utf-8")
    return path


@pytest.fixture(scope="module", params=["small", pytest.param("whole", marks=pytest.mark.long("whole PDF"))])
def printed(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Printed:
    folder = tmp_path_factory.mktemp("printed")
    path = folder / "book.pdf"
    if request.param == "small":
        single = small_book(folder)
        command = ["-c", PRINT, str(single), str(path)]
    else:
        single = SINGLE / "index.html"
        command = ["-m", "book.pdf", "--output", str(path)]
    done = subprocess.run([sys.executable, *command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return Printed(path, single)


def test_the_cover_says_what_it_is_and_screen_readers_find_tags_and_a_title(printed: Printed) -> None:
    cited = dict(re.findall(r"^(\w+): (.+)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE))
    words = packed(printed.text(1))
    assert words.startswith(packed("Learning to Align A course on attention for sequence-to-sequence models"))
    assert packed(f"Version {cited['version']}") in words
    assert packed(f"{cited['license']} licence") in words
    assert not words.endswith("1"), "the cover has no page number"
    root = printed.pdf.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert "/StructTreeRoot" in root
    assert printed.pdf.metadata.title


def test_the_contents_tell_the_page_of_each_heading(printed: Printed) -> None:
    named = [(packed(entry.words), entry.page) for entry in printed.outline if entry.level <= 2][1:]
    assert [(packed(words), number) for words, number, _ in printed.contents] == named
    for words, number, target in printed.contents:
        assert number == target
        assert packed(words) in packed(printed.text(number)), f"{words!r} does not stand on page {number}"
        assert str(number) in printed.text(number).splitlines()
    lines = [line for number in range(2, printed.contents[0][1]) for line in printed.text(number).splitlines()]
    assert lines.index("THE SHORT WAY") < lines.index("FURTHER")


def test_each_chapter_begins_a_page_that_names_it(printed: Printed) -> None:
    height = float(printed.pages[0].mediabox.height)
    chapters = [entry for entry in printed.outline if entry.level == 1]
    assert len({entry.page for entry in chapters}) == len(chapters) >= 4
    ends = [entry.page for entry in chapters[1:]] + [len(printed.pages) + 1]
    for entry, end in zip(chapters, ends, strict=True):
        assert height - entry.top == pytest.approx(TOP, abs=6), entry.words
        for page in range(entry.page, end):
            head = packed("".join(run.words for run in printed.runs(page) if run.base > height - TOP))
            assert head == packed(f"{entry.words}Learning to Align"), page


def test_no_line_of_code_is_broken_or_cut(printed: Printed) -> None:
    ends: dict[str, float] = {}  # each line without its spaces → where it ends, as if it were set in Source Code Pro
    for page in range(1, len(printed.pages) + 1):
        lines: dict[int, list[Run]] = defaultdict(list)
        for run in sorted(printed.runs(page), key=lambda run: run.left):
            lines[round(run.base)].append(run)
        for runs in lines.values():
            end = runs[-1].left + MONOSPACE * runs[-1].size * len(runs[-1].words.rstrip())
            ends[packed("".join(run.words for run in runs))] = end
    single = BeautifulSoup(printed.single.read_text(encoding="utf-8"), "html.parser")
    listings = [pre for pre in single.select("article pre") if not pre.find_parent("details", class_="hide")]
    long = {packed(line) for pre in listings for line in pre.get_text().splitlines() if len(line.rstrip()) > 80}
    assert long
    assert long - set(ends) == set()
    assert max(ends[line] for line in long) <= WIDTH - MARGIN


def test_links_lead_into_the_file_or_to_the_web(printed: Printed) -> None:
    for page in range(1, len(printed.pages) + 1):
        for link in printed.links(page):
            if "/Dest" in link:
                assert printed.target(link)
            else:
                assert link["/A"]["/URI"].startswith(("http://", "https://", "mailto:"))

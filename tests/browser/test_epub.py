"""The book as an ePub: its form, and that a reader needs nothing else; of some pages, and of all."""

import posixpath
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree.ElementTree import Element, fromstring
from zipfile import ZIP_STORED, ZipFile

import pytest
from bs4 import BeautifulSoup
from visits import HTML, ROOT

from book.contents import part_of

SOME = ("book/index", "book/07_bahdanau")  # live, with a widget and wirings
OPF, XHTML = "{http://www.idpf.org/2007/opf}", "{http://www.w3.org/1999/xhtml}"
MATH = "{http://www.w3.org/1998/Math/MathML}math"
KNOWN = {"mathml": MATH, "svg": "{http://www.w3.org/2000/svg}svg"}


class Book:
    def __init__(self, path: Path, pages: tuple[str, ...]) -> None:
        self.pages, self.zip = pages, ZipFile(path)
        self.package = fromstring(self.zip.read("book/content.opf"))
        self.items = {item.get("href", ""): item for item in self.package.iter(f"{OPF}item")}
        self.texts = {name: fromstring(self.zip.read(f"book/{name}")) for name in self.items if name.endswith(".xhtml")}

    def chapters(self) -> Iterator[tuple[Element, BeautifulSoup]]:
        for name in self.pages:
            built = BeautifulSoup((HTML / f"{name}.html").read_text(encoding="utf-8"), "lxml").select_one("article")
            yield self.texts[f"{posixpath.basename(name)}.xhtml"], built


@pytest.fixture(scope="module", params=["some", pytest.param("whole", marks=pytest.mark.long("whole PDF"))])
def book(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Book]:
    pages = SOME if request.param == "some" else tuple(part_of())
    path = tmp_path_factory.mktemp("epub") / "book.epub"
    command = [sys.executable, "-m", "book.epub", "--output", str(path), *pages]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    opened = Book(path, pages)
    yield opened
    opened.zip.close()


def test_it_is_recognised_and_lists_each_of_its_files_once_in_the_order_of_the_book(book: Book) -> None:
    first, *others = book.zip.infolist()
    assert (first.filename, first.compress_type, book.zip.read(first)) == (
        "mimetype",
        ZIP_STORED,
        b"application/epub+zip",
    )
    names = [other.filename for other in others]
    assert sorted(names) == sorted(
        ["META-INF/container.xml", "book/content.opf", *(f"book/{name}" for name in book.items)]
    )
    ids = {item.get("id"): name for name, item in book.items.items()}
    assert len(ids) == len(book.items)
    spine = [ids[each.get("idref")] for each in book.package.iter(f"{OPF}itemref")]
    assert spine == ["cover.xhtml", "contents.xhtml", *(f"{posixpath.basename(name)}.xhtml" for name in book.pages)]
    linked = [link.get("href") for link in book.texts["contents.xhtml"].iter(f"{XHTML}a")]
    assert [name for name in spine[2:] if name not in linked] == []
    for name, text in book.texts.items():
        holds = {kind for kind, tag in KNOWN.items() if next(text.iter(tag), None) is not None}
        assert set((book.items[name].get("properties") or "").split()) - {"nav"} == holds, name


def test_it_needs_nothing_from_elsewhere_and_its_links_lead_somewhere(book: Book) -> None:
    places = {name: [part.get("id") for part in text.iter() if part.get("id")] for name, text in book.texts.items()}
    amiss = [f"{name}: {place}" for name, ids in places.items() for place in ids if ids.count(place) > 1]
    for name, text in book.texts.items():
        for part in text.iter():
            address = part.get("src") or part.get("href") or ""
            there = urlsplit(address)
            if part.tag == f"{XHTML}a" and there.scheme in ("https", "mailto"):
                continue
            if part.tag in (f"{XHTML}script", f"{XHTML}iframe", f"{XHTML}link") and address != "epub.css":
                amiss.append(f"{name}: {part.tag}")
            if address and (there.scheme or (file := there.path or name) not in book.items):
                amiss.append(f"{name}: {address}")
            elif there.fragment and unquote(there.fragment) not in places.get(file, []):
                amiss.append(f"{name}: {address}: no such place")
    assert amiss == []


def test_formulas_figures_and_answers_are_there_and_pictures_say_what_they_show(book: Book) -> None:
    for text, built in book.chapters():
        formulas = len(built.select("span.math, div.math"))
        assert len(list(text.iter(MATH))) >= formulas
        assert len(list(text.iter(f"{XHTML}figure"))) == len(built.select("figure"))
        views = built.select("script[type$='widget-view+json'], .wiring")
        pictures = [part.get("alt") for part in text.iter(f"{XHTML}img")]
        assert len(pictures) >= len(views)
        assert all(len((alt or "").split()) > 1 for alt in pictures)
        assert all(fold.get("open") is not None for fold in text.iter(f"{XHTML}details"))
        assert "var(--" not in "".join(part.get("style") or "" for part in text.iter())

"""The book as an ePub: ``python -m book.epub``, after ``python -m book.build``.

Chromium opens each page, as it does for the PDF, so that formulas and widgets are drawn; ``epub.js`` takes from it what
an e-reader can show: MathJax's MathML, figures in their light colours, a picture of what moves, folds open.
"""

import argparse
import sys
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from html import escape
from itertools import groupby
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import yaml
from playwright.sync_api import Error, Page

from book.chromium import HERE, SETTLED, PrintError, load, paper
from book.contents import ROOT, part_of
from book.cover import changed, cover
from seq2seq.streams import print_anything

HTML = ROOT / "_build" / "html"
EPUB = HTML / "learning-to-align.epub"
MOVING = ".cw, .wiring"
STILL = ("live/start.js", "wiring.js")  # without them stands a sentence, and the whole drawing
CONTAINER = (
    '<?xml version="1.0" encoding="UTF-8"?><container version="1.0" '
    'xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book/content.opf" '
    'media-type="application/oebps-package+xml"/></rootfiles></container>'
)
KINDS = {".xhtml": "application/xhtml+xml", ".css": "text/css", ".png": "image/png"}
FEATURES = ("MathML", "alternativeText", "structuralNavigation", "tableOfContents")


@dataclass(frozen=True)
class Chapter:
    """A page as an e-reader shows it."""

    name: str
    part: str
    title: str
    sections: Sequence[tuple[str, str]]  # heading, id
    body: str
    holds: Sequence[str]  # what the package has to be told of: "mathml", "svg"


def document(title: str, body: str) -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n'
        '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">'
        f'<head><meta charset="utf-8"/><title>{escape(title)}</title>'
        f'<link rel="stylesheet" href="epub.css"/></head><body id="top">{body}</body></html>\n'
    )


def base() -> str:
    """Where the book is read on the web."""
    return yaml.safe_load((ROOT / "_config.yml").read_text(encoding="utf-8"))["html"]["baseurl"]


def read(page: Page, names: Sequence[str], files: dict[str, str | bytes]) -> Iterator[Chapter]:
    """The chapters; their pictures are added to the files."""
    for name in names:
        load(page, HTML / f"{name}.html")
        page.add_script_tag(path=HERE / "epub.js")
        stem, pictures = name.rpartition("/")[2], []
        for place, moving in enumerate(page.locator(f"article.bd-article :is({MOVING})").all()):
            pictures.append(f"{stem}-{place}.png")
            files[pictures[-1]] = moving.screenshot(animations="disabled")
        taken = page.evaluate(
            "take",
            {
                "moving": MOVING,
                "pictures": pictures,
                "pages": list(names),
                "root": f"{HTML.as_uri()}/",
                "base": base(),
            },
        )
        yield Chapter(stem, part_of()[name], taken["title"], taken["sections"], taken["body"], taken["holds"])


def draw_cover(page: Page) -> bytes:
    load(page, HTML / "book" / "index.html")
    page.evaluate("html => document.querySelector('article.bd-article').innerHTML = html", cover())
    page.evaluate(SETTLED)
    return page.locator(".print-cover").screenshot()


def line(title: str, address: str, inner: Sequence[str]) -> str:
    """An entry of the navigation: with an address a link, with entries below it a list."""
    words = f'<a href="{address}">{escape(title)}</a>' if address else f"<span>{escape(title)}</span>"
    below = f"<ol>{''.join(inner)}</ol>" if inner else ""
    return f"<li>{words}{below}</li>"


def navigation(chapters: Sequence[Chapter]) -> str:
    entries: list[str] = []
    for part, within in groupby(chapters, key=lambda chapter: chapter.part):
        lines = [
            line(
                each.title,
                f"{each.name}.xhtml",
                [line(title, f"{each.name}.xhtml#{at}", ()) for title, at in each.sections],
            )
            for each in within
        ]
        entries += [line(part, "", lines)] if part else lines
    return f'<nav epub:type="toc" id="toc"><h1>Contents</h1><ol>{"".join(entries)}</ol></nav>'


def package(chapters: Sequence[Chapter], files: Iterable[str]) -> str:
    """The list of all files, the order in which they are read, and what libraries and readers are told."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    properties = {"contents.xhtml": "nav", "cover.png": "cover-image"}
    properties |= {f"{chapter.name}.xhtml": " ".join(chapter.holds) for chapter in chapters if chapter.holds}
    items = "".join(
        f'<item id="{_id(name)}" href="{name}" media-type="{KINDS[Path(name).suffix]}"'
        + (f' properties="{properties[name]}"/>' if name in properties else "/>")
        for name in files
    )
    order = ["cover.xhtml", "contents.xhtml", *(f"{chapter.name}.xhtml" for chapter in chapters)]
    spine = "".join(f'<itemref idref="{_id(name)}"/>' for name in order)
    metadata = {"schema:accessMode": ("textual", "visual"), "schema:accessibilityFeature": FEATURES}
    metadata |= {"schema:accessModeSufficient": ("textual",), "schema:accessibilityHazard": ("none",)}
    metas = "".join(f'<meta property="{name}">{value}</meta>' for name, values in metadata.items() for value in values)
    authors = "".join(f"<dc:creator>{escape(author['name'])}</dc:creator>" for author in cited["authors"])
    return (
        '<?xml version="1.0" encoding="UTF-8"?><package xmlns="http://www.idpf.org/2007/opf" version="3.0" '
        'unique-identifier="uid" xml:lang="en"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/">'
        f'<dc:identifier id="uid">urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, base())}</dc:identifier>'
        f"<dc:title>{escape(cited['title'])}</dc:title>{authors}<dc:language>en</dc:language>"
        f"<dc:rights>{cited['license']}</dc:rights>"
        f'<meta property="dcterms:modified">{changed() or date.today()}T00:00:00Z</meta>{metas}</metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>\n"
    )


def _id(name: str) -> str:
    return f"file-{name.replace('.', '-')}"


def write(path: Path, names: Sequence[str]) -> None:
    """The book, or these pages of it."""
    files: dict[str, str | bytes] = {"epub.css": (HERE / "epub.css").read_text(encoding="utf-8")}
    with paper(scale=2) as page:
        for script in STILL:
            page.route(f"**/_static/{script}*", lambda route: route.abort())
        files["cover.png"] = draw_cover(page)
        chapters = list(read(page, names, files))
    files["cover.xhtml"] = document("Cover", '<p class="cover"><img src="cover.png" alt="Learning to Align"/></p>')
    files["contents.xhtml"] = document("Contents", navigation(chapters))
    files |= {f"{chapter.name}.xhtml": document(chapter.title, chapter.body) for chapter in chapters}
    with ZipFile(path, "w", ZIP_DEFLATED) as zipped:
        zipped.writestr("mimetype", "application/epub+zip", ZIP_STORED)  # first, and as it is: by this it is recognised
        zipped.writestr("META-INF/container.xml", CONTAINER)
        zipped.writestr("book/content.opf", package(chapters, files))
        for name, content in files.items():
            zipped.writestr(f"book/{name}", content)


def main(arguments: Sequence[str] | None = None) -> int:
    print_anything()
    parser = argparse.ArgumentParser(prog="python -m book.epub", description="Make of the built book one ePub.")
    parser.add_argument("--output", type=Path, default=EPUB, help="where to put it (default: beside the pages)")
    parser.add_argument("pages", nargs="*", default=list(part_of()), help="such as book/05_scorers (default: all)")
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    try:
        write(options.output, options.pages)
    except (PrintError, Error) as error:
        print(f"book: no ePub. {error}", file=sys.stderr)
        return 1
    print(f"book: {options.output} ({time.perf_counter() - start:.0f} s)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

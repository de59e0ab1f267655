"""A search that ranks by title, heading, phrase and synonym, and that a page read from disk can make too.

MiniSearch takes the place of Sphinx's scripts and index. What it searches, the sections of all pages and the terms of
the glossary, stands in one script that the search page alone loads.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import yaml
from bs4 import BeautifulSoup, Tag
from sphinx.application import Sphinx

from book.contents import part_of

OF_SPHINX = re.compile(
    r'\s*<script src="[^"]*?(?:_static/searchtools|_static/language_data|searchindex)\.js"></script>'
)
OURS = "".join(
    f'<script src="_static/{name}.js"></script>' for name in ("vendor/minisearch/minisearch", "search-index", "search")
)
SYNONYMS = "book/search.yml"
NO_TEXT = (
    "script, style, math, .math, pre, table, svg, nav, .headerlink, .section-number, .cell_input, .toggle-button, "
    ".course-goals"
)
UNNAMED = {"Summary", "Questions"}  # every chapter has them: they name nothing
LEFT_OUT = {"References", "The exercise", "book/coverage", "book/terms", "book/bibliography"}
Entry = dict[str, str]


def entries(outdir: Path, page: str, part: str) -> Iterator[Entry]:
    """What can be found on a built page: its sections, or the terms of a glossary."""
    article = BeautifulSoup((outdir / f"{page}.html").read_text("utf-8"), "html.parser").select_one("article")
    head = article.select_one("h1") if article else None
    if article is None or head is None:
        return
    for silent in article.select(NO_TEXT):
        silent.decompose()
    title = _text(head)
    for term in article.select("dl.glossary dt[id]"):
        meaning = term.find_next_sibling("dd")
        yield _entry(f"{page}.html#{term['id']}", title, "Glossary", _text(term), _text(meaning) if meaning else "")
        term.extract()
    for section in reversed(article.select("section[id]")):  # those within come first, and are taken out
        named = section.find(re.compile("^h[1-4]$"))
        if named is not None:
            name = _text(named.extract())
            if name not in LEFT_OUT:
                heading = "" if name in UNNAMED else name
                yield _entry(f"{page}.html#{section['id']}", title, part, heading, _text(section))
        section.extract()


def _entry(address: str, title: str, part: str, heading: str, text: str) -> Entry:
    return {"id": address, "title": title, "part": part, "heading": heading, "text": text}


def _text(element: Tag) -> str:
    return " ".join(element.get_text(" ").split())


def replace_index(app: Sphinx, error: Exception | None) -> None:
    out, root = Path(app.outdir), Path(app.srcdir)
    if error is not None or app.builder.name != "html" or not (out / "search.html").exists():
        return
    indexed = [entry for page, part in part_of().items() if page not in LEFT_OUT for entry in entries(out, page, part)]
    synonyms = yaml.safe_load((root / SYNONYMS).read_text("utf-8"))
    index = json.dumps({"entries": indexed, "synonyms": synonyms}, ensure_ascii=False, separators=(",", ":"))
    (out / "_static" / "search-index.js").write_text(f"globalThis.SEARCH = {index};\n", encoding="utf-8")
    (out / "searchindex.js").unlink(missing_ok=True)
    for page in out.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        without = OF_SPHINX.sub("", text)
        if page == out / "search.html":
            without = without.replace("</body>", f"{OURS}</body>")
        if without != text:
            page.write_text(without, encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", replace_index)

"""The page from which the PDF is printed: its chapters side by side, links to the right one, all widgets."""

import io
import sys
from pathlib import Path

from bs4 import BeautifulSoup
from prose import ROOT
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

sys.path.insert(0, str(ROOT / "book" / "_ext"))

PAGES = {
    "index": "# Book\n\n## Read\n\n```{toctree}\none\ntwo\n```\n",
    "one": "# One\n\n## Summary\n\n[There](two.md#summary), {doc}`two`.\n\n### Deeper\n\nDown.\n",
    "two": "# Two\n\n## Summary\n\nEnd.\n",
}


def single(folder: Path) -> BeautifulSoup:
    source, warnings = folder / "source", io.StringIO()
    source.mkdir()
    for name, text in PAGES.items():
        (source / f"{name}.md").write_text(text)
    options = {"extensions": ["myst_parser", "course.single_page"], "myst_heading_anchors": 3}
    with docutils_namespace():
        app = Sphinx(
            source, None, folder / "out", folder / "trees", "singlehtml", options, status=None, warning=warnings
        )
        app.env.nb_metadata = {  # as MyST-NB leaves it
            name: {"js_files": {"state": (None, {"type": "application/json", "body": f'"{name}"'})}} for name in PAGES
        }
        app.build()
    assert warnings.getvalue() == ""
    return BeautifulSoup((folder / "out" / "index.html").read_text(), "html.parser")


def test_every_page_stands_beside_the_others_with_its_own_levels(tmp_path: Path):
    pages = single(tmp_path).select(".book-page")
    assert [page.parent for page in pages] == [pages[0].parent] * 3
    assert [page.find_previous_sibling("span")["id"] for page in pages] == [f"document-{name}" for name in PAGES]
    headings = [[(tag.name, tag.contents[0]) for tag in page.find_all(["h1", "h2", "h3"])] for page in pages]
    assert headings == [
        [("h1", "Book"), ("h2", "Read")],
        [("h1", "One"), ("h2", "Summary"), ("h3", "Deeper")],
        [("h1", "Two"), ("h2", "Summary")],
    ]


def test_links_name_the_page_and_widgets_of_all_pages_come_along(tmp_path: Path):
    page = single(tmp_path)
    links = [link["href"] for link in page.select(".book-page p a")]
    assert links == ["#document-two/summary", "#document-two"]
    assert {tag.string for tag in page.select("script[type='application/json']")} == {f'"{name}"' for name in PAGES}

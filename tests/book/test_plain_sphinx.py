"""The book by Sphinx alone has the same pages, with the same words, formulas, figures and widgets.

`make plain-sphinx` makes the environment and the build; where they are not, this is left out.
"""

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from prose import ROOT

from book.plain_sphinx import HTML as PLAIN
from book.plain_sphinx import conf

USUAL = ROOT / "_build" / "html"
PAGES = sorted(path.name for path in USUAL.glob("book/*.html"))
COUNTED = ("figure", "table", "h2", "div.math", "span.math", "div.cell", "div.admonition", "a.reference", "script")


def article(page: Path) -> BeautifulSoup:
    article = BeautifulSoup(page.read_text(encoding="utf-8"), "lxml").select_one("article")
    assert article is not None, page
    return article


def words(article: BeautifulSoup) -> list[str]:
    """Its text, but for the spaces around what a formula is wrapped in, which differ."""
    return re.sub(r"\s*(\\(?:\[|\]|begin\{\w+\}|end\{\w+\}))\s*", r"\1", article.get_text()).split()


@pytest.mark.long("packages")
@pytest.mark.skipif(not (PLAIN / "index.html").exists(), reason="needs `make plain-sphinx`")
def test_every_page_says_and_shows_the_same():
    other = []
    for page in PAGES:
        usual, plain = (article(folder / "book" / page) for folder in (USUAL, PLAIN))
        counts = [{kind: len(text.select(kind)) for kind in COUNTED} for text in (usual, plain)]
        if words(plain) != words(usual) or counts[0] != counts[1]:
            other.append(page)
    assert other == []


def test_its_configuration_is_python_and_names_no_jupyter_book():
    settings: dict[str, object] = {}
    exec(conf(), settings)
    assert "jupyter_book" not in settings["extensions"]
    assert settings["external_toc_path"] == "_toc.yml"
    assert all(Path(folder).is_absolute() for folder in settings["html_static_path"])

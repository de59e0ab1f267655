"""``{live-translation}`` in a book of one page: a numbered figure, the scripts beside it, and a sentence in the PDF."""

import io
import sys
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from prose import ROOT
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from course.live_translation import MODELS, WITHOUT

PAGE = """# A page

In {numref}`fig-live` you type.

```{live-translation} %s
:name: fig-live
:sentence: the "old" cat
Type a *longer* sentence.
```
"""


def build(folder: Path, builder: str = "html", models: str = "one two", page: str = PAGE) -> tuple[Path, str]:
    """The folder of the built page, and the warnings."""
    source, warnings = folder / "source", io.StringIO()
    (source / MODELS).mkdir(parents=True)
    for name in ("one", "two"):
        (source / MODELS / f"{name}.js").write_text("")
    (source / "index.md").write_text(page % models if "%s" in page else page)
    options = {"extensions": ["myst_parser", "course.live_translation"], "numfig": True}
    with docutils_namespace():
        app = Sphinx(source, None, folder / "out", folder / "trees", builder, options, status=None, warning=warnings)
        app.build()
    return folder / "out", warnings.getvalue()


def test_it_is_a_figure_with_a_number_and_a_caption(tmp_path: Path):
    out, warnings = build(tmp_path)
    soup = BeautifulSoup((out / "index.html").read_text(), "lxml")
    assert warnings == ""
    figure = soup.find("figure", id="fig-live")
    assert figure.find("figcaption").get_text().strip().startswith("Fig. 1 Type a longer sentence.")
    assert figure.find("figcaption").find("em").get_text() == "longer"
    assert "Fig. 1" in soup.find("p").get_text()
    element = figure.find("live-translation")
    assert element.attrs == {"models": "one two", "sentence": 'the "old" cat'}
    assert element.get_text() == WITHOUT


def test_its_scripts_lie_beside_it_and_only_the_one_that_waits_is_loaded(tmp_path: Path):
    out, _ = build(tmp_path)
    soup = BeautifulSoup((out / "index.html").read_text(), "lxml")
    scripts = [tag for tag in soup.find_all("script", src=True) if "live" in tag["src"]]
    assert [tag["src"].partition("?")[0] for tag in scripts] == ["_static/live/start.js"]
    assert scripts[0].has_attr("defer")
    assert {path.name for path in (out / "_static" / "live").iterdir()} == {"start.js", "live.js", "live.css"}


def test_pages_without_it_load_nothing(tmp_path: Path):
    out, _ = build(tmp_path, page="# A page\n\nNothing here.\n")
    assert "live/start.js" not in (out / "index.html").read_text()


def test_the_pdf_has_a_sentence_instead(tmp_path: Path):
    out, _ = build(tmp_path, "singlehtml")
    text = (out / "index.html").read_text()
    assert WITHOUT in text
    assert "<live-translation" not in text
    assert "live/start.js" not in text


@pytest.mark.parametrize(
    ("models", "page", "said"),
    [
        ("one three", PAGE, "got ['three'], expected names of files in book/_static/live: ['one', 'two']"),
        ("one", PAGE.replace("Type a *longer* sentence.\n", ""), "expected one paragraph of content, the caption"),
    ],
)
def test_what_cannot_be_shown_is_said(tmp_path: Path, models: str, page: str, said: str):
    _, warnings = build(tmp_path, models=models, page=page)
    assert said in warnings

"""The book's own Sphinx extension can be imported, as Sphinx imports it, and is tried on books of a few lines."""

import io
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from sphinx.application import Sphinx
from sphinx.util.docutils import docutils_namespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_ext"))


@dataclass(frozen=True)
class Built:
    out: Path
    page: BeautifulSoup
    warnings: str

    def scripts(self, word: str) -> list[str]:
        """The addresses of the scripts that the page loads and whose names have the word."""
        addresses = [tag["src"] for tag in self.page.find_all("script", src=True)]
        return [address.partition("?")[0] for address in addresses if word in address]


@pytest.fixture
def built(tmp_path):
    """Builds a book: built({"index": "# A page"}, "course.single_page", "singlehtml")."""

    def built(pages, extension, builder="html", metadata=None, **options):
        source, warnings = tmp_path / "source", io.StringIO()
        for name, text in pages.items():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / (name if "." in name else f"{name}.md")).write_text(text)
        options |= {"extensions": ["myst_parser", extension], "numfig": True}
        folders = (source, None, tmp_path / "out", tmp_path / "trees")
        with docutils_namespace():
            app = Sphinx(*folders, builder, options, status=None, warning=warnings)
            app.env.nb_metadata = metadata or {}  # as MyST-NB leaves it
            app.build()
        text = (tmp_path / "out" / "index.html").read_text()
        return Built(tmp_path / "out", BeautifulSoup(text, "html.parser"), warnings.getvalue())

    return built

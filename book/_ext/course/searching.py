"""Loads the search's scripts and index only on the search page.

The theme loads these 200 KB on every page for search-as-you-type, which this book does not use.
"""

import re
from pathlib import Path

from sphinx.application import Sphinx

SCRIPT = re.compile(r'\s*<script src="[^"]*?(?:_static/searchtools|_static/language_data|searchindex)\.js"></script>')


def unload(app: Sphinx, error: Exception | None) -> None:
    if error is not None or app.builder.name != "html" or app.config.html_theme_options.get("search_as_you_type"):
        return
    for page in Path(app.outdir).rglob("*.html"):
        if page != Path(app.outdir, "search.html"):
            text = page.read_text(encoding="utf-8")
            if (without := SCRIPT.sub("", text)) != text:
                page.write_text(without, encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", unload)

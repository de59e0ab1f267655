"""Empties the theme's 1.5 MB icon script: the web font already draws the icons."""

from pathlib import Path

from sphinx.application import Sphinx

SCRIPT = Path("_static/scripts/fontawesome.js")


def empty_script(app: Sphinx, error: Exception | None) -> None:
    script = Path(app.outdir) / SCRIPT
    if error is None and script.is_file():
        script.write_text("// The icons are drawn by the theme's web font.\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", empty_script)

"""The theme's icons come from its web font; its script of 1.5 MB, which draws them a second time, stays empty."""

from pathlib import Path

from sphinx.application import Sphinx

SCRIPT = Path("_static/scripts/fontawesome.js")


def empty_script(app: Sphinx, error: Exception | None) -> None:
    script = Path(app.outdir) / SCRIPT
    if error is None and script.is_file():
        script.write_text("// The icons are drawn by the theme's web font.\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    app.connect("build-finished", empty_script)

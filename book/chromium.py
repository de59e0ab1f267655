"""A page in Chromium as the PDF and the ePub take it: for paper, in the light, with all that scripts add to it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).resolve().parent
COLUMN = 650  # pixels: the width of the text in print.css
# Fonts are fetched when a letter first needs them, and pictures when they come near: on a busy machine, between prints.
SETTLED = """() => Promise.all([document.fonts.ready, ...[...document.images].map((image) => {
    image.loading = "eager";
    return image.decode().catch(() => null);
})]).then(() => document.fonts.status)"""


class PrintError(RuntimeError):
    """The book could not be printed; the message says what to do."""


def program() -> str:
    """Where Chromium is, from ``$CHROMIUM`` or the path.

    Raises:
        PrintError: it is nowhere.
    """
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        raise PrintError("no Chromium found; `sh scripts/system-packages.sh chromium` installs it.")
    return path


@contextmanager
def paper(scale: float = 1) -> Iterator[Page]:
    """An empty page, with so many pixels of a picture for one of the page."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(
            viewport={"width": COLUMN, "height": 900},
            color_scheme="light",
            reduced_motion="reduce",
            device_scale_factor=scale,
        )
        page.set_default_timeout(600_000)
        page.emulate_media(media="print")
        yield page
        browser.close()


def load(page: Page, path: Path) -> None:
    """Open a built page with ``print.css`` and ``print.js``, and wait for its formulas, widgets, fonts and pictures."""
    page.goto(path.as_uri(), wait_until="load")
    page.add_style_tag(path=HERE / "print.css")
    page.add_script_tag(path=HERE / "print.js")
    page.evaluate("() => window.MathJax?.startup?.promise.then(() => true)")
    page.wait_for_function("widgetsDrawn")
    page.evaluate(SETTLED)

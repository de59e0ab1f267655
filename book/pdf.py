"""The whole book as a PDF: ``python -m book.pdf``, after ``python -m book.build``.

Sphinx joins all pages, and Chromium prints the result with an outline, tags for screen readers, and figures in their
light colours. Folded answers are printed open.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Error, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SINGLE = ROOT / "_build" / "singlehtml"
PDF = ROOT / "_build" / "html" / "learning-to-align.pdf"
FOOT = """\
<div style="width: 100%; font: 8px sans-serif; color: #5a6472; text-align: center">
<span class="pageNumber"></span></div>"""


class PrintError(RuntimeError):
    """The book could not be printed; the message says what to do."""


def gather() -> None:
    """Builds all pages as one in _build/singlehtml; cells have already run."""
    command = [str(Path(sys.executable).with_name("jupyter-book")), "build", ".", "--builder", "singlehtml", "--quiet"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    written = SINGLE / "book" / "index.html"
    if done.returncode or not written.is_file():
        raise PrintError(f"jupyter-book ended with {done.returncode} and no single page.\n{done.stderr[-2000:]}")
    shutil.copy(written, SINGLE / "index.html")  # its links are relative to the top folder


def chromium() -> str:
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        raise PrintError("no Chromium found; `sh scripts/system-packages.sh chromium` installs it.")
    return found


def print_page(path: Path) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(color_scheme="light", reduced_motion="reduce")
        page.set_default_timeout(240_000)
        page.goto((SINGLE / "index.html").as_uri(), wait_until="load")
        page.evaluate("() => window.MathJax?.startup?.promise")
        page.evaluate("() => document.fonts.ready.then(() => true)")
        page.evaluate(
            """() => {
                document.querySelectorAll("details:not(.hide)").forEach(one => one.open = true);
                document.querySelectorAll(".toggle-hidden").forEach(one => one.classList.remove("toggle-hidden"));
            }"""
        )
        page.pdf(
            path=path,
            format="A4",
            outline=True,
            tagged=True,
            print_background=True,
            display_header_footer=True,
            header_template="<span></span>",
            footer_template=FOOT,
            margin={"top": "18mm", "bottom": "18mm", "left": "16mm", "right": "16mm"},
        )
        browser.close()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m book.pdf", description="Print the built book as one PDF.")
    parser.add_argument("--output", type=Path, default=PDF, help="where to put it (default: beside the pages)")
    output = parser.parse_args(arguments).output
    start = time.perf_counter()
    try:
        gather()
        output.parent.mkdir(parents=True, exist_ok=True)
        print_page(output)
    except (PrintError, Error) as error:
        print(f"book: not printed. {error}", file=sys.stderr)
        return 1
    print(f"book: {output} ({time.perf_counter() - start:.0f} s)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

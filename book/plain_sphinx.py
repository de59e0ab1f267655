"""Build the book by Sphinx alone: ``python -m book.plain_sphinx``, after ``python -m book.build``.

Jupyter Book 1.x stays at Sphinx 7. So that the book outlives it, this makes a ``conf.py`` from ``_config.yml`` and
``_toc.yml`` and builds with a newer Sphinx, which has an environment of its own: ``make plain-sphinx`` makes that one
from ``book/plain_sphinx.txt``. Its pages must have the same words, formulas, figures and widgets as the usual ones.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from bs4 import BeautifulSoup
from jupyter_book.config import get_final_config

from book.build import run
from seq2seq.streams import print_anything

ROOT = Path(__file__).resolve().parents[1]
PYTHON = ROOT / "build" / "plain_sphinx" / "bin" / "python"
CONF = ROOT / "build" / "plain_sphinx" / "conf.py"
HTML = ROOT / "_build" / "plain_sphinx"
USUAL = ROOT / "_build" / "html"
COUNTED = ("figure", "table", "h2", "div.math", "span.math", "div.cell", "div.admonition", "a.reference", "script")
CACHE = ROOT / "_build" / ".jupyter_cache"


def configuration() -> dict[str, object]:
    """What Jupyter Book tells Sphinx, but for its own extension and with places that do not depend on the folder."""
    unused = {"latex_individualpages": False}  # an option of its command line that has to be there
    settings, _ = get_final_config(user_yaml=ROOT / "_config.yml", sourcedir=ROOT, cli_config=unused)
    settings["extensions"].remove("jupyter_book")
    for key in ("html_static_path", "bibtex_bibfiles"):
        settings[key] = [str(ROOT / place) for place in settings[key]]
    settings |= {key: str(ROOT / settings[key]) for key in ("html_favicon", "html_logo")}
    return settings | {"external_toc_path": "_toc.yml", "nb_execution_cache_path": str(CACHE)}


def conf() -> str:
    """The text of ``conf.py``."""
    path = [str(ROOT), str(ROOT / "book" / "_ext")]
    lines = ["# Made from _config.yml and _toc.yml by book/plain_sphinx.py.", "import sys", f"sys.path[:0] = {path!r}"]
    return "\n".join([*lines, *(f"{key} = {value!r}" for key, value in sorted(configuration().items()))]) + "\n"


def build() -> int:
    """Builds with warnings as errors; returns Sphinx's exit code."""
    CONF.write_text(conf(), encoding="utf-8")
    command = [str(PYTHON), "-m", "sphinx", "-c", str(CONF.parent), "-b", "html", "-W", "-n", "--keep-going", "--quiet"]
    return run([*command, str(ROOT), str(HTML)], {})


def content(page: Path) -> tuple[list[str], list[int]]:
    """The words of a page, but for the spaces around what a formula is wrapped in, which differ; and what it counts."""
    article = BeautifulSoup(page.read_text(encoding="utf-8"), "lxml").select_one("article")
    if article is None:
        return [], []
    words = re.sub(r"\s*(\\(?:\[|\]|begin\{\w+\}|end\{\w+\}))\s*", r"\1", article.get_text()).split()
    return words, [len(article.select(kind)) for kind in COUNTED]


def main(arguments: Sequence[str] | None = None) -> int:
    print_anything()
    parser = argparse.ArgumentParser(prog="python -m book.plain_sphinx", description=__doc__.splitlines()[0])
    parser.parse_args(arguments)
    for place, command in ((PYTHON, "make plain-sphinx"), (CACHE, "make book")):
        if not place.exists():
            print(f"plain_sphinx: {place} not found; run `{command}` first.", file=sys.stderr)
            return 1
    if status := build():
        return status
    names = sorted(path.name for path in (USUAL / "book").glob("*.html"))
    differing = [name for name in names if content(USUAL / "book" / name) != content(HTML / "book" / name)]
    if differing:
        print(f"plain_sphinx: not as by Jupyter Book: {', '.join(differing)}.", file=sys.stderr)
    return 1 if differing else 0


if __name__ == "__main__":
    raise SystemExit(main())

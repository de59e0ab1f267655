"""Runs pages with changed cells before Sphinx reads them, as many at a time as there are cores.

Sphinx would run them one after another. A page that fails is left to Sphinx, which runs it again and reports the
place.
"""

import logging
import re
from pathlib import Path

from jupyter_cache import get_cache
from jupyter_cache.executors import load_executor
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

READER = {"name": "myst_nb_md", "type": "plugin"}
KERNEL = re.compile(r"^kernelspec:", re.MULTILINE)


def runs(page: Path) -> bool:
    """Whether the page is a notebook: its front matter names a kernel."""
    text = page.read_text(encoding="utf-8")
    return text.startswith("---\n") and KERNEL.search(text.split("\n---\n")[0]) is not None


def run_ahead(app: Sphinx, env: BuildEnvironment, docnames: list[str]) -> None:
    pages = [page for name in docnames if (page := Path(env.doc2path(name))).suffix == ".md" and runs(page)]
    if len(pages) < 2:
        return
    cache = get_cache(app.config.nb_execution_cache_path)
    for page in pages:
        cache.add_nb_to_project(str(page), read_data=READER)
    quiet = logging.getLogger("jupyter_cache.ahead")
    quiet.setLevel(logging.CRITICAL)
    executor = load_executor("local-parallel", cache, logger=quiet)
    executor.run_and_cache(filter_uris=[str(page) for page in pages], timeout=app.config.nb_execution_timeout)


def setup(app: Sphinx) -> None:
    app.connect("env-before-read-docs", run_ahead)

"""Runs cells again when anything that they import or read changes, not only when their own text does.

Jupyter's execution cache identifies a page by the text of its cells. The cache folder's name is therefore a hash of
everything else that the cells use: the library, the committed results, the book's modules and the requirements.
"""

import os
import shutil
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

from book.fingerprint import fingerprint

WATCHED = (
    "seq2seq/**/*.py",
    "seq2seq/**/*.json",
    "seq2seq/**/*.npz",
    "seq2seq/**/*.pt",
    "seq2seq/**/*.js",
    "seq2seq/**/*.css",
    "autograder/tasks/batches.py",  # chapter 0 shows a check's message
    "autograder/checking/*.py",
    "autograder/progress/*.py",
    "autograder/finding.py",
    "book/*.py",
    "book/*.mplstyle",
    "requirements.txt",
    "constraints.txt",
)


def set_cache_path(app: Sphinx, config: Config) -> None:
    root = Path(app.srcdir)
    caches = Path(app.outdir).parent / ".jupyter_cache"
    current = caches / fingerprint(root, WATCHED)
    for old in caches.glob("*") if caches.is_dir() else ():
        if old != current:
            shutil.rmtree(old, ignore_errors=True)
    config.nb_execution_cache_path = str(current)
    os.environ["PYTHONPATH"] = str(root)  # the kernels import seq2seq and book from here
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one page per core; sums do not depend on their number


def setup(app: Sphinx) -> None:
    app.connect("config-inited", set_cache_path)

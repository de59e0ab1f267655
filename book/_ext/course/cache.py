"""Cells run again when anything that they import or read changes, not only when their own text does.

Jupyter's execution cache knows a page by the text of its cells. The folder of the cache is therefore named
by a hash of everything else that the cells see: the library, the committed results, the book's own modules
and the requirements.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx
from sphinx.config import Config

WATCHED = (
    "seq2seq/**/*.py",
    "seq2seq/**/*.json",
    "seq2seq/**/*.npz",
    "seq2seq/**/*.pt",
    "seq2seq/**/*.js",
    "seq2seq/**/*.css",
    "autograder/checks/batches.py",  # chapter 0 shows what a check says
    "autograder/expect.py",
    "book/*.py",
    "book/*.mplstyle",
    "requirements.txt",
    "constraints.txt",
)


def watched(root: Path) -> Iterator[Path]:
    for pattern in WATCHED:
        files = (path for path in root.glob(pattern) if path.is_file() and "__pycache__" not in path.parts)
        yield from sorted(files)


def key(root: Path) -> str:
    """A hash of the names and contents of all watched files."""
    digest = hashlib.sha256()
    for path in watched(root):
        digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def set_cache_path(app: Sphinx, config: Config) -> None:
    root = Path(app.srcdir)
    caches = Path(app.outdir).parent / ".jupyter_cache"
    current = caches / key(root)
    for old in caches.glob("*") if caches.is_dir() else ():
        if old != current:
            shutil.rmtree(old, ignore_errors=True)
    config.nb_execution_cache_path = str(current)
    os.environ["PYTHONPATH"] = str(root)  # the kernels import seq2seq and book from here
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # one page a core; the same sums whatever the number of cores


def setup(app: Sphinx) -> None:
    app.connect("config-inited", set_cache_path)

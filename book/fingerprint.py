"""One hash of many files, to detect changes that Sphinx and Jupyter's cache do not notice."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path


def fingerprint(root: Path, patterns: Sequence[str]) -> str:
    """A hash of the names and contents of all matching files below ``root``, except Python's bytecode."""
    digest = hashlib.sha256()
    for path in _files(root, patterns):
        digest.update(f"{path.relative_to(root)}\0{path.stat().st_size}\0".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _files(root: Path, patterns: Sequence[str]) -> Iterator[Path]:
    for pattern in patterns:
        files = (path for path in root.glob(pattern) if path.is_file() and "__pycache__" not in path.parts)
        yield from sorted(files)

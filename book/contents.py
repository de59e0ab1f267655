"""The parts of the book, from _toc.yml: the short way first, then what may wait."""

from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]


@cache
def parts() -> dict[str, tuple[str, ...]]:
    """The name of each part → its pages, as files below the course without their ending."""
    listed = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))["parts"]
    return {part["caption"]: tuple(page["file"] for page in part["chapters"]) for part in listed}


def place(page: str) -> str:
    """Where a page stands, as readers are told: on the short way, or that it may wait.

    Raises:
        LookupError: the page is in no part.
    """
    (short, way), *others = parts().items()
    if page in way:
        return f"{short.lower()}, {way.index(page) + 1} of {len(way)}"
    for part, pages in others:
        if page in pages:
            return f"{part.lower()}: it may wait"
    raise LookupError(f"{page!r} is in no part of _toc.yml.")

"""The parts of the book, from _toc.yml: the short way first, then what may wait."""

from functools import cache
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]


@cache
def parts() -> dict[str, tuple[str, ...]]:
    """The name of each part → its pages, as files below the course without their ending; the front page has no part."""
    contents = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    listed = {part["caption"]: tuple(page["file"] for page in part["chapters"]) for part in contents["parts"]}
    return {"": (contents["root"],), **listed}


@cache
def part_of() -> dict[str, str]:
    """Each page, in the order of the book → the name of its part."""
    return {page: part for part, pages in parts().items() for page in pages}


def short_way() -> tuple[str, ...]:
    """The pages that lead to the reader's own translator."""
    return parts()["The short way"]


def place(page: str) -> str:
    """Where a page stands, as readers are told: on the short way, or that it may wait.

    Raises:
        LookupError: the page is in no part.
    """
    part, way = part_of().get(page, ""), short_way()
    if not part:
        raise LookupError(f"{page!r} is in no part of _toc.yml.")
    where = f"{way.index(page) + 1} of {len(way)}" if page in way else "it may wait"
    return f"{part.lower()}{', ' if page in way else ': '}{where}"

"""A notebook's text and code as HTML, rendered in a process with limits; pieces shared by a class are cached."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from autograder.sandbox.reader import READER, RENDER, PassedLimit, ReaderFailed

MAX_CACHED = 1024  # pieces
LONGEST = 4_000  # characters; bounds the memory that one learner's texts can take


@dataclass(frozen=True)
class Piece:
    """One cell: "prose" in Markdown, a "comment" too but without tags, or "code"; ``plainly``: left unrendered."""

    kind: str
    source: str
    attachments: Mapping[str, Mapping[str, str]] | None = None
    plainly: bool = False

    @property
    def as_written(self) -> Markup:
        return Markup("{}" if self.kind == "code" else "<pre>{}</pre>").format(self.source)


_cache: dict[tuple[str, str], Markup] = {}
_lock = threading.Lock()


def rendered(pieces: Sequence[Piece]) -> list[Markup]:
    """The HTML of each piece; if rendering exceeds a limit, its source unrendered.

    Raises:
        ReaderFailed: the reader process failed.
    """
    with _lock:
        cached = [piece.as_written if piece.plainly else _find(piece) for piece in pieces]
    fresh = iter(_render([piece for piece, html in zip(pieces, cached, strict=True) if html is None]))
    return [next(fresh) if html is None else html for html in cached]


def _find(piece: Piece) -> Markup | None:
    key = piece.kind, piece.source
    if piece.attachments or key not in _cache:
        return None
    _cache[key] = html = _cache.pop(key)  # now the most recently used
    return html


def _render(pieces: Sequence[Piece]) -> list[Markup]:
    if not pieces:
        return []
    request = [(piece.kind, piece.source, piece.attachments or {}) for piece in pieces]
    try:
        answer = READER.ask("render", json.dumps(request).encode(), limits=RENDER)
    except PassedLimit:
        return [piece.as_written for piece in pieces]
    if not isinstance(answer, list) or len(answer) != len(pieces) or not all(isinstance(html, str) for html in answer):
        raise ReaderFailed("the reader process returned no HTML")
    fresh = [Markup(html) for html in answer]
    with _lock:
        for piece, html in zip(pieces, fresh, strict=True):
            if not piece.attachments and len(piece.source) <= LONGEST:
                _cache[piece.kind, piece.source] = html
        while len(_cache) > MAX_CACHED:
            del _cache[next(iter(_cache))]
    return fresh

"""A notebook's text and code as HTML, rendered in a process with limits; pieces shared by a class are cached."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from autograder.sandbox.reader import READER, RENDER, PassedLimit, ReaderFailed

KEPT = 1024  # pieces
LONGEST_KEPT = 4_000  # characters; bounds the memory that one learner's texts can take


@dataclass(frozen=True)
class Piece:
    """One cell: "prose" in Markdown, or "code"; ``plainly`` shows its source unrendered."""

    kind: str
    source: str
    attachments: Mapping[str, Mapping[str, str]] | None = None
    plainly: bool = False

    @property
    def as_written(self) -> Markup:
        return Markup("{}" if self.kind == "code" else "<pre>{}</pre>").format(self.source)


_kept: dict[tuple[str, str], Markup] = {}
_lock = threading.Lock()


def rendered(pieces: Sequence[Piece]) -> list[Markup]:
    """The HTML of each piece; if rendering exceeds a limit, its source unrendered.

    Raises:
        ReaderFailed: the reader process failed.
    """
    with _lock:
        found = [piece.as_written if piece.plainly else _find(piece) for piece in pieces]
    made = iter(_made([piece for piece, html in zip(pieces, found, strict=True) if html is None]))
    return [next(made) if html is None else html for html in found]


def _find(piece: Piece) -> Markup | None:
    key = piece.kind, piece.source
    if piece.attachments or key not in _kept:
        return None
    _kept[key] = html = _kept.pop(key)  # now the most recently used
    return html


def _made(pieces: Sequence[Piece]) -> list[Markup]:
    if not pieces:
        return []
    request = [(piece.kind, piece.source, piece.attachments or {}) for piece in pieces]
    try:
        answer = READER.ask("render", json.dumps(request).encode(), limits=RENDER)
    except PassedLimit:
        return [piece.as_written for piece in pieces]
    if not isinstance(answer, list) or len(answer) != len(pieces) or not all(isinstance(html, str) for html in answer):
        raise ReaderFailed("the reader process returned no HTML")
    made = [Markup(html) for html in answer]
    with _lock:
        for piece, html in zip(pieces, made, strict=True):
            if not piece.attachments and len(piece.source) <= LONGEST_KEPT:
                _kept[piece.kind, piece.source] = html
        while len(_kept) > KEPT:
            del _kept[next(iter(_kept))]
    return made

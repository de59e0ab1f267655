"""Texts and code of a notebook as HTML, made in a process with limits; what a class has in common is made once."""

import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from autograder.reader.limits import RENDER
from autograder.reader.process import READER, PassedLimit, ReaderFailed

KEPT = 1024  # pieces
LONGEST_KEPT = 4_000  # characters; what one learner adds shall not fill the memory


@dataclass(frozen=True)
class Piece:
    """One cell: "prose" in Markdown, or "code"; ``plainly`` shows it as it was written."""

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
    """The HTML of each piece; where the whole of them takes too much, as they were written.

    Raises:
        ReaderFailed: a fault of ours.
    """
    with _lock:
        found = [piece.as_written if piece.plainly else _find(piece) for piece in pieces]
    missing = [index for index, html in enumerate(found) if html is None]
    if not missing:
        return found
    asked = [(pieces[index].kind, pieces[index].source, pieces[index].attachments or {}) for index in missing]
    try:
        said = READER.ask("render", json.dumps(asked).encode(), limits=RENDER)
    except PassedLimit:
        return [html if html is not None else piece.as_written for piece, html in zip(pieces, found, strict=True)]
    if not isinstance(said, list) or len(said) != len(missing) or not all(isinstance(html, str) for html in said):
        raise ReaderFailed("the process that reads gave no texts")
    with _lock:
        for index, html in zip(missing, said, strict=True):
            found[index] = Markup(html)
            _keep(pieces[index], found[index])
    return found


def _find(piece: Piece) -> Markup | None:
    key = piece.kind, piece.source
    if piece.attachments or key not in _kept:
        return None
    _kept[key] = html = _kept.pop(key)  # used last
    return html


def _keep(piece: Piece, html: Markup) -> None:
    if not piece.attachments and len(piece.source) <= LONGEST_KEPT:
        _kept[piece.kind, piece.source] = html
    while len(_kept) > KEPT:
        del _kept[next(iter(_kept))]

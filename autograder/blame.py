"""Whose fault is an exception: the answer's or the check's; and which line of the answer raised it."""

import linecache
import sysconfig
from pathlib import Path
from types import FrameType

_HOUSE = Path(__file__).resolve().parent
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_GIVEN = (*_LIBRARIES, *map(str, (_HOUSE.parent / "seq2seq", _HOUSE / "pullback.py")), "<frozen", "<__array_function__")


class AnswerError(Exception):
    """An exception that an answer raised elsewhere: what a remote answer raises here in its place.

    kind: the class name of the exception, such as "RuntimeError"; detail: its text; line: the learner's line;
    kinds: the classes that it derives from, itself included.
    """

    def __init__(self, kind: str, detail: str = "", line: str = "", kinds: tuple[str, ...] = ()) -> None:
        super().__init__(kind, detail, line)
        self.kind, self.detail, self.line, self.kinds = kind, detail, line, kinds

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind


def is_theirs(error: BaseException, inside: bool = False) -> bool:
    """Did the exception come out of the learner's code?

    Yes if a frame of the traceback lies in a file that is neither ours nor a library's.
    inside: the traceback starts at the call of an answer, so what a library or the call itself raised is theirs too,
    and only what our own machinery (a lost sandbox, say) raised is not.
    """
    if isinstance(error, AnswerError):
        return True
    places = [_place(frame) for frame, _ in _frames(error)]
    if "learner" in places:
        return True
    return inside and "house" not in places[1:]


def is_infrastructure(error: BaseException) -> bool:
    """Did our own machinery fail, a lost sandbox say, rather than an answer or its use by a task?"""
    if isinstance(error, AnswerError):
        return False
    names = [frame.f_code.co_filename for frame, _ in _frames(error)]
    return names[-1].startswith((str(_HOUSE / "judging"), str(_HOUSE / "sandbox"))) if names else False


def line_of(error: BaseException) -> tuple[str, str, str]:
    """Class name, first line of the text, and the innermost line of the learner's own code ("" if unknown)."""
    if isinstance(error, AnswerError):
        return error.kind, _first(error.detail), error.line.strip()
    lines = [(frame.f_code.co_filename, number) for frame, number in _frames(error) if _place(frame) == "learner"]
    line = linecache.getline(*lines[-1]).strip() if lines else ""
    return type(error).__name__, _first(str(error)), line


def _frames(error: BaseException) -> list[tuple[FrameType, int]]:
    frames, step = [], error.__traceback__
    while step is not None:
        frames.append((step.tb_frame, step.tb_lineno))
        step = step.tb_next
    return frames


def _place(frame: FrameType) -> str:
    name = frame.f_code.co_filename
    if name.startswith(_GIVEN):
        return "library"
    return "house" if name.startswith(str(_HOUSE)) else "learner"


def _first(text: str) -> str:
    first = text.strip().splitlines()[0] if text.strip() else ""
    return first if len(first) <= 200 else first[:199] + "…"

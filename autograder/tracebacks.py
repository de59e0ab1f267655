"""Whether an exception is the answer's fault or the check's, and which line of the answer raised it."""

import linecache
import sysconfig
from pathlib import Path
from types import FrameType

_PROJECT = Path(__file__).resolve().parent
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})
_GIVEN = (*_LIBRARIES, *map(str, (_PROJECT.parent / "seq2seq", _PROJECT / "vjp.py")), "<frozen", "<__array_function__")


class AnswerError(Exception):
    """Stands for an exception that an answer raised in another process.

    kind: the class name of the exception, such as "RuntimeError"; detail: its text; line: the learner's line;
    kinds: the classes that it derives from, itself included.
    """

    def __init__(self, kind: str, detail: str = "", line: str = "", kinds: tuple[str, ...] = ()) -> None:
        super().__init__(kind, detail, line)
        self.kind, self.detail, self.line, self.kinds = kind, detail, line, kinds

    def __str__(self) -> str:
        return f"{self.kind}: {self.detail}" if self.detail else self.kind


def is_infrastructure(error: BaseException) -> bool:
    """Whether the grader itself failed (such as a lost sandbox), not an answer or its use by a task."""
    if isinstance(error, AnswerError):
        return False
    names = [frame.f_code.co_filename for frame, _ in _frames(error)]
    return names[-1].startswith((str(_PROJECT / "judging"), str(_PROJECT / "sandbox"))) if names else False


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
    return "project" if name.startswith(str(_PROJECT)) else "learner"


def _first(text: str) -> str:
    first = text.strip().splitlines()[0] if text.strip() else ""
    return first if len(first) <= 200 else first[:199] + "…"

"""Whether an exception is the grader's fault, and which line of an answer raised it."""

import builtins
import errno
import linecache
import sysconfig
from pathlib import Path
from traceback import walk_tb

REFUSAL = " (the grader's sandbox does not let a notebook make this system call; nothing that is graded needs it)"
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
    names = [frame.f_code.co_filename for frame, _ in walk_tb(error.__traceback__)]
    ours = (str(_PROJECT / "judging"), str(_PROJECT / "sandbox"))
    return bool(names) and not isinstance(error, AnswerError) and names[-1].startswith(ours)


def refusal(detail: str) -> str:
    """What to say beside the text of an exception that a refused system call has raised; empty for any other."""
    return REFUSAL if detail.startswith((f"[Errno {errno.EPERM}] ", f"[Errno {errno.ENOSYS}] ")) else ""


def line_of(error: BaseException) -> tuple[str, str, str]:
    """Class name, first line of the text, and the innermost line of the learner's own code ("" if unknown)."""
    if isinstance(error, AnswerError):
        return error.kind, _first(error.detail), error.line.strip()
    lines = ((frame.f_code.co_filename, number) for frame, number in walk_tb(error.__traceback__))
    theirs = [linecache.getline(file, number).strip() for file, number in lines if is_learners(file)]
    return kinds_of(error)[0], _first(str(error)), next(filter(None, reversed(theirs)), "")


def is_learners(file: str) -> bool:
    """Whether code of this file is the learner's, and neither a library's nor the course's."""
    return not file.startswith((*_GIVEN, str(_PROJECT)))


def kinds_of(error: BaseException) -> tuple[str, ...]:
    """The names of its class and of those it derives from; one that only borrows a built-in's name has its module's."""
    return tuple(
        kind.__name__ if getattr(builtins, kind.__name__, kind) is kind else f"{kind.__module__}.{kind.__name__}"
        for kind in type(error).__mro__
    )


def _first(text: str) -> str:
    first = text.strip().splitlines()[0].removesuffix(", but expected one of:") if text.strip() else ""
    return first if len(first) <= 200 else first[:199] + "…"

"""Limits on what the judge accepts from the sandbox: which characters, outputs, errors and changes."""

import builtins
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from torch import Tensor

from autograder.tracebacks import AnswerError

REMOVED = ("Cc", "Cf", "Cs")  # control characters, format characters such as text direction marks, surrogates
MAX_OUTPUTS = 1000  # per cell


def printable(value: Any, length: int = 500) -> str:
    """A text from the learner's process made safe to print: of bounded length, without terminal control characters."""
    text = value[: 4 * length] if isinstance(value, str) else ""
    return "".join(
        character for character in text if character in "\n\t" or unicodedata.category(character) not in REMOVED
    )[:length]


def answer_error(kind: str, detail: str, line: str, kinds: Sequence[str]) -> AnswerError:
    """What an answer raised, as an exception that checks can catch as the built-in it is, or derives from."""
    for name in (kind, *kinds):
        known = getattr(builtins, name, None)
        if isinstance(known, type) and issubclass(known, Exception) and known not in NOT_MIRRORED:
            return _mirrored(known)(kind, detail, line, tuple(kinds))  # type: ignore[arg-type]
    return AnswerError(kind, detail, line, tuple(kinds))


# A generator must not raise StopIteration; Unicode errors have other constructor arguments.
NOT_MIRRORED = (
    Exception,
    StopIteration,
    StopAsyncIteration,
    UnicodeDecodeError,
    UnicodeEncodeError,
    UnicodeTranslateError,
)


@lru_cache
def _mirrored(kind: type[Exception]) -> type[AnswerError]:
    return type(kind.__name__, (AnswerError, kind), {})


def alter(ours: Tensor | list[Any] | dict[str, Any], theirs: Any) -> None:
    """Repeats on our argument what the answer did to its copy; a check gives each answer its own."""
    if isinstance(ours, Tensor):
        if not isinstance(theirs, Tensor) or (theirs.shape, theirs.dtype) != (ours.shape, ours.dtype):
            raise AnswerError("ValueError", "an argument was given another shape or dtype in place")
        ours.copy_(theirs)
    elif type(theirs) is type(ours):
        ours.clear()
        ours.extend(theirs) if isinstance(ours, list) else ours.update(theirs)


def size_of(output: dict[str, Any]) -> int:
    return len(output.get("text", "")) + sum(map(len, output.get("data", {}).values()))


def outputs_of(reply: dict[str, Any], limit: int) -> tuple[list[dict[str, Any]], bool]:
    """A cell's outputs, truncated: streams, texts, pictures and at most one error; and whether there was an error."""
    outputs: list[dict[str, Any]] = []
    left = limit + 1000
    replied = reply.get("outputs")
    for output in replied[:MAX_OUTPUTS] if isinstance(replied, list) else []:
        match output:
            case {"output_type": "stream", "name": "stdout" | "stderr" as name, "text": str(text)} if left > 0:
                outputs.append({"output_type": "stream", "name": name, "text": text[:left]})
                left -= len(text)
            case {"output_type": "display_data", "data": dict(data)}:
                shown = {
                    mime: text
                    for mime, text in data.items()
                    if mime in ("text/plain", "image/png") and isinstance(text, str) and len(text) <= left
                }
                if shown:
                    outputs.append({"output_type": "display_data", "data": shown, "metadata": {}})
                    left -= sum(map(len, shown.values()))
    error = reply.get("error")
    if isinstance(error, dict):
        kind, detail, line = (printable(error.get(key)) for key in ("kind", "detail", "line"))
        trace = [*([f"at your line `{line}`"] if line else []), f"{kind}: {detail}"]
        outputs.append({"output_type": "error", "ename": kind, "evalue": detail, "traceback": trace})
    return outputs, isinstance(error, dict)

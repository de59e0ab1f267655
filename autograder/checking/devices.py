"""What to say where tensors of two devices have met: which is where, and which line left it there."""

import ast
import inspect
import linecache
import re
import textwrap
from traceback import walk_tb
from types import FrameType
from typing import Any

from torch import Tensor, nn

from autograder.tracebacks import is_learners

MET = ("same device", "expected device", "device type")  # in what PyTorch says of it
MOVING = ("to", "cuda", "cpu")  # where a tensor is after these, its name does not tell
NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def two_devices(error: BaseException) -> str:
    """Two tensors of the line where they met, by name and device, with the line that made the odd one; else "".

    The odd one is on the device that fewer are on, or on the CPU.
    """
    if not isinstance(error, RuntimeError) or not any(words in str(error) for words in MET):
        return ""
    theirs = [pair for pair in walk_tb(error.__traceback__) if is_learners(pair[0].f_code.co_filename)]
    if not theirs:
        return ""
    frame, number = theirs[-1]
    line = linecache.getline(frame.f_code.co_filename, number)
    try:
        places = dict(filter(all, (_place(frame, name) for name in NAME.findall(line))))
    except Exception:  # an object of the learner's may answer in any way
        return ""
    kinds = list(places.values())
    if len(set(kinds)) < 2:
        return ""
    odd = min(places, key=lambda name: (kinds.count(places[name]), places[name] != "cpu"))
    other = next(name for name in places if places[name] != places[odd])
    origin = _made(frame, odd, number)
    text = f"`{odd}` is on {places[odd]}, but `{other}` on {places[other]}"
    return f"{text}; `{odd}` comes from your line `{origin}`" if origin else text


def _place(frame: FrameType, dotted: str) -> tuple[str, str]:
    """The name of a tensor or a module, and the kind of device where it is."""
    first, *rest = dotted.split(".")
    value: Any = frame.f_locals.get(first, frame.f_globals.get(first))
    name = first
    for part in rest:
        held = vars(value) if hasattr(value, "__dict__") else {}
        inner = [held, *(held.get(kind) or {} for kind in ("_modules", "_parameters", "_buffers"))]
        values = [names[part] for names in inner if part in names]
        if not values:
            if part in MOVING:
                return "", ""
            break  # a method, or what is said about the tensor
        name, value = f"{name}.{part}", values[0]
    if isinstance(value, nn.Module):
        value = next(value.parameters(), None)
    return name, value.device.type if isinstance(value, Tensor) else ""


def _made(frame: FrameType, name: str, before: int) -> str:
    """The last line of the function above this one that assigns the name."""
    try:
        source = textwrap.dedent(inspect.getsource(frame.f_code))
        tree = ast.parse(source)
    except (OSError, SyntaxError, TypeError):
        return ""
    stored = [part for part in ast.walk(tree) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
    lines = [
        part.lineno for part in stored if part.id == name and part.lineno + frame.f_code.co_firstlineno - 1 < before
    ]
    return source.splitlines()[max(lines) - 1].strip() if lines else ""

"""A case as data that is sent to the answer's process, and its observations as data that is sent back.

The case contains inputs, weights and the source of ``play``, but no reference. The judge compares what comes back.
"""

import ast
import importlib
import inspect
import math
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache, lru_cache, partial
from typing import Any

import torch
from torch import Tensor

from autograder.checking.halved import calling_halved
from autograder.checking.observe import (
    SECOND_DRAW,
    Inputs,
    Making,
    Play,
    Raised,
    Seen,
    Subject,
    Use,
    observe,
    observe_briefly,
)
from autograder.checking.values import alike, is_number, most, named, plain
from autograder.checking.way import by_hand, noted, operations
from autograder.expect import CUT, CheckFailed
from autograder.finding import Finding
from autograder.tracebacks import refusal
from autograder.vjp import pullback, slopes

# Names that the source of a play may use; none of them contains an answer.
KNOWN: dict[str, Any] = {"torch": torch, "Tensor": Tensor, "math": math, "CheckFailed": CheckFailed, "CUT": CUT}
KNOWN |= {"pullback": pullback, "slopes": slopes, "named": named, "plain": plain, "alike": alike}
KNOWN |= {"is_number": is_number, "by_hand": by_hand, "noted": noted, "operations": operations}
LARGEST = 4_000_000  # numbers that easily fit one message, in at most a few hundred tensors
LONGEST = 500  # characters of what an exception says


def sendable(
    use: Use, draws: Mapping[str, Inputs], shown: Iterable[Seen] = (), tools: Sequence[Callable[..., Any]] = ()
) -> dict[str, Any]:
    """The case as data. ``shown``: observations of the reference; ``tools``: those of the task.

    Raises:
        ValueError: something in it is no data, or has a name that means nothing in the answer's process.
    """
    play = source_of(use.play) if use.play else ("", {})
    names = ["", SECOND_DRAW] if use.again else [""]
    inputs = {name: draws[name] for name in names}
    makings = [_parts(one) for one in (use.making, *use.tools)]
    if not _is_data(inputs) or not _is_data(makings):
        raise ValueError("a case is data: its inputs are tensors, numbers, texts, lists and dictionaries.")
    if (size := _size([inputs, makings])) > LARGEST:
        raise ValueError(f"the inputs of a case have {size} numbers; at most {LARGEST} fit a message.")
    case = {"labels": use.returned, "again": use.again, "gradients": use.gradients, "unchanged": use.unchanged}
    shown = list(shown)
    case |= {"most": most([one.value for one in shown])}
    labels = {*use.returned, *(one.label for one in shown)}
    case |= {"pulls": {label: use.pull(label).initial_seed() for label in labels}}
    case |= {"play": play[0], "constants": play[1], "makings": makings, "draws": inputs}
    return case | {"tools": [_sent(tool) for tool in tools]}


def messages(cases: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    """The cases in order, grouped so that each group fits one message."""
    start, size = 0, 0
    for index, case in enumerate(cases):
        size += (more := _size([case["draws"], case["makings"]]))
        if size > LARGEST:
            yield cases[start:index]
            start, size = index, more
    yield cases[start:]


def observe_sent(sent: dict[str, Any], answer: Any, brief: bool = True) -> list[tuple[str, str, Any, str]]:
    """The observations of the answer as (kind, label, value, phase); of an exception its fields."""
    making, *makings = (one and Making(**one) for one in sent["makings"])
    play = _compiled(sent["play"], sent["constants"]) if sent["play"] else None
    pulls: dict[str, int] = sent["pulls"]
    use = Use(
        sent["labels"],
        sent["again"],
        sent["gradients"],
        sent["unchanged"],
        lambda label: torch.Generator().manual_seed(pulls.get(label, 0)),  # any seed for an unexpected label
        play,
        making,
        tuple(makings),
    )
    subject = Subject(answer, tuple(_tool(*tool) for tool in sent["tools"]))
    with calling_halved(answer, sent.get("halved", ())):
        observations = list((observe_briefly if brief else observe)(use, subject, sent["draws"]))
    found = []
    for seen in observations:
        value = seen.value
        if seen.kind == "raised":
            value = asdict(value) | {"kinds": list(value.kinds), "detail": value.detail + refusal(value.detail)}
        elif seen.kind == "unfit":
            value = asdict(value.finding)
        else:
            value = _without_excess(value, sent["most"])
        found.append((seen.kind, seen.label, value, seen.phase))
    return found


def read_seen(said: Any) -> list[Seen]:
    """Converts what came back into observations: values to compare, and nothing else.

    Raises:
        ValueError: it does not have the form that :func:`observe_sent` returns.
    """
    if type(said) is not list:
        raise ValueError("not a list of observations")
    found = []
    for one in said:
        match one:
            case (str(kind), str(label), value, str(phase)) if kind in ("value", "argument"):
                found.append(Seen(kind, label, _unfilled(plain(value)), phase))
            case ("gradient" as kind, str(label), None | dict() as value, str(phase)):
                found.append(Seen(kind, label, value, phase))
            case ("raised", str(label), {"kind": name, "kinds": [*kinds], **texts}, str(phase)):
                if not _are_texts([name, *kinds]):
                    raise ValueError("not an observation")
                found.append(Seen("raised", label, Raised(name, kinds=tuple(kinds), **_texts(texts, Raised)), phase))
            case ("unfit" as kind, str(label), dict(texts), str(phase)):
                found.append(Seen(kind, label, CheckFailed.of(Finding(**_texts(texts, Finding))), phase))
            case _:
                raise ValueError("not an observation")
    return found


def _texts(given: dict[Any, Any], kind: type) -> dict[str, str]:
    """What was sent as the texts of an exception or a finding."""
    if not given.keys() <= {one.name for one in fields(kind)} or not _are_texts(given.values()):
        raise ValueError("not an observation")
    return {name: text[:LONGEST] for name, text in given.items()}


def _are_texts(values: Iterable[Any]) -> bool:
    return all(type(value) is str for value in values)


def _unfilled(value: Any) -> Any:
    """A result that was too large to be sent, as zeros of its shape that take no memory."""
    if isinstance(value, Tensor) and value.device.type == "meta" and value.numel() > most([]):
        return torch.zeros((), dtype=value.dtype).expand(value.shape)
    if type(value) in (list, tuple):
        return type(value)(map(_unfilled, value))
    return {key: _unfilled(item) for key, item in value.items()} if type(value) is dict else value


def _without_excess(value: Any, most: int) -> Any:
    """The value; of a tensor with more numbers than ``most`` the shape alone: its numbers would use up a budget."""
    if isinstance(value, Tensor):
        return value.to("meta") if value.numel() > most else value
    if type(value) in (list, tuple):
        return type(value)(_without_excess(item, most) for item in value)
    return {key: _without_excess(item, most) for key, item in value.items()} if type(value) is dict else value


def _parts(making: Making | None) -> dict[str, Any] | None:
    if making is None:
        return None
    return {
        "name": making.name,
        "arguments": making.arguments,
        "weights": None if making.weights is None else dict(making.weights),
        "double": making.double,
    }


def _is_data(value: Any) -> bool:
    if isinstance(value, dict):
        return all(type(key) is str for key in value) and all(map(_is_data, value.values()))
    if type(value) in (list, tuple):
        return all(map(_is_data, value))
    return value is None or type(value) in (Tensor, bool, int, float, str)


def _size(value: Any) -> int:
    """The count of numbers in it, plus 5000 for each tensor."""
    if isinstance(value, Tensor):
        return 5000 + value.numel()
    if isinstance(value, dict):
        value = list(value.values())
    return sum(map(_size, value)) if isinstance(value, list | tuple) else 1


def _sent(tool: Callable[..., Any]) -> tuple[str, Any]:
    """A function's source and constants; of what the library gives and is more than that, the module and the name."""
    try:
        return source_of(tool)
    except ValueError:
        if not tool.__module__.startswith("seq2seq."):
            raise
        return tool.__module__, tool.__qualname__


@cache
def source_of(play: Play) -> tuple[str, dict[str, Any]]:
    """A function's source without annotations, and the constants that it uses.

    Raises:
        ValueError: it is no plain function, or uses a name that is neither a constant nor in KNOWN.
    """
    if not inspect.isfunction(play) or play.__name__ == "<lambda>" or play.__closure__:
        raise ValueError(f"{play!r} is sent as source: expected a function with a name, outside of any other.")
    tree = ast.parse(textwrap.dedent(inspect.getsource(play)))
    constants = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, ast.FunctionDef):
            node.returns = None
    stored = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    stored |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)}
    for name in {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} - stored:
        value = play.__globals__.get(name, KNOWN)
        if value is KNOWN or value is KNOWN.get(name):
            continue  # a builtin, or in KNOWN
        if not _is_data(value):
            raise ValueError(
                f"{play.__qualname__} runs where the answer is, and {name!r} is no data and not in {', '.join(KNOWN)}: "
                "what knows a reference belongs into the task's `reading`."
            )
        constants[name] = value
    return ast.unparse(tree), constants


def _tool(text: str, more: str | dict[str, Any]) -> Any:
    """A tool from its source and the constants in it, or from its module and name."""
    return getattr(importlib.import_module(text), more) if isinstance(more, str) else _compiled(text, more)


_code = lru_cache(maxsize=64)(partial(compile, filename="<use>", mode="exec"))  # shared by all cases of a task


def _compiled(source: str, constants: dict[str, Any]) -> Play:
    space = KNOWN | constants
    exec(_code(source), space)
    return next(value for name, value in space.items() if name not in KNOWN | constants and name != "__builtins__")

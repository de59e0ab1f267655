"""A case as data that is sent to the answer's process, and its observations as data that is sent back.

The case contains inputs, weights and the source of ``play``, but no reference. The judge compares what comes back.
"""

import ast
import importlib.util
import inspect
import math
import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from functools import cache, lru_cache, partial
from itertools import chain
from typing import Any

import torch
from torch import Tensor

from autograder.checking.equal import equal
from autograder.checking.observation import (
    OTHER_DRAW,
    Arguments,
    Candidate,
    Constructor,
    Observation,
    Play,
    Raised,
    Usage,
)
from autograder.checking.play import play
from autograder.checking.surroundings import without
from autograder.checking.values import atoms, is_data, is_number, mapped, most, named, plain
from autograder.checking.way import by_hand, cost, noted
from autograder.finding import CUT, CheckFailed, Finding
from autograder.tracebacks import refusal
from autograder.vjp import pullback, slopes

# Names that the source of a play may use; none of them contains an answer.
KNOWN: dict[str, Any] = {"torch": torch, "Tensor": Tensor, "math": math, "CheckFailed": CheckFailed, "CUT": CUT}
KNOWN |= {"pullback": pullback, "slopes": slopes, "named": named, "plain": plain, "equal": equal}
KNOWN |= {"is_number": is_number, "by_hand": by_hand, "noted": noted, "cost": cost}
LARGEST = 4_000_000  # numbers that easily fit one message, in at most a few hundred tensors
MISTAKE = re.compile("[a-z_]{0,40}")  # what the class report counts: no text of a learner's
LONGEST = 500  # characters of what an exception says


def sendable(
    usage: Usage,
    draws: Mapping[str, Arguments],
    expected: Iterable[Observation] = (),
    tools: Sequence[Callable[..., Any]] = (),
) -> dict[str, Any]:
    """The case as data. ``expected``: observations of the reference; ``tools``: those of the task.

    Raises:
        ValueError: something in it is no data, or has a name that means nothing in the answer's process.
    """
    source, constants = source_of(usage.play) if usage.play else ("", {})
    names = ["", OTHER_DRAW] if usage.again else [""]
    inputs = {name: draws[name] for name in names}
    constructors = [_parts(constructor) for constructor in (usage.constructor, *usage.tools)]
    if not is_data([inputs, constructors], Tensor):
        raise ValueError("a case is data: its inputs are tensors, numbers, texts, lists and dictionaries.")
    if (size := _size([inputs, constructors])) > LARGEST:
        raise ValueError(f"the inputs of a case have {size} numbers; at most {LARGEST} fit a message.")
    expected = list(expected)
    labels = {*usage.returned, *(observation.label for observation in expected)}
    return {
        "labels": usage.returned,
        "again": usage.again,
        "gradients": usage.gradients,
        "unchanged": usage.unchanged,
        "most": most([observation.value for observation in expected]),
        "pulls": {label: usage.pull(label).initial_seed() for label in labels},
        "play": source,
        "constants": constants,
        "constructors": constructors,
        "draws": inputs,
        "tools": [_sent(tool) for tool in tools],
    }


def messages(cases: Sequence[dict[str, Any]]) -> Iterator[Sequence[dict[str, Any]]]:
    """The cases in order, grouped so that each group fits one message."""
    start, size = 0, 0
    for index, case in enumerate(cases):
        size += (more := _size([case["draws"], case["constructors"]]))
        if size > LARGEST:
            yield cases[start:index]
            start, size = index, more
    yield cases[start:]


def play_sent(sent: dict[str, Any], answer: Any, brief: bool = True) -> list[tuple[str, str, Any, str]]:
    """The observations of the answer as (kind, label, value, phase); of an exception its fields."""
    constructor, *constructors = (parts and Constructor(**parts) for parts in sent["constructors"])
    pulls: dict[str, int] = sent["pulls"]
    usage = Usage(
        sent["labels"],
        sent["again"],
        sent["gradients"],
        sent["unchanged"],
        lambda label: torch.Generator().manual_seed(pulls.get(label, 0)),  # any seed for an unexpected label
        _compiled(sent["play"], sent["constants"]) if sent["play"] else None,
        constructor,
        tuple(constructors),
    )
    candidate = Candidate(answer, tuple(_tool(*tool) for tool in sent["tools"]))
    with without(answer, sent.get("without", {})):
        observations = list(play(usage, candidate, sent["draws"], brief=brief))
    return [(each.kind, each.label, _portable(each, sent["most"]), each.phase) for each in observations]


def _portable(observation: Observation, most: int) -> Any:
    value = observation.value
    if observation.kind == "raised":
        return asdict(value) | {"kinds": list(value.kinds), "detail": value.detail + refusal(value.detail)}
    return asdict(value.finding) if observation.kind == "unfit" else mapped(partial(_without_excess, most), value)


def observations_in(reply: Any) -> list[Observation]:
    """Converts what came back into observations: values to compare, and nothing else.

    Raises:
        ValueError: it does not have the form that :func:`play_sent` returns.
    """
    if type(reply) is not list:
        raise ValueError("not a list of observations")
    return [_observation(entry) for entry in reply]


def _observation(entry: Any) -> Observation:
    match entry:
        case ("value" as kind, str(label), value, str(phase)):
            return Observation(kind, label, mapped(_unfilled, plain(value)), phase)
        case ("arguments" as kind, str(label), dict(changed), str(phase)):
            lists = list(changed.values())
            if all(type(names) is list for names in lists) and _are_texts([*changed, *chain(*lists)]):
                return Observation(kind, label, changed, phase)
        case ("gradient" as kind, str(label), None | dict() as value, str(phase)):
            slopes = value or {}  # a sparse one arrives by its type's name alone
            known = (isinstance(at, Tensor | None) or hasattr(at, "type_name") for at in slopes.values())
            if _are_texts(slopes) and all(known):
                return Observation(kind, label, value, phase)
        case ("raised" as kind, str(label), {"kind": name, "kinds": [*kinds], **rest}, str(phase)):
            if _are_texts([name, *kinds]):
                return Observation(kind, label, Raised(name, kinds=tuple(kinds), **_texts(rest, Raised)), phase)
        case ("unfit" as kind, str(label), dict(parts), str(phase)) if MISTAKE.fullmatch(str(parts.get("mistake", ""))):
            return Observation(kind, label, CheckFailed.of(Finding(**_texts(parts, Finding))), phase)
    raise ValueError("not an observation")


def _texts(given: dict[Any, Any], kind: type) -> dict[str, str]:
    """What was sent as the texts of an exception or a finding."""
    if not given.keys() <= {part.name for part in fields(kind)} or not _are_texts(given.values()):
        raise ValueError("not an observation")
    return {name: text[:LONGEST] for name, text in given.items()}


def _are_texts(values: Iterable[Any]) -> bool:
    return all(type(value) is str for value in values)


def _unfilled(atom: Any) -> Any:
    """A result that was too large to be sent, as zeros of its shape that take no memory."""
    if isinstance(atom, Tensor) and atom.device.type == "meta" and atom.numel() > most([]):
        return torch.zeros((), dtype=atom.dtype).expand(atom.shape)
    return atom


def _without_excess(most: int, atom: Any) -> Any:
    """Of a tensor with more numbers than ``most`` the shape alone: its numbers would use up a budget."""
    return atom.to("meta") if isinstance(atom, Tensor) and atom.numel() > most else atom


def _parts(constructor: Constructor | None) -> dict[str, Any] | None:
    if constructor is None:
        return None
    weights = None if constructor.weights is None else dict(constructor.weights)
    return {part.name: getattr(constructor, part.name) for part in fields(constructor)} | {"weights": weights}


def _size(value: Any) -> int:
    """The count of numbers in it, plus 5000 for each tensor."""
    return sum(5000 + atom.numel() if isinstance(atom, Tensor) else 1 for atom in atoms(value))


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
        if not is_data(value, Tensor):
            raise ValueError(
                f"{play.__qualname__} runs where the answer is, and {name!r} is no data and not in {', '.join(KNOWN)}: "
                "what knows a reference belongs into the task's `reading`."
            )
        constants[name] = value
    return ast.unparse(tree), constants


def _tool(text: str, more: str | dict[str, Any]) -> Any:
    """A tool from its source and the constants in it, or from its module, as that is in its file, and its name."""
    if not isinstance(more, str):
        return _compiled(text, more)
    spec = importlib.util.find_spec(text)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)  # an answer may have replaced what is in the imported one
    spec.loader.exec_module(module)
    return getattr(module, more)


_code = lru_cache(maxsize=64)(partial(compile, filename="<use>", mode="exec"))  # shared by all cases of a task


def _compiled(source: str, constants: dict[str, Any]) -> Play:
    space = KNOWN | constants
    exec(_code(source), space)
    return next(value for name, value in space.items() if name not in KNOWN | constants and name != "__builtins__")

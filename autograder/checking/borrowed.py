"""What a notebook's answer uses that is not there when it is graded: the solution itself, or a further package."""

import dis
import inspect
import sys
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

from autograder.checking.surroundings import codes_of, names_of

# What learners may import: the course, and the packages it requires that an answer may want. See ``distributions.py``.
THERE = {"seq2seq", "autograder", "torch", "functorch", "numpy", "sympy", "mpmath", "networkx", "typing_extensions"}
THERE |= {"IPython", "matplotlib", "mpl_toolkits", "PIL", "ipywidgets", "anywidget", "tqdm", "sacrebleu", "regex"}


def reference_used(answer: Callable[..., Any], reference: Callable[..., Any]) -> str:
    """The name by which a notebook's answer uses the reference, or imports the module that has it; else ""."""
    uses = sorted(used(answer), key=lambda use: use[0])
    return next((name for name, value in uses if name == reference.__module__ or value is reference), "")


def package_used(answer: Callable[..., Any]) -> str:
    """The package, or the learner's own file, that a notebook's answer imports although its box lacks it; else ""."""
    roots = {_module(value).partition(".")[0] for name, value in used(answer)}
    return min(roots - THERE - sys.stdlib_module_names - {"", "__main__"}, default="")


def used(answer: Callable[..., Any]) -> Iterator[tuple[str, Any]]:
    """Names of a notebook that the answer uses and what they stand for, and modules that it imports itself."""
    space = names_of(answer)
    for code in codes_of(answer, space) if space.get("__name__") == "__main__" else ():
        yield from ((name, space[name]) for name in code.co_names if name in space)
        imports = (each.argval for each in dis.get_instructions(code) if each.opname == "IMPORT_NAME")
        yield from ((name, sys.modules.get(name)) for name in imports)


def _module(value: Any) -> str:
    """The module that a value is, or in which a function or class was defined; "" for any other value."""
    if isinstance(value, ModuleType):
        return value.__name__
    return str(value.__module__ or "") if inspect.isroutine(value) or inspect.isclass(value) else ""

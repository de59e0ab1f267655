"""Finds the names that a cell binds and those that it needs from other cells, from its bytecode; nothing is run."""

import builtins
import dis
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType

MAX_SOURCE = 20_000  # characters of a cell; a longer one is not compiled
KNOWN = frozenset(dir(builtins)) | {"display", "get_ipython"}
# A line that is a magic, a command or a question of IPython's.
MAGIC = re.compile(r"^(?P<indent>[ \t]*+)(?:(?:\w++[ \t]*+=[ \t]*+)?[%!?].*+|[\w.]++\?{1,2}+)$", re.MULTILINE)
WORD = re.compile(r"[^\W\d]\w*")


@dataclass(frozen=True)
class Names:
    """bound: at the top level, by definitions, imports and assignments; free: perhaps read before the cell binds it."""

    bound: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def names_of(source: str) -> Names:
    """The names of a cell; one that cannot be compiled binds nothing, and every word in it is free."""
    code = compiled(source)
    if code is None:
        return Names(free=frozenset(WORD.findall(source)))
    bound = frozenset(name for is_binding, name in _uses(code) if is_binding)
    return Names(bound, frozenset(_free(code)).union(*(WORD.findall(match[0]) for match in MAGIC.finditer(source))))


def compiled(source: str) -> CodeType | None:
    """The cell without IPython's lines as bytecode; None if it is too long or cannot be compiled."""
    if len(source) > MAX_SOURCE:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return compile(MAGIC.sub(r"\g<indent>pass", source), "cell", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None


def _free(code: CodeType) -> set[str]:
    bound: set[str] = set()
    free: set[str] = set()
    for is_binding, name in _uses(code):
        if is_binding:
            bound.add(name)
        elif name not in bound:
            free.add(name)
    inner = set().union(*(_free(constant) for constant in code.co_consts if isinstance(constant, CodeType)))
    return free | (inner - bound if code.co_name == "<module>" else inner)  # a function reads them when it is called


def _uses(code: CodeType) -> Iterator[tuple[bool, str]]:
    """Each use of a name that is no local variable, in order, and whether it binds the name."""
    for step in dis.get_instructions(code):
        if step.opname in ("LOAD_NAME", "LOAD_GLOBAL", "DELETE_NAME", "DELETE_GLOBAL"):
            yield False, step.argval
        elif step.opname in ("STORE_NAME", "STORE_GLOBAL"):
            yield True, step.argval

"""What Python's own text leaves unsaid of common mishaps, and where in the notebook an error is.

An overwritten name of Python's, a character that only looks like the one that was meant, and a cell that this Python
cannot read: for the grader's feedback and for ``learn check`` alike.
"""

import ast
import builtins
import re
import unicodedata
from collections.abc import Iterator, Mapping

from autograder.unreadable_cells import statements, why_unread

BUILT_IN = frozenset(name for name in dir(builtins) if not name.startswith("_"))
FILE = re.compile(r"<ipython-input-[^<>]{1,200}>|/tmp/ipykernel_\d+/\d+\.py|<unknown>")
CITED = re.compile(rf"\((?:{FILE.pattern}), line (\d+)\)")
LOOKALIKE = re.compile(r"invalid (?:non-printable )?character [^U\n]{0,40}U\+([0-9A-Fa-f]{4,6})")
AT_LINE = re.compile(r"at your line `(.*)`")
MEANT = {
    **dict.fromkeys("“”„‟«»″", '"'),
    **dict.fromkeys("‘’‚‛‹›′´", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
    **dict.fromkeys("×∗·", "*"),
    "÷": "/",
    "…": "...",
    "≤": "<=",
    "≥": ">=",
    "≠": "!=",
}


def cited(text: str, cell: str) -> str:
    """The text of an error with the name of its cell in place of IPython's file."""
    return FILE.sub(_cell(cell), CITED.sub(lambda match: f"({_cell(cell)}, line {match[1]})", text))


def cause(text: str, cells: Mapping[str, str], cell: str = "", line: str = "") -> str:
    """What most likely lies behind an error, in sentences; "" if it is none of these.

    text: its kind and message; cells: the sources of the code cells by their names, in order; cell: the name of the
    one that raised it; line: the learner's line that raised it, if the text does not quote it.
    """
    source = cells.get(cell, "")
    unread = _lookalike(text, source) or why_unread(text, source)
    return unread or _debugged(text, cells) or _overwritten(text, cells, line)


def _cell(name: str) -> str:
    return name if name.startswith("cell ") else f"cell `{name}`"


def _lookalike(text: str, source: str) -> str:
    """Which character is not what it looks like, after what, and what to type instead."""
    match = LOOKALIKE.search(text)
    if match is None:
        return ""
    sign = chr(int(match[1], 16))
    name = unicodedata.name(sign, f"U+{match[1].upper()}").lower()
    unseen = unicodedata.category(sign) in ("Zs", "Cf", "Zl", "Zp")
    meant = "an ordinary space" if unicodedata.category(sign) == "Zs" else f"`{MEANT.get(sign)}`"
    advice = f"type {meant} in its place" if meant != "`None`" else "delete it and type what you mean"
    before = next((row.partition(sign)[0].strip() for row in source.splitlines() if sign in row), "")
    where = f" after `{before[-20:]}`" if before else ""
    return f"The character{where} is a {name}{'' if unseen else f', {sign}'}: {advice}."


def _debugged(text: str, cells: Mapping[str, str]) -> str:
    """Where a debugger was started, of which the error names only the line below."""
    if "BdbQuit" not in text:
        return ""
    by = ""
    for name, source in cells.items():
        for number, row in enumerate(source.splitlines(), 1):
            before, call, _ = row.partition("#")[0].partition("set_trace(")
            if call:
                by = f" by `{re.split(r'[^.a-zA-Z0-9_]', before)[-1]}{call})` ({_cell(name)}, line {number})"
    return f"A debugger was started{by}, and nobody is there to type into it: take that line away."


def _overwritten(text: str, cells: Mapping[str, str], line: str) -> str:
    """Which of Python's names in the line means something else since which cell."""
    match = AT_LINE.search(text)
    line = match[1] if match else line
    if not ("TypeError" in text or "not callable" in text or "arg 2 must be a type" in text):
        return ""
    for name in re.findall(r"\b[a-z]\w*", line):
        binding = _binding(name, cells) if name in BUILT_IN else ""
        if binding:
            return (
                f"The name `{name}` is no longer Python's own: {binding} gives it another meaning. "
                "Take another name there, restart the kernel, and run all cells."
            )
    return ""


def _binding(name: str, cells: Mapping[str, str]) -> str:
    """The last place that binds a name for all cells."""
    for cell, source in reversed(list(cells.items())):
        for node in _bindings(source, name):
            line = source.splitlines()[node.lineno - 1].strip()
            return f"{_cell(cell)}, line {node.lineno}, `{line[:60]}`,"
    return ""


def _bindings(source: str, name: str) -> Iterator[ast.stmt | ast.expr]:
    """The nodes of a cell that bind the name outside of functions and classes."""
    nodes: list[ast.AST] = [*statements(source)]
    for node in nodes:  # the list grows
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                if node.name == name:
                    yield node
            case ast.Lambda() | ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                pass
            case ast.Name(ctx=ast.Store()):
                if node.id == name:
                    yield node
            case ast.Import() | ast.ImportFrom():
                if name in {alias.asname or alias.name for alias in node.names}:
                    yield node
            case _:
                nodes += ast.iter_child_nodes(node)

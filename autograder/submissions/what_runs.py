"""What of a notebook runs for a grade.

Learners' cells call checks and install packages, which works at home but not in the sandbox: neither must stop the cell
or waste its time, as pip without a network retries for many seconds.
An unchanged demonstration whose names no running cell reads need not run at all.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from autograder.assignments.assignment import Assignment
from autograder.submissions.cells import NotebookCell
from autograder.submissions.defined_names import compiled, names_of

IMPORT = re.compile(
    r"^(?P<indent>[ \t]*+)from[ \t]++autograder(?:\.\w++)*[ \t]++import[ \t]*+"
    r"(?:\((?P<wrapped>[^()]{1,2000}+)\)|(?P<plain>[\w, \t]{1,2000}+))[ \t]*+(?:#.*+)?$",
    re.MULTILINE,
)
# Magics under which a cell is the Python that it is without them.
AROUND = re.compile(r"(?:\s*+%%(?:time|prun|capture)\b[^\n]*+)+")
CAPTURED = "__import__('IPython.utils.capture').utils.capture.CapturedIO(None, None)"  # nothing
INSTALLERS = {"pip", "pip3", "conda", "mamba", "uv", "apt", "apt-get"}
TAG = "demonstration"


def with_what_runs(entries: Sequence[NotebookCell], assignment: Assignment) -> tuple[NotebookCell, ...]:
    """The entries, with what runs instead of their sources, and with those marked as idle that need not run."""
    shown = _demonstrations(assignment)
    idle = {index for index, entry in enumerate(entries) if entry.is_added and entry.source.strip() in shown}
    code = [index for index, entry in enumerate(entries) if entry.kind == "code"]
    needed = idle
    while needed:
        read = set().union(*(names_of(entries[index].source).free for index in code if index not in idle))
        needed = {index for index in idle if names_of(entries[index].source).bound & read}
        idle -= needed
    runs = [with_stand_ins(entry.source) if entry.kind == "code" else entry.source for entry in entries]
    return tuple(
        replace(entry, idle=index in idle, stand_in="" if runs[index] == entry.source else runs[index])
        for index, entry in enumerate(entries)
    )


@lru_cache(maxsize=4)
def _demonstrations(assignment: Assignment) -> frozenset[str]:
    """Their sources."""
    sources = (cell.source for cell in assignment.notebook.cells if TAG in cell.metadata.get("tags", ()))
    return frozenset(source.strip() for source in sources if compiled(source))


def with_stand_ins(source: str) -> str:
    """The source with imported checks replaced by no-op functions, and installations by a message.

    Without ``%%time`` and its like, which would make one statement of all: what the sandbox lacks, such as an answer to
    ``input()``, costs a statement. Line numbers are unchanged.
    """
    if "autograder" in source:
        source = IMPORT.sub(_stand_in, source)
    if around := AROUND.match(source):
        source = "\n".join(map(_without_magic, around[0].split("\n"))) + source[around.end() :]
    if source.startswith("%%"):  # possibly another language
        return source
    if "!" not in source and "%" not in source:
        return source
    return "\n".join(map(_not_installed, source.split("\n")))


def _stand_in(match: re.Match[str]) -> str:
    names = [part.split()[-1] for part in (match["wrapped"] or match["plain"]).split(",") if part.split()]
    if not names or not all(name.isidentifier() for name in names):
        return match[0]
    return f"{match['indent']}{' = '.join(names)} = lambda *args, **options: None" + "\n" * match[0].count("\n")


def _without_magic(line: str) -> str:
    """Instead of ``%%capture name``, the name; of other such magics and blank lines, a comment."""
    name = line.split()[-1] if line.strip() else ""
    return f"{name} = {CAPTURED}" if name.isidentifier() and "%%capture" in line else f"# {line.strip()}"


def _not_installed(line: str) -> str:
    """The line; a command that installs packages is replaced by a message."""
    bare = line.lstrip(" \t")
    if not bare.startswith(("!", "%")):
        return line
    words = bare[1:].split()
    words = words[1:] if words[:1] == ["sudo"] else words
    if words[1:2] == ["-m"] and ("python" in words[0] or words[0] == "{sys.executable}"):
        words = words[2:]
    if not INSTALLERS & {*words[:1]} or line.endswith("\\"):
        return line
    return f'{line[: len(line) - len(bare)]}print("No packages are installed during grading.")'

"""Which definitions of the library answer graded tasks, according to the exercises' scripts."""

import ast
from functools import cache
from pathlib import Path

from autograder.authoring.script import read_script
from autograder.settings import SCRIPTS


def answers(root: Path) -> dict[str, str]:
    """Dotted name → the exercise that asks for it, or the first of several."""
    scripts = sorted((root / SCRIPTS).glob("[!_]*.py"))
    return _answers(tuple(scripts), max((path.stat().st_mtime_ns for path in scripts), default=0))


def given_away(root: Path, name: str) -> dict[str, str]:
    """The graded answers that showing ``name``, a module, class, function or method, would show."""
    return {
        answer: exercise
        for answer, exercise in answers(root).items()
        if answer == name or answer.startswith(f"{name}.") or name.startswith(f"{answer}.")
    }


@cache
def _answers(scripts: tuple[Path, ...], changed: int) -> dict[str, str]:
    """``changed``: the latest modification time, so that changed scripts are read again."""
    found: dict[str, str] = {}
    for path in scripts:
        for cell in read_script(path).cells:
            wanted = str(cell.metadata.get("answer", "")).split()
            if wanted:
                imports = [node for node in ast.parse(cell.source).body if isinstance(node, ast.ImportFrom)]
                modules = {alias.name: node.module for node in imports for alias in node.names}
                for name in wanted:
                    found.setdefault(f"{modules[name.split('.')[0]]}.{name}", path.stem)
    return found

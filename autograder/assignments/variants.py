"""Variants: which form of each task a class or a learner gets, and the record of these choices.

A key, any short text, selects a variant of every task that declares some, always the same one. Released notebooks
contain their key; the grader uses the instructor's own record, ``variants.json`` in the course's folder.
"""

import ast
import importlib
import json
import re
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.assignments.cutting import BEGIN, END, replaced
from autograder.errors import UsageError
from autograder.records.plain_data import typed

if TYPE_CHECKING:
    from autograder.checking.task import Task

FILE = "variants.json"
KEY = re.compile(r"[\w.@ -]{1,64}")
TASKS = "autograder.tasks."


@dataclass(frozen=True)
class VariantKeys:
    """The instructor's record: the key of the class, and those of learners who have their own."""

    key: str = ""
    students: dict[str, str] = field(default_factory=dict)

    def of(self, student: str) -> str:
        return self.students.get(student, self.key)

    def write(self, root: Path) -> None:
        text = json.dumps({"key": self.key, "students": self.students}, indent=1, sort_keys=True, ensure_ascii=False)
        new = (root / FILE).with_suffix(".new")
        new.write_text(text + "\n", encoding="utf-8")
        new.replace(root / FILE)


def record(root: Path) -> VariantKeys:
    """The record in the course's folder; without a file, no variants.

    Raises:
        UsageError: the file is damaged; grading without it would use the wrong tasks.
    """
    path = root / FILE
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        keys = typed(VariantKeys, {name: data[name] for name in ("key", "students")})
    except FileNotFoundError:
        return VariantKeys()
    except (ValueError, LookupError, TypeError):
        raise UsageError(f"{path} is damaged; expected {{'key': text, 'students': {{name: key}}}}.") from None
    for key in (keys.key, *keys.students.values()):
        checked(key)
    return keys


def refuse_another(key: str, keys: VariantKeys, root: Path, student: str | None, is_graded: bool) -> None:
    """Raises UsageError if the class, or the student, has another key already, by which work is or will be graded."""
    before = keys.students.get(student, key) if student else keys.key
    if before == key or not (before or is_graded):
        return
    path, old, new = root / FILE, *(f"the key {each!r}" if each else "no key" for each in (before, key))
    place = f'put "{key}" in place of "{before}" in {path}'
    if not path.exists():
        place = f"write {json.dumps({'key': key, 'students': {}})} into {path}"
    raise UsageError(
        f"{student or 'the class'} has {old}: with {new}, `grade` would judge all earlier work again, as answers to "
        "tasks that nobody was given. "
        f"{'' if student else 'A key for one learner alone: --for. '}If you mean it, {place} and run this again."
    )


def checked(key: object) -> str:
    if key != "" and not (isinstance(key, str) and KEY.fullmatch(key)):
        raise UsageError(f"the key {str(key)[:80]!r} is invalid; expected 1 to 64 letters, digits, spaces and . _ @ -.")
    return str(key)


def task_of(check_source: str) -> "Task | None":
    """The task that a check cell names; None if its check is of another kind."""
    tree = ast.parse(check_source)
    modules = [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    module = next((name for name in modules if name.startswith(TASKS)), "")
    call = _call(tree)
    if not module or call is None or not isinstance(call.args[0], ast.Constant):
        return None
    return importlib.import_module(module).check.tasks.get(call.args[0].value)


def with_key(check_source: str, key: str) -> str:
    """The check cell, changed to pass the key to the check."""
    call = _call(ast.parse(check_source))
    if call is None:
        return check_source
    arguments = str(ast.get_source_segment(check_source, call)).removesuffix(")").rstrip().removesuffix(",")
    return replaced(check_source, call, f"{arguments}, key={key!r})")


def answered(cell_source: str, task: "Task") -> str:
    """The answer cell with the bodies of the task's variant."""
    nodes = [node for top in task.definition.tree.body for node in [top, *getattr(top, "body", [])]]
    functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
    out, name, inside = [], "", False
    for line in cell_source.split("\n"):
        started = re.match(r"\s*def (\w+)\(", line)
        name = started[1] if started and not inside else name
        inside = inside and line.strip() != END
        if not inside:
            out.append(line)
        if line.strip() == BEGIN:
            inside = True
            body = "\n".join(map(ast.unparse, functions[name].body))
            out.append(textwrap.indent(body, line.removesuffix(BEGIN)))
    return "\n".join(out)


def _call(tree: ast.Module) -> ast.Call | None:
    """The last call of ``check`` that is a statement of its own."""
    calls = [node.value for node in tree.body if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)]
    named = [call for call in calls if getattr(call.func, "id", "") == "check" and call.args]
    return named[-1] if named else None

"""The package that learners install: the library, the visible checks, the exercises and ``learn``, as one wheel.

It has neither solutions nor hidden cases: :func:`without_hidden_cases` blanks them in the tasks' source.
"""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from autograder.settings import RELEASE

# Of the autograder, what a check in a notebook imports; a test follows the imports.
CHECKS = ("__init__.py", "expect.py", "finding.py", "tracebacks.py", "vjp.py", "wording.py")
CHECK_PACKAGES = ("checking", "progress", "tasks")
KEPT = {"raises"}  # a visible check's diagnosis depends on it
RESULTS = "seq2seq/experiments/results"
TRAINED = {"length_curve/every_step.pt", "length_curve/bahdanau.pt"}  # the other trained models serve the chapters
NOT_SHIPPED = shutil.ignore_patterns("__pycache__", ".*", "*.pyc")
EARLIEST = "315532800"  # 1980, the earliest time that a zip can hold: the same sources give the same bytes


class WheelError(Exception):
    """pip could not build the wheel; the message is pip's."""


def wheel_name(root: Path) -> str:
    """The wheel's file name, by which the exercises' first cell asks for it."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return f"{project['name'].replace('-', '_')}-{project['version']}-py3-none-any.whl"


def build_wheel(root: Path, folder: Path) -> Path:
    """Builds the wheel into ``folder``, replacing an older one; returns its path.

    Raises:
        WheelError: pip could not build it.
    """
    with TemporaryDirectory(prefix="wheel-") as scratch:
        staged, made = Path(scratch, "staged"), Path(scratch, "made")
        _stage(root, staged)
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
        environment = os.environ | {"SOURCE_DATE_EPOCH": EARLIEST, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run(
            [*command, "--wheel-dir", str(made), str(staged)], env=environment, capture_output=True, text=True
        )
        if done.returncode:
            raise WheelError(done.stderr.strip())
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("learning_to_align-*.whl"):
            old.unlink()
        return Path(shutil.copyfile(made / wheel_name(root), folder / wheel_name(root)))


def _stage(root: Path, staged: Path) -> None:
    for name in ("seq2seq", "learn"):
        shutil.copytree(root / name, staged / name, ignore=NOT_SHIPPED)
    for path in (staged / RESULTS).rglob("*.pt"):
        if path.relative_to(staged / RESULTS).as_posix() not in TRAINED:
            path.unlink()
    for name in CHECK_PACKAGES:
        shutil.copytree(root / "autograder" / name, staged / "autograder" / name, ignore=NOT_SHIPPED)
    for name in CHECKS:
        shutil.copyfile(root / "autograder" / name, staged / "autograder" / name)
    for path in (staged / "autograder" / "tasks").glob("*.py"):
        path.write_text(without_hidden_cases(path.read_text(encoding="utf-8")), encoding="utf-8")
    (staged / "learn" / "exercises").mkdir()
    for path in sorted((root / RELEASE).glob("*/*.ipynb")):
        shutil.copyfile(path, staged / "learn" / "exercises" / path.name)
    for name in ("pyproject.toml", "LICENSE"):
        shutil.copyfile(root / name, staged / name)


def without_hidden_cases(source: str) -> str:
    """A task file's source in which hidden cases have neither words nor inputs; they stay in number and place."""
    calls = sorted(_hidden_calls(ast.parse(source)), key=lambda call: (call.lineno, call.col_offset), reverse=True)
    lines = source.encode().splitlines(keepends=True)  # columns count bytes
    for call in calls:
        assert call.end_lineno is not None
        assert call.end_col_offset is not None
        kept = ", ".join(['""', *(ast.unparse(one) for one in call.keywords if one.arg in KEPT)])
        before, after = lines[call.lineno - 1][: call.col_offset], lines[call.end_lineno - 1][call.end_col_offset :]
        lines[call.lineno - 1 : call.end_lineno] = [before + f"hidden({kept})".encode() + after]
    return b"".join(lines).decode()


def _hidden_calls(tree: ast.Module) -> Iterator[ast.Call]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "hidden":
            yield node

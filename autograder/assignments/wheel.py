"""The package that learners install, and the exercises' first cell, which installs it where it is missing.

It is one wheel of the library, the visible checks, the exercises and ``learn``.
It has neither solutions nor hidden cases: :func:`without_hidden_cases` blanks them in the tasks' source.
"""

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.assignments.cutting import replaced
from autograder.assignments.publication import publication
from autograder.settings import RELEASE

# Of the autograder, what a check in a notebook imports; a test follows the imports.
PACKAGES = (
    "seq2seq",
    "learn",
    "autograder/notebook_files",
    "autograder/checking",
    "autograder/progress",
    "autograder/tasks",
)
CHECKS = (
    "__init__.py",
    "finding.py",
    "mishaps.py",
    "tracebacks.py",
    "unreadable_cells.py",
    "vjp.py",
)
FILES = ("pyproject.toml", "LICENSE", *(f"autograder/{name}" for name in CHECKS))
ESSENTIAL = {"raises"}  # a visible check's diagnosis depends on it
NAMING = ("pyproject.toml", "learn/README.md", "learn/troubles.py")  # what says the package's name
RESULTS = "seq2seq/experiments/results"
TRAINED = {"length_curve/every_step.pt", "length_curve/bahdanau.pt"}  # the other trained models serve the chapters
NOT_SHIPPED = shutil.ignore_patterns("__pycache__", ".*", "*.pyc")
EARLIEST = "315532800"  # 1980, the earliest time that a zip can hold: the same sources give the same bytes
INSTALL = "install"  # the cell's id; to nbgrader it is an ordinary cell, which nothing that is graded needs
CELL = """\
# Run this cell first. It installs the course if it is missing, as on Colab or Kaggle; otherwise it does nothing.
from importlib.util import find_spec

if not (find_spec("seq2seq") and find_spec("autograder")):
    import subprocess
    import sys
    from importlib import invalidate_caches, metadata
    from pathlib import Path

    beside = sorted(str(path) for path in Path().glob("{files}"))
    wheel = beside[-1] if beside else "{requirement}"
    same_torch = [f"torch=={{metadata.version('torch')}}"] if find_spec("torch") else []
    command = [sys.executable, "-m", "pip", "install", "--quiet", wheel, *same_torch]
    installation = subprocess.run(command, capture_output=True, text=True)
    invalidate_caches()
    if installation.returncode:
        print(installation.stderr.strip()[-1000:])
        print("The course is not installed. What to do: {help}")
    else:
        print("Installed", wheel.rpartition("/")[2])"""
HELP = "book/troubles.html"  # "When it does not work"
ASK = "get {wheel} from your course, put it beside the notebook, and run this cell again."


class WheelError(Exception):
    """pip could not build the wheel; the message is pip's."""


def wheel_name(root: Path) -> str:
    """The wheel's file name, by which the exercises' first cell asks for it."""
    return f"{_stem(root)}-{_project(root)['version']}-py3-none-any.whl"


def build_wheel(root: Path, folder: Path) -> Path:
    """Builds the wheel into ``folder``, replacing an older one; returns its path.

    Raises:
        WheelError: pip could not build it.
    """
    with TemporaryDirectory(prefix="wheel-") as scratch:
        staged, wheels = Path(scratch, "staged"), Path(scratch, "made")
        _stage(root, staged)
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
        environment = os.environ | {"SOURCE_DATE_EPOCH": EARLIEST, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run(
            [*command, "--wheel-dir", str(wheels), str(staged)], env=environment, capture_output=True, text=True
        )
        if done.returncode:
            raise WheelError(done.stderr.strip())
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob(f"{_stem(root)}-*.whl"):
            old.unlink()
        return Path(shutil.copyfile(wheels / wheel_name(root), folder / wheel_name(root)))


def _stage(root: Path, staged: Path) -> None:
    for name in PACKAGES:
        shutil.copytree(root / name, staged / name, ignore=NOT_SHIPPED)
    for path in (staged / RESULTS).rglob("*.pt"):
        if path.relative_to(staged / RESULTS).as_posix() not in TRAINED:
            path.unlink()
    for name in FILES:
        shutil.copyfile(root / name, staged / name)
    public, course = publication(root), _project(root)["name"]
    for name in NAMING:
        text = (root / name).read_text(encoding="utf-8").replace(course, public.package)
        (staged / name).write_text(text.replace(course.replace("-", "_"), _stem(root)), encoding="utf-8")
    if public.is_public:
        with (staged / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write(f'\n[project.urls]\nDocumentation = "{public.address}/"\n')
    for path in (staged / "autograder" / "tasks").glob("*.py"):
        path.write_text(without_hidden_cases(path.read_text(encoding="utf-8")), encoding="utf-8")
    (staged / "learn" / "exercises").mkdir()
    for path in sorted((root / RELEASE).glob("*/*.ipynb")):
        shutil.copyfile(path, staged / "learn" / "exercises" / path.name)


def without_hidden_cases(source: str) -> str:
    """A task file's source in which hidden cases have neither words nor inputs; they stay in number and place."""
    calls = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    for call in sorted(calls, key=lambda call: (call.lineno, call.col_offset), reverse=True):
        if isinstance(call.func, ast.Name) and call.func.id == "hidden":
            arguments = ['""', *(ast.unparse(keyword) for keyword in call.keywords if keyword.arg in ESSENTIAL)]
            source = replaced(source, call, f"hidden({', '.join(arguments)})")
    return source


def install_cell(root: Path) -> str:
    public, wheel = publication(root), wheel_name(root)
    help = f"{public.address}/{HELP}" if public.is_public else ASK.format(wheel=wheel)
    return CELL.format(files=f"{_stem(root)}-*.whl", requirement=requirement(root), help=help)


def requirement(root: Path, extra: str = "") -> str:
    """What pip is asked for, to install the package: ``learning-to-align[lab]==0.2.0``, or with an address."""
    return publication(root).requirement(wheel_name(root), _project(root)["version"], extra)


def _stem(root: Path) -> str:
    return publication(root).package.replace("-", "_")


def _project(root: Path) -> dict[str, Any]:
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]

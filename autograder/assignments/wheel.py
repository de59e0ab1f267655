"""The package that learners install, that of graders, and the exercises' first cell, which installs the former.

The learners' is one wheel of the library, the visible checks, the exercises and ``learn``.
It has neither solutions nor hidden cases: :func:`without_hidden_cases` blanks them in the tasks' source.
The graders' is a wheel of everything that a class needs, and has the same name: a local version sets it apart.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from autograder.assignments.cutting import replaced
from autograder.assignments.publication import publication
from autograder.assignments.script import read_script, scripts
from autograder.errors import UsageError
from autograder.folders import PACKAGES, SHIPPED, course_of, file_of, is_class
from autograder.settings import RELEASE, SCRIPTS

# Of the autograder, what a check in a notebook imports; a test follows the imports.
ROOMS = ("notebook_files", "checking", "progress", "tasks")
SHOWN = ("seq2seq", "learn", *(f"autograder/{room}" for room in ROOMS))
MODULES = ("__init__", "finding", "mishaps", "tracebacks", "unreadable_cells", "vjp")
FILES = tuple(f"autograder/{name}.py" for name in MODULES)
PROJECT = ("pyproject.toml", "LICENSE")
GRADER = ("seq2seq", "learn", "autograder")
OF_THE_COURSE = ("solutions", "sample_class", "containers", "hub")  # what a class needs, besides the packages
LOCAL = "+grader"  # after the version: of two packages of one version pip takes this one
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
    """Builds the learners' wheel into ``folder``, replacing an older one; returns its path.

    Raises:
        UsageError: the class's exercises are not built.
        WheelError: pip could not build it.
    """
    return _built(lambda staged: _stage(root, staged), folder)


def build_grader(root: Path, folder: Path) -> Path:
    """The same for the graders' wheel, from the course's checkout at ``root``."""
    if not (root / "seq2seq").is_dir():
        raise UsageError(f"{root} is no checkout of the course, from which alone the graders' package is built.")
    return _built(lambda staged: _stage_grader(root, staged), folder)


def _built(stage: Callable[[Path], None], folder: Path) -> Path:
    with TemporaryDirectory(prefix="wheel-") as scratch:
        staged, wheels = Path(scratch, "staged"), Path(scratch, "made")
        stage(staged)
        command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "--quiet"]
        environment = os.environ | {"SOURCE_DATE_EPOCH": EARLIEST, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        done = subprocess.run(
            [*command, "--wheel-dir", str(wheels), str(staged)], env=environment, capture_output=True, text=True
        )
        if done.returncode:
            raise WheelError(done.stderr.strip())
        folder.mkdir(parents=True, exist_ok=True)
        (wheel,) = wheels.glob("*.whl")
        for old in folder.glob(f"{wheel.name.partition('-')[0]}-*.whl"):
            old.unlink()
        return Path(shutil.copyfile(wheel, folder / wheel.name))


def _stage(root: Path, staged: Path) -> None:
    """The learners' package; of a class, with its exercises, and those of its own tasks that their author shares."""
    _stage_packages(root, staged, SHOWN)
    for name in FILES:
        shutil.copyfile(file_of(root, name), staged / name)
    if is_class(root):
        for path in shared_tasks(root):
            shutil.copyfile(path, staged / "autograder" / "tasks" / path.name)
    for path in (staged / "autograder" / "tasks").glob("*.py"):
        path.write_text(without_hidden_cases(path.read_text(encoding="utf-8")), encoding="utf-8")
    _stage_exercises(root, staged)


def _stage_grader(root: Path, staged: Path) -> None:
    """Everything: what is no package below ``autograder/course``."""
    _stage_packages(root, staged, GRADER)
    _stage_exercises(root, staged)
    course = staged / SHIPPED.relative_to(PACKAGES)
    for name in OF_THE_COURSE:
        shutil.copytree(root / name, course / name, ignore=NOT_SHIPPED)
    for name in (*PROJECT, "_config.yml", "constraints.txt", "requirements.txt"):
        shutil.copyfile(root / name, course / name)
    project = staged / "pyproject.toml"
    text = project.read_text(encoding="utf-8")
    version = tomllib.loads(text)["project"]["version"]
    project.write_text(text.replace(f'version = "{version}"', f'version = "{version}{LOCAL}"', 1), encoding="utf-8")


def shared_tasks(root: Path) -> list[Path]:
    """The files of a class's own tasks that go into the learners' package, with the references in them."""
    class_scripts = [read_script(path) for path in scripts(root) if path.parent == root / SCRIPTS]
    checks = "\n".join(
        cell.source for script in class_scripts if script.metadata.course["shared"] for cell in script.cells
    )
    paths = {root / "tasks" / f"{name}.py" for name in re.findall(r"\bautograder\.tasks\.(\w+)", checks)}
    return sorted(path for path in paths if path.is_file())


def _stage_packages(root: Path, staged: Path, names: Iterable[str]) -> None:
    for name in names:
        shutil.copytree(file_of(root, name), staged / name, ignore=NOT_SHIPPED)
    for name in PROJECT:
        shutil.copyfile(course_of(root) / name, staged / name)
    for path in (staged / RESULTS).rglob("*.pt"):
        if path.relative_to(staged / RESULTS).as_posix() not in TRAINED:
            path.unlink()
    public, course = publication(root), _project(root)["name"]
    for name in NAMING:
        path = staged / name
        text = path.read_text(encoding="utf-8").replace(course, public.package)
        path.write_text(text.replace(course.replace("-", "_"), _stem(root)), encoding="utf-8")
    if public.is_public:
        with (staged / "pyproject.toml").open("a", encoding="utf-8") as file:
            file.write(f'\n[project.urls]\nDocumentation = "{public.address}/"\n')


def _stage_exercises(root: Path, staged: Path) -> None:
    paths = sorted((root / RELEASE).glob("*/*.ipynb"))
    if not paths:
        raise UsageError(f"there are no exercises in {root / RELEASE}; build them first: python -m autograder build")
    folder = staged / "learn" / "exercises"
    shutil.rmtree(folder, ignore_errors=True)  # those that came with the installed package
    folder.mkdir()
    for path in paths:
        shutil.copyfile(path, folder / path.name)


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
    return tomllib.loads((course_of(root) / "pyproject.toml").read_text(encoding="utf-8"))["project"]

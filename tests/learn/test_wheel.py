"""The learners' package: complete, small, without answers to look up, and enough by itself."""

import ast
import json
import re
import subprocess
import sys
import zipfile
from importlib import import_module, metadata
from pathlib import Path

import pytest
from bare import ROOT, Bare, made, requirements_of, solved
from servers import served

from autograder.assignments.wheel import build_wheel, requirement, wheel_name
from autograder.notebook_files.notebook_cells import plain_cells

NAMES = sorted(path.stem for path in (ROOT / "solutions").glob("[!_]*.py"))
TASKS = sorted(path.stem for path in (ROOT / "autograder" / "tasks").glob("[!_]*.py"))
MEGABYTES = 8
NOWHERE = "http://127.0.0.1:9/none-0.1-py3-none-any.whl"
# What only some systems have: no module of a learner's way may need it.
OF_ONE_SYSTEM = {"fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty", "msvcrt", "winreg"}
CALLS = {"fork", "forkpty", "getuid", "geteuid", "setsid", "killpg", "sched_setaffinity", "mkfifo"}
SYSTEMS = [("windows", "3.12"), ("aarch64-apple-darwin", "3.13")]
SYSTEMS += [(f"{system}-unknown-linux-gnu", "3.14") for system in ("aarch64", "x86_64")]
SYSTEMS += [(system, "3.14") for system in ("windows", "aarch64-apple-darwin")]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def empty(wheel: Path, tmp_path: Path) -> Bare:
    """An environment without the package."""
    return made(tmp_path / "env", wheel)


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    """An environment with it."""
    machine = made(tmp_path_factory.mktemp("bare") / "env", wheel)
    machine.run("-m", "pip", "install", "--quiet", "--no-deps", wheel, cwd=machine.folder, check=True)
    return machine


def test_it_is_small_and_as_old_as_a_zip_can_be_and_has_the_exercises_and_no_solutions(wheel: Path):
    assert wheel.stat().st_size < MEGABYTES * 1e6
    with zipfile.ZipFile(wheel) as file:
        assert {entry.date_time for entry in file.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        texts = {name: file.read(name).decode("utf-8", "replace") for name in file.namelist()}
    names = list(texts)
    assert sorted(Path(name).stem for name in names if name.startswith("learn/exercises/")) == NAMES
    assert {name.partition("/")[0] for name in names} == {"seq2seq", "autograder", "learn", names[-1].partition("/")[0]}
    assert not [name for name in names if re.search(r"solutions|answers|tests|__pycache__|judging|sandbox", name)]
    assert not [name for name, text in texts.items() if "**Model answer.**" in text or str(ROOT) in text]


@pytest.mark.long("packages")
def test_it_is_the_same_each_time(wheel: Path, tmp_path: Path):
    assert build_wheel(ROOT, tmp_path).read_bytes() == wheel.read_bytes()


INSTALLED = """
import importlib, json, sys
import autograder, learn, seq2seq
from seq2seq.experiments.recipe import load_trained
for name in ("every_step", "bahdanau"):
    load_trained(name)
cases = {}
for module in sys.argv[1:]:
    for name, task in importlib.import_module(f"autograder.tasks.{module}").check.tasks.items():
        cases[task.id] = [[case.hidden, case.words, sorted(case.given)] for case in task.cases]
try:
    importlib.import_module("autograder.tasks.lookup").check("weighted_sum", lambda weights, values: 0, hidden=True)
except Exception as error:
    told = str(error)
print(json.dumps([[autograder.__file__, learn.__file__, seq2seq.__file__], cases, told]))
"""


def test_installed_it_has_visible_cases_blank_hidden_ones_and_the_models_to_load(bare: Bare, tmp_path: Path):
    files, installed, message = json.loads(bare.run("-c", INSTALLED, *TASKS, cwd=tmp_path, check=True).stdout)
    assert [file for file in files if not file.startswith(str(bare.folder))] == []
    tasks = [task for name in TASKS for task in import_module(f"autograder.tasks.{name}").check.tasks.values()]
    assert len(tasks) > 90
    for task in tasks:
        blank = [[True, "", []] if case.hidden else [False, case.words, sorted(case.given)] for case in task.cases]
        assert installed.pop(task.id) == blank
    assert installed == {}
    assert "the hidden cases of 'weighted_sum' are not here: they run when your work is graded." in message


@pytest.mark.long("packages")
def test_what_it_requires_is_enough_and_its_first_cell_does_nothing(bare: Bare, tmp_path: Path):
    pip, doctor = (bare.run("-m", *line, cwd=tmp_path) for line in (("pip", "check"), ("learn", "doctor")))
    assert (pip.returncode, doctor.returncode) == (0, 0), pip.stdout + doctor.stdout + doctor.stderr
    assert "learning-to-align" in doctor.stdout
    done = bare.run("-c", first_cell(), cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.timeout(9000)
@pytest.mark.parametrize("names", [["05_scorers"], pytest.param(NAMES, marks=pytest.mark.long("packages"))])
def test_right_answers_pass_every_check_in_it(names: list[str], bare: Bare, tmp_path: Path):
    failed = {}
    for name in names:
        path = tmp_path / f"{name}.ipynb"
        path.write_text(json.dumps(solved(name)), encoding="utf-8")
        done = bare.run("-m", "learn", "check", path, cwd=tmp_path)
        if done.returncode or "All that you can check is done" not in done.stdout or "✗" in done.stdout:
            failed[name] = done.stdout + done.stderr
    assert failed == {}


def test_no_module_of_it_needs_one_operating_system_or_a_package_that_it_does_not_require(wheel: Path):
    ours = {"seq2seq", "autograder", "learn"}
    allowed = {re.split(r"[^\w-]", text)[0].lower() for text in requirements_of(wheel)}
    allowed |= {"ipython", "traitlets"}  # ipywidgets requires both
    with zipfile.ZipFile(wheel) as file:
        shipped = {name: ast.parse(file.read(name)) for name in file.namelist() if name.endswith(".py")}
    wrong = []
    for path, tree in shipped.items():
        for node in ast.walk(tree):
            imported = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            imported += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in {module.partition(".")[0] for module in imported} - ours:
                standard = name in sys.stdlib_module_names and name not in OF_ONE_SYSTEM
                if not (standard or name.lower() in allowed):
                    wrong.append(f"{path}: import {name}")
            if isinstance(node, ast.Attribute) and node.attr in CALLS and "/experiments/" not in path:
                wrong.append(f"{path}: .{node.attr}")
    assert wrong == []


@pytest.mark.long("packages")
@pytest.mark.parametrize("beside", [True, False])
def test_a_notebook_in_an_empty_folder_installs_the_course_by_itself(beside, wheel, empty, tmp_path):
    path, report, asked = tmp_path / "05_scorers.ipynb", tmp_path / "report", requirement(ROOT)
    text = json.dumps(plain_cells(json.dumps(solved("05_scorers")).encode()))
    assert asked in text
    if beside:
        (tmp_path / wheel.name).write_bytes(wheel.read_bytes())
    with served(wheel.parent) as published:  # in the place of the book
        path.write_text(text.replace(asked, NOWHERE if beside else f"{published}/{wheel.name}"))
        # From its source: nothing of the course is installed yet.
        done = empty.run(ROOT / "learn" / "cells.py", path, tmp_path, report, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    cells = [json.loads(line) for line in report.read_text(encoding="utf-8").splitlines()]
    assert [cell for cell in cells if cell.get("kind")] == []
    done = empty.run("-c", "import torch, seq2seq; print(torch.__version__)", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{metadata.version('torch')}\n")


def first_cell() -> str:
    return "".join(next(cell for cell in solved("05_scorers")["cells"] if cell["cell_type"] == "code")["source"])


def test_without_a_network_the_first_cell_says_what_to_do(empty: Bare, tmp_path: Path):
    done = empty.run("-c", first_cell().replace(requirement(ROOT), NOWHERE), cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"The course is not installed. What to do: get {wheel_name(ROOT)} from" in done.stdout


@pytest.mark.long("packages")
@pytest.mark.parametrize(("platform", "python"), SYSTEMS)
def test_there_are_wheels_of_all_that_it_requires_for_every_system(platform: str, python: str):
    uv = Path(sys.executable).with_name("uv")
    line = [uv, "pip", "compile", "--no-config", "--only-binary", ":all:", "--extra", "lab", ROOT / "pyproject.toml"]
    options = ["--python-platform", platform, "--python-version", python]
    done = subprocess.run([*map(str, line), *options], capture_output=True, text=True)
    if done.returncode and re.search(r"Failed to fetch|error sending request|dns error", done.stderr):
        pytest.skip("needs the package registry")
    assert done.returncode == 0, done.stderr
    assert re.search(r"^torch==2\.", done.stdout, re.MULTILINE)

"""A zip that Gradescope takes as an autograder: the grader, one exercise, and two scripts.

What the scripts are called, where they run and what lies there is documented at
https://gradescope-autograders.readthedocs.io/en/latest/specs/ ("File hierarchy").
"""

import json
import re
import shutil
import tomllib
import zipfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from autograder.assignments.script import scripts
from autograder.assignments.variants import FILE as VARIANTS
from autograder.assignments.wheel import NOT_SHIPPED, RESULTS
from autograder.folders import COURSE, SHIPPED, TASKS, course_of, file_of, is_class
from autograder.folders import PACKAGES as INSTALLED
from autograder.settings import SCRIPTS, SOURCE
from autograder.store.disk import replacing

PACKAGES = ("autograder", "seq2seq")
THERE = Path(__file__).with_name("gradescope_files")
RUN = [file.name for file in THERE.iterdir()]
DECISIONS = "gradescope.json"
WITHOUT = ("learning-to-align", "dask", "distributed", "psycopg")  # for many machines, a server, an editor
TIME = (1980, 1, 1, 0, 0, 0)  # the same course gives the same zip

Otherwise = Literal["refuse", "account"]
OTHERWISE: tuple[Otherwise, ...] = ("refuse", "account")


@dataclass(frozen=True)
class Decisions:
    """What the instructor has decided for all submissions to this assignment.

    without_bubblewrap: what happens in a container in which bubblewrap makes no box: no submission is run, or each
    under an account of its own (:mod:`autograder.sandbox.account`).
    """

    assignment: str
    seed: int
    without_bubblewrap: Otherwise = "refuse"

    @classmethod
    def of(cls, source: Path) -> "Decisions":
        return cls(**json.loads((source / DECISIONS).read_text(encoding="utf-8")))


def write_zip(root: Path, decisions: Decisions, path: Path) -> None:
    """Writes the zip of the exercise, its variant included."""
    with TemporaryDirectory(prefix="gradescope-") as folder, replacing(path) as fresh:
        staged = Path(folder)
        _stage(root, decisions, staged)
        with zipfile.ZipFile(fresh, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(staged.rglob("*")):
                if file.is_file():
                    entry = zipfile.ZipInfo(file.relative_to(staged).as_posix(), TIME)
                    entry.external_attr = (0o755 if entry.filename in RUN else 0o644) << 16
                    archive.writestr(entry, file.read_bytes(), zipfile.ZIP_DEFLATED)


def _stage(root: Path, decisions: Decisions, staged: Path) -> None:
    for name in PACKAGES:
        shutil.copytree(file_of(root, name), staged / name, ignore=NOT_SHIPPED)
    for folder in (RESULTS, SHIPPED.relative_to(INSTALLED)):  # no check needs the results of figures
        shutil.rmtree(staged / folder, ignore_errors=True)
    source = SOURCE / decisions.assignment
    if script := next((path for path in scripts(root) if path.stem == decisions.assignment), None):
        (staged / SCRIPTS).mkdir()
        shutil.copyfile(script, staged / SCRIPTS / script.name)
    else:
        shutil.copytree(root / source, staged / source)
    if is_class(root) and (root / "tasks").is_dir():
        shutil.copytree(root / "tasks", staged / TASKS, ignore=NOT_SHIPPED, dirs_exist_ok=True)
    for path in (course_of(root) / "_config.yml", root / VARIANTS):  # what a notebook depends on besides its script
        if path.is_file():
            shutil.copyfile(path, staged / path.name)
    for name in RUN:
        shutil.copyfile(THERE / name, staged / name)
    for name in ("constraints.txt", "pyproject.toml"):
        shutil.copyfile(COURSE / name, staged / name)
    (staged / "requirements.txt").write_text("\n".join([*requirements(), ""]), encoding="utf-8")
    (staged / DECISIONS).write_text(json.dumps(asdict(decisions), indent=1) + "\n", encoding="utf-8")


def requirements() -> Iterator[str]:
    """What grading needs on one machine; torch as the course pins it."""
    project = tomllib.loads((COURSE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["grader"]]
    pinned = (COURSE / "requirements.txt").read_text(encoding="utf-8").splitlines()
    yield from (line.split()[0] for line in pinned if line.startswith("torch=="))
    yield from (line for line in lines if re.split(r"[^\w-]", line)[0] not in (*WITHOUT, "torch"))

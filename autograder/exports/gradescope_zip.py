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

from autograder.assignments.variants import FILE as VARIANTS
from autograder.assignments.wheel import NOT_SHIPPED
from autograder.settings import SCRIPTS, SOURCE
from autograder.store.disk import replacing

PROJECT = Path(__file__).resolve().parents[2]
PACKAGES = ("autograder", "seq2seq")
FILES = ("_config.yml", VARIANTS)  # what a notebook depends on besides its script
THERE = Path(__file__).with_name("gradescope_files")
RUN = [file.name for file in THERE.iterdir()]
DECISIONS = "gradescope.json"
RESULTS = Path("seq2seq/experiments/results")  # of the book's figures: no check needs them
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
        package = next(folder / name for folder in (root, PROJECT) if (folder / name).is_dir())
        shutil.copytree(package, staged / name, ignore=NOT_SHIPPED)
    shutil.rmtree(staged / RESULTS, ignore_errors=True)
    script, source = SCRIPTS / f"{decisions.assignment}.py", SOURCE / decisions.assignment
    if (root / script).is_file():
        (staged / script).parent.mkdir()
        shutil.copyfile(root / script, staged / script)
    else:
        shutil.copytree(root / source, staged / source)
    for name in FILES:
        if (root / name).is_file():
            shutil.copyfile(root / name, staged / name)
    for name in RUN:
        shutil.copyfile(THERE / name, staged / name)
    for name in ("constraints.txt", "pyproject.toml"):
        shutil.copyfile(PROJECT / name, staged / name)
    (staged / "requirements.txt").write_text("\n".join([*requirements(), ""]), encoding="utf-8")
    (staged / DECISIONS).write_text(json.dumps(asdict(decisions), indent=1) + "\n", encoding="utf-8")


def requirements() -> Iterator[str]:
    """What grading needs on one machine; torch as the course pins it."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [*project["dependencies"], *project["optional-dependencies"]["grader"]]
    pinned = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    yield from (line.split()[0] for line in pinned if line.startswith("torch=="))
    yield from (line for line in lines if re.split(r"[^\w-]", line)[0] not in (*WITHOUT, "torch"))

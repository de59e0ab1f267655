"""What the learners' package is tried with: notebooks with answers, and an environment that has nothing else.

python -m tests.bare FOLDER     # every exercise with right answers, to be checked with `learn check` elsewhere
"""

import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from email.parser import Parser
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

from autograder.assignments.assignment import load

ROOT = Path(__file__).resolve().parents[1]
PROJECT = "learning-to-align"


def solved(name: str, *, tasks: set[str] | None = None) -> dict:
    """The release with the right answers to ``tasks``, without it to all, and a few words for each question."""
    release = json.loads((ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8"))
    answers = load(ROOT, name).cells
    for cell in release["cells"]:
        settings = cell["metadata"].get("nbgrader", {})
        if settings.get("solution") and (tasks is None or settings["grade_id"] in tasks):
            cell["source"] = "In words." if cell["cell_type"] == "markdown" else answers[settings["grade_id"]].source
    return release


@dataclass(frozen=True)
class Bare:
    """An environment with the packages that ours requires, and no others; the project's folder is not on its path."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "bin" / "python"

    def run(self, *arguments: object, cwd: Path, **options: object) -> subprocess.CompletedProcess[str]:
        hidden = ("PYTHONPATH", "JUPYTER_PATH", "PIP_CONSTRAINT", "MPLBACKEND")
        environment = {key: value for key, value in os.environ.items() if key not in hidden}
        environment |= {"PIP_NO_INDEX": "1", "PIP_RETRIES": "0"}
        line = [str(self.python), *map(str, arguments)]
        return subprocess.run(line, cwd=cwd, env=environment, capture_output=True, text=True, **options)


def required(names: Iterable[str], extra: str = "") -> dict[str, Distribution]:
    """The distributions that these requirements bring along, by name; the course itself is none of them."""
    distributions: dict[str, Distribution] = {}
    ahead, asked = [(Requirement(name), extra) for name in names], set()
    while ahead:
        requirement, of = ahead.pop()
        is_meant = not requirement.marker or requirement.marker.evaluate({"extra": of})
        whole = requirement.name, frozenset(requirement.extras)
        if is_meant and requirement.name != PROJECT and whole not in asked:
            asked.add(whole)
            package = distribution(requirement.name)
            distributions[package.name] = package
            extras = {"", *requirement.extras}
            ahead += [(Requirement(text), part) for text in package.requires or [] for part in extras]
    return distributions


def linked(folder: Path, distributions: dict[str, Distribution]) -> None:
    """Puts these distributions into the environment: modules by links, data as copies, for servers follow no link."""
    (site,) = folder.glob("lib/python*/site-packages")
    for package in distributions.values():
        for file in package.files or []:
            parts = file.parts
            if parts[0] != "..":
                target, link = Path(str(package.locate_file(parts[0]))), site / parts[0]
            elif "share" in parts or "etc" in parts:
                rest = [part for part in parts if part != ".."]
                target, link = Path(sys.prefix, *rest), folder.joinpath(*rest)
            else:
                continue
            if target.exists() and not link.exists() and parts[0] != "__pycache__":
                link.parent.mkdir(parents=True, exist_ok=True)
                lay_down = shutil.copyfile if parts[0] == ".." else os.symlink
                lay_down(target, link)


def requirements_of(wheel: Path) -> list[str]:
    with zipfile.ZipFile(wheel) as file:
        (name,) = (name for name in file.namelist() if name.endswith(".dist-info/METADATA"))
        return Parser().parsestr(file.read(name).decode()).get_all("Requires-Dist") or []


def made(folder: Path, wheel: Path, *extras: str) -> Bare:
    """What a machine such as Colab has: PyTorch and the rest of what the wheel requires, but not the course."""
    venv.create(folder, symlinks=True)  # as `python -m venv` does: a sandbox shows no interpreter below /tmp
    for extra in extras or ("",):
        linked(folder, required(["pip", *requirements_of(wheel)], extra))
    return Bare(folder)


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for script in sorted((ROOT / "solutions").glob("[!_]*.py")):
        (folder / f"{script.stem}.ipynb").write_text(json.dumps(solved(script.stem)), encoding="utf-8")

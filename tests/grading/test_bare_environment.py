"""From a built package alone, where there is no checkout: a new class, its grades, and the same after an upgrade."""

import json
import re
import shutil
from pathlib import Path

import pytest
from bare import ROOT, Bare, made

from autograder.assignments.wheel import build_grader
from tests.autograder.test_sample_class import ALL_RIGHT, DESERVED

LINKED = ("seq2seq", "learn", "exercises", "solutions", "sample_class", "containers", "hub", "LICENSE", "_config.yml")
LINKED += ("constraints.txt", "requirements.txt")
WORDS = "divided by the root of the number of keys"
TASKS = Path("autograder", "tasks", "scorers.py")


def installed(machine: Bare, wheels: Path) -> None:
    line = ("install", "--quiet", "--upgrade", "--find-links", wheels, "learning-to-align[grader]")
    machine.run("-m", "pip", *line, cwd=machine.folder, check=True)


def newer(folder: Path) -> Path:
    """The course with the next version, and other words in one check."""
    folder.mkdir()
    for name in LINKED:
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "autograder", folder / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(re.sub(r'(?m)^version = ".*"$', 'version = "99.0"', text), encoding="utf-8")
    tasks = (folder / TASKS).read_text(encoding="utf-8")
    assert tasks.count(WORDS) == 1
    (folder / TASKS).write_text(tasks.replace(WORDS, f"{WORDS}, it seems"), encoding="utf-8")
    return folder


@pytest.mark.sandbox
@pytest.mark.timeout(7200)
@pytest.mark.long("a bare environment")
def test_a_class_is_made_graded_and_outlives_an_upgrade(tmp_path):
    wheel = build_grader(ROOT, tmp_path / "wheels")
    machine = made(tmp_path / "env", wheel, "grader", "lab")
    installed(machine, wheel.parent)
    assert machine.run("-m", "autograder", "new-class", "autumn", cwd=tmp_path).returncode == 0
    root = tmp_path / "autumn"

    def command(*line: object) -> tuple[int, str, str]:
        done = machine.run("-m", "autograder", *line, cwd=root)
        return done.returncode, done.stdout, done.stderr

    def grades() -> dict[str, tuple[str, float]]:
        status, text, errors = command("grade", "submitted", "--json", "--seed", 20)
        assert status == 0, errors
        record = json.loads(text)
        judged_again.append(record["judged_again"])
        return {work["student"]: (work["status"], work["points"]) for work in record["submissions"]}

    judged_again: list[list[dict]] = []
    status, text, errors = command("build")
    assert (status, errors, text.count("wrote exercises/")) == (0, "", 16)
    for path in (ROOT / "exercises").glob("*/*.ipynb"):
        assert (root / path.relative_to(ROOT)).read_bytes() == path.read_bytes()
    shutil.copytree(ROOT / "sample_class" / "submitted", root / "submitted", dirs_exist_ok=True)
    points = grades()
    assert points == DESERVED | dict.fromkeys(ALL_RIGHT, ("ok", 20))
    assert command("check", "submitted/ada/00_attention/00_attention.ipynb")[0] == 0
    for line in (
        ["feedback"],
        ["export", "--to", "csv"],
        ["wheel"],
        ["doctor"],
        ["syllabus"],
        ["gradescope", "05_scorers"],
    ):
        status, text, errors = command(*line)
        assert status == 0, f"{line}: {text}{errors}"
        assert "graded before" not in errors
    done = machine.run("-m", "nbgrader", "autograde", "00_attention", "--student=ada", "--force", cwd=root)
    assert done.returncode == 0, done.stderr
    mine = {path: path.read_bytes() for path in root.iterdir() if path.is_file()}

    installed(machine, build_grader(newer(tmp_path / "newer"), tmp_path / "newer_wheels").parent)
    status, text, errors = command("report")
    assert status == 0
    (line,) = errors.splitlines()
    version = re.search(r'(?m)^version = "(.*)"$', (ROOT / "pyproject.toml").read_text("utf-8"))[1]
    assert f"report: 18 submissions were graded before this: learning-to-align {version} → 99.0" in line
    status, text, errors = command("regrade", "--dry-run", "--student", "goran", "--student", "ada")
    assert "2 judged again: 1 identical byte for byte, 1 with different results" in text
    assert grades() == points
    assert [judged_again[0], len(judged_again[1])] == [[], 18]
    for work in judged_again[1]:
        assert "different checks in tasks/scorers.py" in work["why"]
        assert work["same"] is (work["student"] != "goran")
    assert {path: path.read_bytes() for path in mine} == mine
    packages = [path for path in machine.folder.glob("lib/python*/site-packages/*") if not path.is_symlink()]
    assert not [path for folder in packages for path in folder.rglob(".gitignore")]

"""An exercise of one's own, as the instructors' page shows it, is in the package."""

import re
import zipfile
from pathlib import Path

import pytest

from autograder.assignments import build
from autograder.assignments.wheel import build_wheel

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
OWN = re.compile(r"`(?P<path>(?:seq2seq|autograder/tasks|solutions)/\w+\.py)`.*?```python\n(?P<code>.*?)```", re.DOTALL)
FOLDERS = ("seq2seq", "autograder", "autograder/tasks", "solutions")  # into which it goes


@pytest.mark.long("packages")
def test_an_exercise_of_ones_own_then_the_package(tmp_path):
    """In this course by links, but for the folders into which the exercise's files go."""
    root = tmp_path / "course"
    for folder in ("", *FOLDERS):
        (root / folder).mkdir()
        for path in (ROOT / folder).iterdir():
            name = path.relative_to(ROOT).as_posix()
            if name not in (*FOLDERS, "exercises", "variants.json", "grades") and not path.name.startswith("."):
                (root / name).symlink_to(path, target_is_directory=path.is_dir())
    files = {match["path"]: match["code"] for match in OWN.finditer(PAGE)}
    assert len(files) == 3
    for path, code in files.items():
        (root / path).write_text(code, encoding="utf-8")
    build.build(root)
    with zipfile.ZipFile(build_wheel(root, tmp_path / "wheel")) as wheel:
        names = wheel.namelist()
        tasks = wheel.read("autograder/tasks/centring.py").decode()
    assert "learn/exercises/17_centring.ipynb" in names
    assert not re.search(r'hidden\("\w', tasks)

"""What a class's package holds of an exercise of its own: the whole task, or nothing, as its author says."""

import re
import zipfile
from pathlib import Path

import pytest

from autograder.__main__ import main

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
FILE = re.compile(r"`(?P<path>(?:tasks|solutions)/\w+\.py)`[^\n]*\n\n```python\n(?P<code>.*?)^```$", re.M | re.S)
SHARED = "#     shared: true\n"


@pytest.mark.long("packages")
@pytest.mark.parametrize("is_shared", [True, False])
def test_an_exercise_of_a_class_then_the_package(tmp_path, monkeypatch, only_tasks_of_the_course, is_shared):
    monkeypatch.chdir(tmp_path)
    assert main(["new-class", "autumn"]) == 0
    files = {match["path"]: match["code"] for match in FILE.finditer(PAGE)}
    assert len(files) == 2
    for path, code in files.items():
        (tmp_path / "autumn" / path).write_text(code if is_shared else code.replace(SHARED, ""), encoding="utf-8")
    monkeypatch.chdir(tmp_path / "autumn")
    assert main(["build"]) == 0
    assert main(["wheel"]) == 0
    (path,) = (tmp_path / "autumn" / "build" / "wheel").glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        texts = "".join(wheel.read(name).decode() for name in names if name.endswith((".py", ".ipynb")))
    assert "learn/exercises/17_centring.ipynb" in names
    assert ("autograder/tasks/centring.py" in names) is is_shared
    assert ("scores.mean(dim=-1, keepdim=True)" in texts) is is_shared
    assert not re.search(r'hidden\("a batch of one', texts)

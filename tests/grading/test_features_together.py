"""What the instructors' page names one after the other, done one after the other."""

import re
import zipfile
from pathlib import Path

import pytest

from autograder.authoring import build
from autograder.authoring.assignment import load
from autograder.authoring.variants import Record
from autograder.authoring.wheel import build_wheel

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
OWN = re.compile(r"`(?P<path>(?:seq2seq|autograder/tasks|solutions)/\w+\.py)`.*?```python\n(?P<code>.*?)```", re.DOTALL)
SAMPLE = "00_attention"


def course(root: Path, *, own: bool = False) -> Path:
    """This course by links, with the folders in between made where the page's own exercise goes into them."""
    inner = ("seq2seq", "autograder", "autograder/tasks", "solutions") if own else ()
    for folder in ("", *inner):
        (root / folder).mkdir(exist_ok=True)
        for path in (ROOT / folder).iterdir():
            name = path.relative_to(ROOT).as_posix()
            if name not in (*inner, "exercises", "variants.json", "grades") and not path.name.startswith("."):
                (root / name).symlink_to(path, target_is_directory=path.is_dir())
    return root


@pytest.mark.parametrize("key", ["autumn-2026", "a", "b", "c", "d", "e", "f", "x7"])
def test_a_classs_key_then_the_sample_class(tmp_path, key):
    Record(key, {"ada": f"{key} 2"}).write(course(tmp_path))
    plain = load(ROOT, SAMPLE).text
    assert load(tmp_path, SAMPLE).text == plain
    assert load(tmp_path, SAMPLE, "ada").text == plain


@pytest.mark.long("packages")
def test_an_exercise_of_ones_own_then_the_package(tmp_path):
    root = course(tmp_path, own=True)
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

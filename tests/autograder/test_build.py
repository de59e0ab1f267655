import ast
import json
import re
from pathlib import Path

import nbformat
import pytest
import small_course

from autograder.authoring import build
from autograder.authoring.assignment import load, released
from autograder.authoring.notebooks import source_notebook
from autograder.settings import TEXT_STUB

ROOT = Path(__file__).resolve().parents[2]
NAMES = [path.stem for path in build.scripts(ROOT)]


@pytest.fixture(scope="module")
def stale_lines():
    return build.stale(ROOT)


def test_the_exercises_are_what_the_scripts_make_of_them_now(stale_lines):
    assert stale_lines == []


@pytest.mark.parametrize("name", NAMES)
def test_no_answer_is_in_the_exercise(name):
    release = (ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    sources = "\n".join("".join(cell["source"]) for cell in json.loads(release)["cells"] if cell["cell_type"] == "code")
    for cell in source_notebook(ROOT / "solutions" / f"{name}.py", ROOT).cells:
        for body in re.findall(r"BEGIN SOLUTION\n(.*?)\n *### END SOLUTION", cell.source, flags=re.DOTALL):
            assert body.strip() not in sources
        for hidden in re.findall(r"BEGIN HIDDEN TESTS\n(.*?)\n### END HIDDEN", cell.source, flags=re.DOTALL):
            assert hidden.strip() not in sources


@pytest.mark.parametrize("name", NAMES)
def test_no_marker_path_or_list_of_modules_is_in_the_exercise(name):
    release = (ROOT / "exercises" / name / f"{name}.ipynb").read_text(encoding="utf-8")
    for word in (
        "BEGIN SOLUTION",
        "HIDDEN TESTS",
        "**Model answer.**",
        "**Rubric.**",
        str(ROOT),
        "solutions/",
        '"given"',
        "checks_hidden",
        "tests/",
    ):
        assert word not in release


@pytest.mark.parametrize("name", NAMES)
def test_every_answer_of_the_exercise_is_a_stub(name):
    release = nbformat.read(ROOT / "exercises" / name / f"{name}.ipynb", as_version=4)
    for cell in release.cells:
        if cell.metadata.get("nbgrader", {}).get("solution"):
            if cell.cell_type == "markdown":
                assert cell.source == TEXT_STUB
                continue
            ast.parse(cell.source)
            assert 'raise NotImplementedError("not written yet")' in cell.source


@pytest.mark.parametrize("name", NAMES)
def test_our_blank_cells_are_those_that_nbgrader_releases(name):
    release = nbformat.read(ROOT / "exercises" / name / f"{name}.ipynb", as_version=4)
    assert [released(cell) for cell in load(ROOT, name).notebook.cells] == [cell.source for cell in release.cells]


def test_the_exercises_hold_nothing_but_notebooks():
    files = [path for path in (ROOT / "exercises").glob("*/*") if path.is_file()]
    assert {path.stem for path in files} == set(NAMES)
    assert {path.suffix for path in files} == {".ipynb"}


def test_a_second_build_writes_nothing(course):
    assert build.build(course) == []


def test_a_change_by_hand_is_found_and_mended(tmp_path):
    root = small_course.make(tmp_path / "course")
    build.build(root)
    path = root / "exercises" / small_course.NAME / f"{small_course.NAME}.ipynb"
    path.write_text(path.read_text("utf-8").replace("Twice", "Thrice"), encoding="utf-8")
    (path.parent / "notes.txt").write_text("mine")
    assert build.stale(root) == [
        "exercises/01_small/01_small.ipynb: not what solutions/01_small.py makes now",
        "exercises/01_small/notes.txt: made by no script in solutions/",
    ]
    assert build.build(root) == [path]

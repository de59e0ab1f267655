"""Where the book is and how the package is called: two lines of ``_config.yml``, by which goes all that names them."""

import json
import re
import tomllib
import zipfile
from pathlib import Path

import pytest
import yaml
from small_course import ROOT

from autograder.assignments import wheel
from autograder.assignments.publication import is_public, publication
from autograder.errors import UsageError

PLACEHOLDER = "https://learning-to-align.example.org/"
OWN = "https://ada.github.io/attention/"


def of(folder: Path, address: str, package: str = "learning-to-align") -> Path:
    """A course that is published there by this name."""
    folder.mkdir(exist_ok=True)
    text = (ROOT / "_config.yml").read_text("utf-8")
    text = re.sub(r"(?m)^package: \S+", f"package: {package}", text)
    (folder / "_config.yml").write_text(re.sub(r"(?m)^  baseurl: \S+", f"  baseurl: {address}", text), "utf-8")
    if not (folder / "pyproject.toml").exists():
        (folder / "pyproject.toml").symlink_to(ROOT / "pyproject.toml")
    return folder


@pytest.mark.parametrize("address", [PLACEHOLDER, "https://example.org", "http://a.b.example.org/x", "", "no address"])
def test_a_placeholder_is_nobodys(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", [OWN, "https://notexample.org/", "http://127.0.0.1:8000"])
def test_an_address_of_ones_own_is_public(address):
    assert is_public(address)


def test_the_two_lines_are_the_only_ones_that_say_it():
    """Of what is written by hand; exercises/ is made of them."""
    files = [ROOT / name for name in ("README.md", "_config.yml", "_toc.yml", "pyproject.toml", "Makefile")]
    for folder in ("autograder", "book", "learn", "seq2seq", "solutions", ".github", "containers"):
        files += [path for path in (ROOT / folder).rglob("*") if path.suffix in {".py", ".md", ".yml", ".yaml", ".js"}]
    lines = [line for path in files if "_build" not in path.parts for line in path.read_text("utf-8").splitlines()]
    assert [line for line in lines if PLACEHOLDER.strip("/") in line] == [
        f"  baseurl: {PLACEHOLDER}   # where the book is read; example.org is nobody's"
    ]
    assert len([line for line in lines if line.startswith("package: ")]) == 1
    assert publication(ROOT).package == tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["name"]


@pytest.mark.parametrize(
    ("address", "package", "asked", "what_helps"),
    [
        (PLACEHOLDER, "learning-to-align", "learning-to-align==VERSION", "get learning_to_align-VERSION-py3-none"),
        (PLACEHOLDER, "attention-course", "attention-course==VERSION", "get attention_course-VERSION-py3-none-any.whl"),
        (OWN, "attention-course", f"attention-course @ {OWN}attention_course-VERSION-py3-none-any.whl", OWN),
    ],
)
def test_the_first_cell_asks_for_the_file_beside_the_book_or_for_the_name(
    tmp_path, address, package, asked, what_helps
):
    root = of(tmp_path, address, package)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    cell = wheel.install_cell(root)
    compile(cell, "cell", "exec")
    assert f'else "{asked.replace("VERSION", version)}"' in cell
    assert f'.glob("{package.replace("-", "_")}-*.whl")' in cell
    assert what_helps.replace("VERSION", version) in cell
    assert "example.org" not in cell
    assert wheel.requirement(root, "lab").startswith(f"{package}[lab]")


def test_the_released_exercises_have_this_cell():
    cell = wheel.install_cell(ROOT)
    for path in sorted((ROOT / "exercises").glob("*/*.ipynb")):
        cells = json.loads(path.read_text("utf-8"))["cells"]
        assert ["".join(each["source"]) for each in cells if each["id"] == wheel.INSTALL] == [cell], path.name


def test_a_package_of_another_name_is_built_by_it_and_leads_to_its_book(tmp_path):
    """In this course by links, but for the file that says where it is."""
    for path in ROOT.iterdir():
        if not path.name.startswith(".") and path.name not in ("_config.yml", "build", "_build", "grades"):
            (tmp_path / path.name).symlink_to(path, target_is_directory=path.is_dir())
    file = wheel.build_wheel(of(tmp_path, OWN, "attention-course"), tmp_path / "wheels")
    assert file.name.startswith("attention_course-")
    with zipfile.ZipFile(file) as opened:
        (name,) = [name for name in opened.namelist() if name.endswith(".dist-info/METADATA")]
        metadata = opened.read(name).decode("utf-8")
        troubles = opened.read("learn/troubles.py").decode("utf-8")
    assert "\nName: attention-course\n" in metadata
    assert f"\nProject-URL: Documentation, {OWN}\n" in metadata
    assert 'pip install "attention-course[lab]"' in metadata
    assert re.search(r"learning.to.align", metadata + troubles) is None


def test_a_config_that_lacks_one_of_the_lines_is_named(tmp_path):
    for missing in ("package: course\n", "html: {baseurl: https://a.org/}\n"):
        (tmp_path / "_config.yml").write_text(missing)
        with pytest.raises(UsageError, match=r"_config\.yml: expected lines `package: NAME` and `baseurl: ADDRESS`"):
            publication(tmp_path)
    assert yaml.safe_load((ROOT / "_config.yml").read_text())["package"]

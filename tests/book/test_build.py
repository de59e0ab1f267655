"""What of the book is made again when what it is made of has changed, and only then; and its rows of papers."""

import linecache
import re
from unittest.mock import Mock

import pytest

from autograder.assignments.wheel import wheel_name
from book import build, papers
from book.fingerprint import fingerprint
from seq2seq.attention import attend, weighted_sum


def test_a_fingerprint_notices_files_that_are_new_other_or_gone_and_not_what_python_compiled(tmp_path):
    (tmp_path / "fonts").mkdir()
    (tmp_path / "course.css").write_text("body { color: black }")
    (tmp_path / "fonts" / "serif.woff2").write_bytes(b"wOF2")
    prints = [fingerprint(tmp_path, ["**/*"])]
    for name in ("course.css", "fonts/serif.woff2", "course.js"):
        (tmp_path / name).write_text("something else")
        prints.append(fingerprint(tmp_path, ["**/*"]))
    (tmp_path / "course.css").unlink()
    prints.append(fingerprint(tmp_path, ["**/*"]))
    assert len(set(prints)) == 5
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "tidy.cpython-311.pyc").write_bytes(b"compiled")
    assert fingerprint(tmp_path, ["**/*"]) == prints[-1]


@pytest.fixture
def wheels(monkeypatch, tmp_path):
    """The wheels built so far, in the place of the project's own."""
    html, notebook = tmp_path / "_build" / "html", tmp_path / build.RELEASE / "05_scorers" / "05_scorers.ipynb"
    for folder in (html, notebook.parent, tmp_path / "seq2seq"):
        folder.mkdir(parents=True)
    notebook.write_text("{}")
    (tmp_path / "seq2seq" / "scorers.py").write_text("one = 1\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "course"\nversion = "1.0"\n')
    (tmp_path / "_config.yml").write_text("package: course\nhtml: {baseurl: https://course.example.org/}\n")
    monkeypatch.setattr(build, "ROOT", tmp_path)
    monkeypatch.setattr(build, "HTML", html)
    monkeypatch.setattr(build, "PUBLISHED_OF", html.parent / ".published_of")
    wheels = []

    def build_wheel(root, folder):
        wheel = folder / wheel_name(root)
        wheel.write_text(f"wheel {len(wheels)}")
        wheels.append(wheel)
        return wheel

    monkeypatch.setattr(build, "build_wheel", build_wheel)
    build.publish_exercises()
    build.publish_exercises()
    assert len(wheels) == 1  # nothing is made twice of the same files
    assert (html / "exercises" / notebook.name).read_text() == "{}"
    return wheels


def test_what_is_published_is_made_again_if_a_file_changes_or_it_is_gone(wheels, tmp_path):
    files = ["seq2seq/scorers.py", "pyproject.toml", "_config.yml", "exercises/05_scorers/05_scorers.ipynb"]
    for count, path in enumerate(files, 2):
        (tmp_path / path).write_text((tmp_path / path).read_text() + " ")
        build.publish_exercises()
        assert len(wheels) == count, path
    place = tmp_path / "_build" / "html" / "exercises"
    assert (place / "05_scorers.ipynb").read_text() == "{} "
    for lose in (wheels[-1].unlink, lambda: place.rename(place.with_name("moved"))):
        lose()
        build.publish_exercises()
        assert wheels[-1].is_file()
        assert (place / "05_scorers.ipynb").is_file()


def test_a_wheel_that_fails_is_tried_again(wheels, monkeypatch, tmp_path):
    (tmp_path / "seq2seq" / "scorers.py").write_text("two = 2\n")
    with monkeypatch.context() as patch:
        patch.setattr(build, "build_wheel", Mock(side_effect=build.WheelError("pip says no")))
        with pytest.raises(build.WheelError):
            build.publish_exercises()
    build.publish_exercises()
    assert len(wheels) == 2


def test_a_row_of_papers_names_the_one_line_that_computes_the_equation_and_the_thread_beside_it():
    text = papers.line_of(attend, "weights = masked_softmax")
    number = int(re.fullmatch(r"`attend` \(attention.py, line (\d+)\)", text)[1])
    assert "weights = masked_softmax" in linecache.getline(attend.__code__.co_filename, number)
    for needle in ("no such line", "e"):
        with pytest.raises(ValueError, match="expected one"):
            papers.line_of(attend, needle)
    link = papers.thread("pytorch/tutorials", 2840)
    assert link == "[tutorials#2840](https://github.com/pytorch/tutorials/issues/2840)"
    row = papers.table([("(5)", "$c_i$", weighted_sum, "torch.bmm", link)]).data.splitlines()[2]
    assert row.startswith("| **(5)** $c_i$<br>`weighted_sum` (attention.py, line ")
    assert row.endswith(f"| {link} |")

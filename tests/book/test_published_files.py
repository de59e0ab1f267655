"""What the book publishes beside its pages is made again when what it is made of has changed, and only then."""

import pytest

from autograder.authoring.wheel import wheel_name
from book import build


@pytest.fixture
def made(monkeypatch, tmp_path):
    """The wheels built so far, in the place of the project's own."""
    html, notebook = tmp_path / "_build" / "html", tmp_path / build.RELEASE / "05_scorers" / "05_scorers.ipynb"
    for folder in (html, notebook.parent, tmp_path / "seq2seq"):
        folder.mkdir(parents=True)
    notebook.write_text("{}")
    (tmp_path / "seq2seq" / "scorers.py").write_text("one = 1\n")
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "course"\nversion = "1.0"\n')
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
    assert len(wheels) == 1
    assert (html / "exercises" / notebook.name).read_text() == "{}"
    return wheels


def test_nothing_is_made_twice_of_the_same_files(made):
    build.publish_exercises()
    assert len(made) == 1


@pytest.mark.parametrize("path", ["seq2seq/scorers.py", "pyproject.toml", "exercises/05_scorers/05_scorers.ipynb"])
def test_it_is_made_again_if_a_file_changes(made, path, tmp_path):
    (tmp_path / path).write_text((tmp_path / path).read_text() + " ")
    build.publish_exercises()
    assert len(made) == 2
    assert (tmp_path / "_build/html/exercises/05_scorers.ipynb").read_text().startswith("{}")


@pytest.mark.parametrize("gone", ["wheel", "exercises"])
def test_it_is_made_again_if_it_is_gone(made, gone, tmp_path):
    place = tmp_path / "_build" / "html" / "exercises"
    made[0].unlink() if gone == "wheel" else place.rename(place.with_name("moved"))
    build.publish_exercises()
    assert made[0].is_file()
    assert place.is_dir()


def test_a_wheel_that_fails_is_tried_again(made, monkeypatch, tmp_path):
    (tmp_path / "seq2seq" / "scorers.py").write_text("two = 2\n")
    works = build.build_wheel

    def fails(root, folder):
        raise build.WheelError("pip says no")

    monkeypatch.setattr(build, "build_wheel", fails)
    with pytest.raises(build.WheelError):
        build.publish_exercises()
    monkeypatch.setattr(build, "build_wheel", works)
    build.publish_exercises()
    assert len(made) == 2

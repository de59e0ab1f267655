import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "autograder"))  # for small_course

from autograder.authoring.assignment import Assignment
from autograder.submissions.collected import Handed


@pytest.fixture(scope="session")
def course(tmp_path_factory):
    """A course of one small exercise, built."""
    import small_course

    from autograder.authoring import build

    root = small_course.make(tmp_path_factory.mktemp("course"))
    build.build(root)
    return root


@pytest.fixture(scope="session")
def assignment(course) -> Assignment:
    import small_course

    from autograder.authoring.assignment import load

    return load(course, small_course.NAME)


@pytest.fixture(scope="session")
def solved(assignment) -> str:
    """The text of a notebook in which everything is right: the instructor's own."""
    return assignment.text


@pytest.fixture
def class_of(tmp_path, assignment, solved):
    """class_of(3): that many submissions, s0, s1, …; class_of(3, s1="loops"): a word written into one of them."""

    def class_of(count: int, **words: str) -> list[Handed]:
        handed = []
        for number in range(count):
            name = f"s{number}"
            path = tmp_path / "submitted" / name / assignment.name / f"{assignment.name}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(solved.replace("return x + x", f"return x + x  # {words.get(name, name)}"), "utf-8")
            handed.append(Handed(name, assignment.name, path))
        return handed

    return class_of

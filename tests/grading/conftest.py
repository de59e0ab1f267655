import pytest

from autograder.submissions.submitted_files import SubmittedFile


@pytest.fixture
def class_of(tmp_path, assignment, solved):
    """class_of(3): that many submissions, s0, s1, …; class_of(3, s1="loops"): a word written into one of them."""

    def class_of(count: int, **words: str) -> list[SubmittedFile]:
        handed = []
        for number in range(count):
            name = f"s{number}"
            path = tmp_path / "submitted" / name / assignment.name / f"{assignment.name}.ipynb"
            path.parent.mkdir(parents=True)
            path.write_text(solved.replace("return x + x", f"return x + x  # {words.get(name, name)}"), "utf-8")
            handed.append(SubmittedFile(name, assignment.name, path))
        return handed

    return class_of

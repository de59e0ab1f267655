import pytest

from autograder.submissions.submitted_files import SubmittedFile


@pytest.fixture
def class_of(hand_in, assignment, solved):
    """class_of(3): that many submissions, s0, s1, …; class_of(3, s1="loops"): a word written into one of them."""

    def class_of(count: int, **words: str) -> list[SubmittedFile]:
        handed = []
        for name in (f"s{number}" for number in range(count)):
            folder = hand_in(name, solved.replace("return x + x", f"return x + x  # {words.get(name, name)}"))
            path = folder / name / assignment.name / f"{assignment.name}.ipynb"
            handed.append(SubmittedFile(name, assignment.name, path))
        return handed

    return class_of

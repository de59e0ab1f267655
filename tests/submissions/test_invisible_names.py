"""Characters of a learner's name that nobody can see: laid out by hand or collected, the learner has one name."""

import pytest
from downloads import NOTEBOOK

from autograder.submissions.submitted_files import LeftOut, found

NAME = "05_scorers"
INVISIBLE = {"zero width space": "\u200b", "joiner": "\u200d", "non-joiner": "\u200c", "soft hyphen": "\u00ad"}


def hand_in(folder, student):
    place = folder / student / NAME
    place.mkdir(parents=True)
    (place / f"{NAME}.ipynb").write_bytes(NOTEBOOK)


@pytest.mark.parametrize("kind", INVISIBLE)
def test_the_name_is_the_same_by_hand_and_collected(tmp_path, got, kind):
    written = f"Ada{INVISIBLE[kind]}Lovelace"
    hand_in(tmp_path / "by hand", written)
    (handed,) = found(tmp_path / "by hand")
    result = got({f"{written}_5_assignsubmission_file_/{NAME}.ipynb": NOTEBOOK}, "moodle")
    assert handed.student == result.submissions[0].student == "AdaLovelace"
    assert handed.data() == NOTEBOOK


def test_two_folders_of_one_name_are_not_taken_for_one_learner(tmp_path):
    hand_in(tmp_path, "ada")
    hand_in(tmp_path, "a\u200bda")
    kept, left_out = sorted(found(tmp_path), key=lambda one: isinstance(one, LeftOut))
    assert kept.student == "ada"
    assert "without invisible characters it is another 'ada'" in str(left_out)

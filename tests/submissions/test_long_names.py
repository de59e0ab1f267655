"""Names of files are read in a time that grows with their length."""

import time

import pytest

from autograder.submissions.bundle import ORDINARY
from autograder.submissions.downloads import place
from autograder.submissions.lms_import import _appended
from autograder.submissions.students import alike, folder_name
from autograder.terminal import plain

PARTS = (
    *(
        "copy",
        "-copy",
        "_copy-",
        " copy 1",
        "-1",
        "_1",
        "(1)",
        " (",
        "-final",
        " ",
        "\t",
        "1",
        "_",
        "-",
        "a",
        "Ä",
        "\x1b",
    ),
    *("_1_2", "1_", "LATE_", "anon_", "_1_assignsubmission_file", "_1_assignsubmission_", "submission_", "aA1_", "́"),
)
LENGTH = 200_000  # where a name may have a thousand characters


@pytest.mark.parametrize("part", PARTS)
def test_a_long_name_is_read_at_once(part):
    """Patterns that backtrack take minutes or for ever."""
    long = (part * LENGTH)[:LENGTH]
    start = time.process_time()
    for ending in ("", "!", ".ipynb"):
        _appended(f"05_scorers{long}{ending}", "05_scorers")
        place((f"ada_1_2_{long}{ending}",))
        place((f"{long}{ending}",))
        place((f"Ada{long}{ending}",))
        ORDINARY.fullmatch(f"a{long}{ending}")
        folder_name(f"{long}{ending}")
        alike([f"{long}{ending}", "ada"])
        plain(f"{long}{ending}")
    assert time.process_time() - start < 10

"""SECURITY.md lists what the doctor tries: no promise more, and none less."""

import re

import pytest
from learners import ROOT

from autograder.sandbox import self_test
from autograder.sandbox.self_test import PROMISES, probe


def told():
    """The promises of the page, in its order."""
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    lines = re.search(r"^## Promises$(.*?)^## ", page, re.MULTILINE | re.DOTALL).group(1).splitlines()
    names = sorted(PROMISES, key=len, reverse=True)
    return [
        next((name for name in names if re.match(re.escape(name) + "(: |$)", line[2:])), line)
        for line in lines
        if line.startswith("- ")
    ]


def test_every_promise_of_the_doctor_is_told_and_no_other():
    assert told() == list(PROMISES)
    assert {*self_test.ASKED, *self_test.ENDED} < set(PROMISES)


def test_the_instructors_page_counts_them():
    assert f"all {len(PROMISES)} promises are kept" in (ROOT / "book" / "instructors.md").read_text("utf-8")


@pytest.mark.sandbox
def test_the_doctor_tries_every_promise():
    assert [finding.name for finding in probe(ROOT, "bubblewrap") if finding.status != "note"] == list(PROMISES)

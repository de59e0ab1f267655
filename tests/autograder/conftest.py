"""A judge for the tests of a file, which need bubblewrap for it."""

from collections.abc import Iterator

import pytest
from small_course import ROOT

from autograder.judging.judge import Judge


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "judge" in getattr(item, "fixturenames", ()):
            item.add_marker("sandbox")


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    with Judge((), ROOT) as judge:
        yield judge

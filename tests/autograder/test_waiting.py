"""How long it takes to end what a learner started is not the learner's time."""

from types import SimpleNamespace

import pytest

from autograder.judging import examination
from autograder.judging.examination import WAITED_SECONDS, Examination
from autograder.judging.job import Cell, Job
from autograder.judging.link import LinkBroken
from autograder.sandbox.limits import Limits

TOTAL = 30.0


@pytest.fixture
def verdict(monkeypatch):
    """Of so many cells, each of which ends by a time-out, after which its processes need ``waited`` seconds to go."""

    def verdict(cells, waited):
        now = [1000.0]
        monkeypatch.setattr(examination, "time", SimpleNamespace(monotonic=lambda: now[0]))

        class Link:
            def __init__(self, *arguments):
                pass

            def request(self, subject, **message):
                now[0] += waited
                raise LinkBroken("timeout", subject, waited)

        monkeypatch.setattr(examination, "Link", Link)

        class Room:
            def open(self):
                return None

        cells = tuple(Cell(f"cell{number}", "code", "pass") for number in range(cells))
        return Examination(Room(), Job(cells, 0, "", Limits(total_seconds=TOTAL))).verdict()

    return verdict


def test_the_next_cell_is_run_however_long_the_end_of_the_last_one_took(verdict):
    assert [cell.status for cell in verdict(2, TOTAL + 20).cells] == ["timeout", "timeout"]


def test_there_is_an_end_to_that(verdict):
    found = [cell.status for cell in verdict(6, WAITED_SECONDS / 2).cells]
    assert found == 3 * ["timeout"] + 3 * ["not run"]

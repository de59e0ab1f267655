"""A power cut or an error of the disk, at any step of a run: the same command goes on and ends the same.

Here at some of the steps; `python -m tests.faults.power` goes through all of them.
"""

import errno
import os

import pytest

from autograder.judging.disk import StoreError, write_durably
from autograder.judging.store import Store
from tests.faults import power
from tests.faults.crash import stored
from tests.faults.disk import MODES, Disk, each_step
from tests.faults.small_class import outcome, unfinished

STRIDE = 9


@pytest.fixture(scope="module")
def whole(course, tmp_path_factory, pair):
    """What an undisturbed run ends with."""
    output = tmp_path_factory.mktemp("whole") / "out"
    power.grade(course, pair, output)
    return outcome(output)


@pytest.mark.parametrize("mode", MODES)
def test_a_power_cut_costs_nothing_that_was_stored(course, pair, whole, tmp_path, mode):
    number = 1 + MODES.index(mode) * STRIDE // len(MODES)
    cuts = 0
    while (puts := power.cut(course, pair, tmp_path / str(number), number)) is not None:
        assert power.complain(course, pair, tmp_path / str(number) / mode, puts, whole) == []
        number += STRIDE
        cuts += 1
    assert cuts >= 3


@pytest.mark.parametrize("first", [2, 5])
def test_an_error_of_the_disk_is_one_line_and_the_next_run_ends_the_same(course, pair, whole, tmp_path, first):
    said = []
    for number in range(first, 60, STRIDE):
        output, steps = tmp_path / str(number), 0

        def step(name, number=number):
            nonlocal steps
            steps += 1
            if steps == number:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with pytest.MonkeyPatch.context() as patch:
            each_step(patch, step, ("fsync", "replace", "mkdir"))
            try:
                power.grade(course, pair, output)
            except StoreError as error:
                said.append(str(error))
        kept = len(stored(output))
        assert power.grade(course, pair, output) <= 2 - kept
        assert outcome(output) == whole
        assert unfinished(output) == []
    assert len(said) >= 3
    assert all("the disk is full: make room" in text and "the same command goes on" in text for text in said)


def test_the_disk_forgets_what_was_not_synced(tmp_path):
    """The test above must be able to fail: a file without its sync is lost, and so is one without its folder's."""
    with pytest.MonkeyPatch.context() as patch:
        disk = Disk(tmp_path / "top", patch)
        write_durably(tmp_path / "top" / "in" / "safe", "safe")
        (tmp_path / "top" / "in" / "written").write_text("gone")
        file = os.open(tmp_path / "top" / "in" / "nameless", os.O_CREAT | os.O_WRONLY)
        os.fsync(file)
        os.close(file)
        (tmp_path / "top" / "in" / "safe").write_text("overwritten")
        disk.leave(tmp_path / "lost", "lost")
        disk.leave(tmp_path / "torn", "torn")
        disk.leave(tmp_path / "kept", "kept")

    def left(mode):
        return {path.name: path.read_text() for path in (tmp_path / mode / "in").iterdir()}

    assert left("lost") == {"safe": "safe"}
    assert left("torn") == {"safe": "overw", "written": "go", "nameless": ""}
    assert left("kept") == {"safe": "overwritten", "written": "gone", "nameless": ""}


def test_a_verdict_is_durable_when_it_is_put(tmp_path):
    from tests.autograder.test_store import VERDICT

    with pytest.MonkeyPatch.context() as patch:
        disk = Disk(tmp_path / "out", patch)
        with Store(tmp_path / "out") as store:
            store.put("key", VERDICT)
        disk.leave(tmp_path / "left", "lost")
    with Store(tmp_path / "left") as store:
        assert store.get("key") == VERDICT

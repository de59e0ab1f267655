"""A power cut or an error of the disk, at any step of a run: the same command goes on and ends the same."""

import errno
import gc
import os

import pytest

from autograder.store.disk import StoreError, write_durably
from tests.faults.power import MODES, Disk, cuts, each_step
from tests.faults.small_class import differences, grade, stored

LONG = pytest.mark.long("crash and soak")
STEPS = 40  # of the run that is disturbed, at least


@pytest.mark.parametrize("stride", [13, pytest.param(1, marks=LONG)])
def test_a_power_cut_costs_nothing_that_was_stored(course, pair, whole, tmp_path, stride):
    first = {mode: 1 + index * stride // len(MODES) for index, mode in enumerate(MODES)}
    left = cuts(course, pair, tmp_path, lambda number, mode: number % stride == first[mode] % stride)
    faults = []
    for base, puts in left.items():
        if (judged := grade(course, pair, base)) > 2 - puts:
            faults.append(f"{base.name}: {judged} were judged again although {puts} of 2 verdicts were stored")
        faults += [f"{base.name}: {fault}" for fault in differences(base, whole)]
    assert faults == []
    assert len(left) >= len(MODES) * (STEPS // stride - 1)


@pytest.mark.parametrize("stride", [13, pytest.param(1, marks=LONG)])
def test_an_error_of_the_disk_is_one_line_and_the_next_run_ends_the_same(course, pair, whole, tmp_path, stride):
    messages, faults = [], []
    for number in range(2, STEPS, stride):
        output = tmp_path / str(number)

        def fail(step, number=number):
            if step == number:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        with each_step(fail):
            try:
                grade(course, pair, output)
            except StoreError as error:
                messages.append(str(error))
        gc.collect()  # the connections of a run that failed end with its process
        before = len(stored(output))
        if grade(course, pair, output) > 2 - before:
            faults.append(f"step {number}: one of {before} was judged again")
        faults += [f"step {number}: {fault}" for fault in differences(output, whole)]
    assert faults == []
    assert len(messages) >= 3
    assert all("the disk is full: make room" in text and "the same command goes on" in text for text in messages)


def test_the_disk_forgets_what_was_not_synced(tmp_path):
    """The tests above must be able to fail: a file without its sync is lost, and so is one without its folder's."""
    with Disk(tmp_path / "top") as disk:
        write_durably(tmp_path / "top" / "in" / "safe", "safe")
        (tmp_path / "top" / "in" / "written").write_text("gone")
        file = os.open(tmp_path / "top" / "in" / "nameless", os.O_CREAT | os.O_WRONLY)
        os.fsync(file)
        os.close(file)
        (tmp_path / "top" / "in" / "safe").write_text("overwritten")
        for mode in MODES:
            disk.leave(tmp_path / mode, mode)
    assert {mode: {path.name: path.read_text() for path in (tmp_path / mode / "in").iterdir()} for mode in MODES} == {
        "lost": {"safe": "safe"},
        "torn": {"safe": "overw", "written": "go", "nameless": ""},
        "kept": {"safe": "overwritten", "written": "gone", "nameless": ""},
    }

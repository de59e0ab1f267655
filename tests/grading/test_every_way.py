"""The same class, seed and checks: the same verdicts, byte for byte, however the judging is spread.

What the cells showed is kept apart from the verdicts: the exercise itself shows how long a loop took.
"""

import shutil
import subprocess
import sys
from dataclasses import replace

import pytest
from machines import ROOT, started

from autograder.__main__ import main
from autograder.assignments.assignment import load
from autograder.grading.pool import Pool
from autograder.store.verdicts import Store
from autograder.submissions.submitted_files import SubmittedFile

NAME = "00_attention"
STUDENTS = ("ada", "fatima", "lena", "quentin")  # right, wrong, cut off, repaired
SEED = 2**40 + 7
LONG = pytest.mark.long("every way to grade")

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def submitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class") / "submitted"
    for student in STUDENTS:
        shutil.copytree(ROOT / "sample_class" / "submitted" / student, folder / student)
    return folder


def grade(submitted, output, *options):
    """Key → bytes of every verdict."""
    line = ["grade", submitted, "--root", ROOT, "--output", output, "--seed", SEED, *options]
    assert main([str(word) for word in line]) == 0
    return stored(output)


def stored(output):
    with Store(output) as store:
        return {key: store.get(key).to_record() for key in store.all_keys()}


def printed(*command):
    line = [sys.executable, "-m", *map(str, command)]  # finds the environment's own: tests/conftest.py sets PATH
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def serial(submitted, tmp_path_factory):
    verdicts = grade(submitted, tmp_path_factory.mktemp("serial"), "--workers", "1")
    assert len(verdicts) == len(STUDENTS)
    return verdicts


@LONG
def test_two_judges_give_the_same(submitted, serial, tmp_path, monkeypatch):
    enter = Pool.__enter__

    def enter_with_two(judges):
        enter(judges).open_thread()  # for so few a second is not worth its start
        return judges

    monkeypatch.setattr(Pool, "__enter__", enter_with_two)
    assert grade(submitted, tmp_path / "grades", "--workers", "2") == serial


@LONG
def test_nbgrader_autograde_gives_the_same(submitted, serial, tmp_path):
    with Store(tmp_path / "grades") as store:
        store.keep_seed(SEED)
    folders = {"submitted_directory": submitted, "db_url": f"sqlite:///{tmp_path / 'grades' / 'gradebook.db'}"}
    folders["autograded_directory"] = tmp_path / "grades" / "autograded"
    places = [f"--CourseDirectory.{name}={place}" for name, place in folders.items()]
    printed("nbgrader", "autograde", NAME, *places)
    assert stored(tmp_path / "grades") == serial


@LONG
def test_two_workers_of_a_dask_scheduler_give_the_same(submitted, serial, tmp_path):
    with started(tmp_path) as machines:
        workers = [machines.work("--no-nanny") for _ in range(2)]
        machines.wait_for_workers(2)
        assert grade(submitted, tmp_path / "grades", "--scheduler", machines.address) == serial
        assert all(worker.poll() is None for worker in workers)


@LONG
def test_answers_that_use_a_gpu_get_the_same_on_a_machine_without_one(submitted, serial):
    assignment = load(ROOT, NAME)
    gpu = replace(assignment, text=assignment.text.replace('"gpu": false', '"gpu": true'))
    path = submitted / "fatima" / NAME / f"{NAME}.ipynb"
    with Pool([SubmittedFile("fatima", NAME, path)], gpu, ROOT, SEED, 1) as judges:
        ((_, verdict),) = judges
    assert verdict.to_record() in serial.values()

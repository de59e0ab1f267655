"""The same class, seed and checks: the same verdicts, byte for byte, however the judging is spread.

What the cells showed is kept apart from the verdicts: the exercise itself shows how long a loop took.

By one command: ``pytest tests/grading/test_identical.py``.
"""

import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from machines import started

from autograder.authoring.assignment import load
from autograder.grading.pool import Pool
from autograder.judging.store import Store
from autograder.submissions.submitted_files import SubmittedFile

ROOT = Path(__file__).resolve().parents[2]
NAME = "00_attention"
STUDENTS = ("ada", "fatima", "hana", "jun", "kofi", "lena", "quentin")  # right, wrong in four ways, cut off, repaired
SEED = 2**40 + 7

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def submitted(tmp_path_factory):
    folder = tmp_path_factory.mktemp("class") / "submitted"
    for student in STUDENTS:
        shutil.copytree(ROOT / "sample_class" / "submitted" / student, folder / student)
    return folder


def run(*arguments):
    scripts = Path(sys.executable).parent
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        [sys.executable, "-m", *map(str, arguments)], cwd=ROOT, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def grade(submitted, output, *options):
    run("autograder", "grade", submitted, "--output", output, "--seed", SEED, *options)
    return stored(output)


def stored(output):
    """Key → bytes of every verdict."""
    with Store(output) as store:
        return {key: store.get(key).to_record() for key in store.all_keys()}


@pytest.fixture(scope="module")
def serial(submitted, tmp_path_factory):
    found = grade(submitted, tmp_path_factory.mktemp("serial"), "--workers", "1")
    assert len(found) == len(STUDENTS)
    return found


def test_two_workers(submitted, serial, tmp_path):
    assert grade(submitted, tmp_path / "grades", "--workers", "2") == serial


def test_two_worker_processes_of_a_dask_scheduler(submitted, serial, tmp_path):
    with started(tmp_path) as machines:
        workers = [machines.work("--no-nanny") for _ in range(2)]
        machines.wait_for_workers(2)
        assert grade(submitted, tmp_path / "grades", "--scheduler", machines.address) == serial
        assert all(worker.poll() is None for worker in workers)


def test_nbgrader_autograde(submitted, serial, tmp_path):
    with Store(tmp_path / "grades") as store:
        store.keep_seed(SEED)
    places = [f"--CourseDirectory.submitted_directory={submitted}"]
    places.append(f"--CourseDirectory.db_url=sqlite:///{tmp_path / 'grades' / 'gradebook.db'}")
    places.append(f"--CourseDirectory.autograded_directory={tmp_path / 'grades' / 'autograded'}")
    run("nbgrader", "autograde", NAME, *places)
    assert stored(tmp_path / "grades") == serial


def test_answers_that_use_a_gpu_on_a_machine_without_one(submitted, serial):
    assignment = load(ROOT, NAME)
    gpu = replace(assignment, text=assignment.text.replace('"gpu": false', '"gpu": true'))
    path = submitted / "fatima" / NAME / f"{NAME}.ipynb"
    with Pool([SubmittedFile("fatima", NAME, path)], gpu, ROOT, SEED, 1) as judges:
        ((_, verdict),) = judges
    assert verdict.to_record() in serial.values()

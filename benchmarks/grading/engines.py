"""Two ways to grade the same class: stock nbgrader, and this project's grader; each as its user would call it."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from nbformat import writes

from benchmarks.grading.exercise import NAME, source_notebook

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
ENVIRONMENT = {
    **{name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ},
    "PATH": f"{BIN}:{os.environ.get('PATH', os.defpath)}",
    "OMP_NUM_THREADS": "1",  # one thread a notebook on either side
    "PYTHONPATH": str(ROOT),
}
STOCK = """
c = get_config()
c.CourseDirectory.root = "."
c.ExecutePreprocessor.timeout = 60
c.NbGrader.logfile = ""
"""
OURS = """
import sys
sys.path.insert(0, {root!r})
from pathlib import Path
from autograder.settings import settings
Path("grades").mkdir(exist_ok=True)
c = get_config()
c.merge(settings(Path.cwd(), Path.cwd() / "grades"))
"""

Watch = Callable[[subprocess.Popen], None]


def course(folder: Path, config: str) -> Path:
    """A course of the one exercise, known to its gradebook; ``folder`` is made anew."""
    shutil.rmtree(folder, ignore_errors=True)
    for place in ("source", "build/source"):  # stock nbgrader's folder and ours
        path = folder / place / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(writes(source_notebook(), version=4), encoding="utf-8")
    for package in ("autograder", "seq2seq"):
        (folder / package).symlink_to(ROOT / package, target_is_directory=True)
    (folder / "nbgrader_config.py").write_text(config.format(root=str(ROOT)), encoding="utf-8")
    (folder / "submitted").mkdir()
    return folder


def stock(folder: Path) -> list[str]:
    """``nbgrader autograde`` as installed, after the release that it asks for."""
    command = [BIN / "nbgrader", "generate_assignment", NAME, "--force"]
    subprocess.run(command, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
    return [str(BIN / "nbgrader"), "autograde", NAME, "--force"]


def plugged(folder: Path) -> list[str]:
    """``nbgrader autograde`` with our engine in it."""
    return [str(BIN / "nbgrader"), "autograde", NAME, "--force"]


def ours(folder: Path, workers: int) -> list[str]:
    """Our own command: verdicts, gradebook, graded notebooks and feedback pages."""
    command = [sys.executable, "-m", "autograder", "grade", "submitted", "--root", str(folder), "--output", "grades"]
    return [*command, "--workers", str(workers)]


def run(command: list[str], folder: Path, watch: Watch) -> None:
    """Runs it to its end, ``watch`` looking on; an exit status other than 0 is an error here."""
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log)
        watch(process)
        if process.wait():
            tail = (folder / "log.txt").read_text()[-2000:]
            raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}:\n{tail}")


def points(gradebook: Path) -> dict[str, float]:
    """Student → automatic points in the gradebook."""
    query = """SELECT submitted_assignment.student_id, SUM(grade.auto_score) FROM grade
        JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
        JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id GROUP BY 1"""
    with sqlite3.connect(gradebook) as connection:
        return dict(connection.execute(query).fetchall())

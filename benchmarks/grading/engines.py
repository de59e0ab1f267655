"""Grades a class by stock nbgrader or by this project's grader, with the commands that users run."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from autograder.assignments.assignment import load

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
ENVIRONMENT = {
    **{name: os.environ[name] for name in ("HOME", "LANG", "TMPDIR") if name in os.environ},
    "PATH": f"{BIN}:{os.environ.get('PATH', os.defpath)}",
    "OMP_NUM_THREADS": "1",  # one thread per notebook for both engines
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


def course(folder: Path, name: str, engine: str) -> Path:
    """Creates a course with one exercise; an existing ``folder`` is replaced."""
    shutil.rmtree(folder, ignore_errors=True)
    for place in ("source", "build/source"):  # stock nbgrader's folder and ours
        path = folder / place / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(load(ROOT, name).text, encoding="utf-8")
    for package in ("autograder", "seq2seq"):
        (folder / package).symlink_to(ROOT / package, target_is_directory=True)
    config = STOCK if engine == "stock" else OURS.format(root=str(ROOT))
    (folder / "nbgrader_config.py").write_text(config, encoding="utf-8")
    (folder / "submitted").mkdir()
    return folder


def command(engine: str, folder: Path, name: str, workers: int = 1) -> list[str]:
    """The command line of our grader, of stock ``nbgrader autograde``, or of the latter with our grader plugged in."""
    if engine == "ours":
        line = [sys.executable, "-m", "autograder", "grade", "submitted", "--root", str(folder), "--output", "grades"]
        return [*line, "--workers", str(workers)]
    if engine == "stock":  # requires a release first
        release = [BIN / "nbgrader", "generate_assignment", name, "--force"]
        subprocess.run(release, cwd=folder, env=ENVIRONMENT, check=True, capture_output=True)
    return [str(BIN / "nbgrader"), "autograde", name, "--force"]


def run(command: list[str], folder: Path, watch: Watch) -> None:
    """Runs the command to its end under ``watch``; raises RuntimeError if its exit status is not 0."""
    with (folder / "log.txt").open("w") as log:
        process = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log)
        watch(process)
        if process.wait():
            tail = (folder / "log.txt").read_text()[-2000:]
            raise RuntimeError(f"{' '.join(command)} ended with status {process.returncode}:\n{tail}")

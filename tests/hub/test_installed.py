"""`hub` where there is no checkout: the graders' package is installed, and the command runs in a class's folder."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.assignments import wheel
from autograder.folders import COURSE

NAME = "04_lookup"
# What `hub` does before it starts servers; JupyterHub itself and accounts are other tests' business.
PREPARED = """
from pathlib import Path
from autograder.hub import trial
from autograder.hub.users import users
trial.missing = list
trial.Trial.is_of_accounts = False
made = trial.Trial(Path("build/hub").resolve(), Path.cwd(), "hub-")
made.prepare()
for user in users(made.configure("127.0.0.1", 8000, "of-this-test")):
    assert (Path(user.environment["JUPYTER_CONFIG_PATH"]) / "nbgrader_config.py").is_file()
    assert user.folder.is_dir()
print(trial.HUB)
"""


@pytest.fixture(scope="module")
def packages(tmp_path_factory) -> Path:
    """Where pip would put what the graders' package holds."""
    folder = tmp_path_factory.mktemp("packages")
    wheel._stage_grader(COURSE, folder)
    return folder


def test_the_instructor_gets_the_exercises_of_the_class_and_what_every_hub_is_told(packages, tmp_path):
    (tmp_path / "class.toml").write_text(f'time_zone = "UTC"\n[exercises]\n{NAME} = {{}}\n')
    environment = os.environ | {"PYTHONPATH": str(packages)}
    done = subprocess.run(
        [sys.executable, "-c", PREPARED], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert (done.stdout.strip(), done.stderr) == (str(packages / "autograder" / "course" / "hub"), "")
    course = tmp_path / "build" / "hub" / "home" / "hub-instructor" / "course"
    assert [path.name for path in (course / "exercises").iterdir()] == [NAME]

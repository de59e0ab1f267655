"""Workflow files for a learner's own repository: at each push, GitHub or GitLab runs the visible checks.

Nothing private is in them: the package is the one that learners install, and a check's result is no grade.
GitHub's format: https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax;
GitLab's: https://docs.gitlab.com/ci/yaml/.
"""

from pathlib import Path
from typing import Any

import yaml

from autograder.assignments.wheel import requirement

GITHUB, GITLAB = Path(".github/workflows/check.yml"), Path(".gitlab-ci.yml")
RESULTS = "results.json"
PYTHON = "3.12"
MINUTES = 30
CPU = "https://download.pytorch.org/whl/cpu"  # without it, torch brings gigabytes for GPUs that are not there
HEAD = """\
# At each push: the visible checks of every exercise in this repository that is begun. No grade is given here.
"""


def workflows(root: Path) -> dict[Path, str]:
    """Path in the learner's repository → the file's text."""
    return {GITHUB: _text(github(root)), GITLAB: _text(gitlab(root))}


def commands(root: Path) -> list[str]:
    return [
        f"python -m pip install --quiet --extra-index-url {CPU} '{requirement(root)}'",
        f"python -m learn check --results {RESULTS}",
    ]


def github(root: Path) -> dict[str, Any]:
    install, check = commands(root)
    steps = [
        {"uses": "actions/checkout@v4"},
        {"uses": "actions/setup-python@v5", "with": {"python-version": PYTHON}},
        {"name": "Install the course", "run": install},
        {"name": "Check the exercises", "run": check},
        {
            "name": "Keep the results",
            "if": "always()",
            "uses": "actions/upload-artifact@v4",
            "with": {"name": "results", "path": RESULTS, "if-no-files-found": "ignore"},
        },
    ]
    job = {"runs-on": "ubuntu-latest", "timeout-minutes": MINUTES, "steps": steps}
    return {"name": "check", "on": ["push"], "permissions": {"contents": "read"}, "jobs": {"check": job}}


def gitlab(root: Path) -> dict[str, Any]:
    job = {
        "image": f"python:{PYTHON}-slim",
        "timeout": f"{MINUTES} minutes",
        "script": commands(root),
        "artifacts": {"when": "always", "paths": [RESULTS]},
    }
    return {"check": job}


def _text(workflow: dict[str, Any]) -> str:
    return HEAD + yaml.safe_dump(workflow, sort_keys=False, width=200)

"""A hub of one account, prepared as by `make hub` and not started, and what its users' servers would find."""

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from autograder.folders import TABLE
from autograder.hub.faults import Fault, examined
from autograder.hub.trial import Trial
from autograder.hub.users import User, users
from autograder.hub.view import View, look
from autograder.sandbox import proof
from autograder.sandbox.needs import Needs

PASSWORD = "of-this-test"


@dataclass(frozen=True)
class Hub:
    trial: Trial
    file: Path
    monkeypatch: pytest.MonkeyPatch

    @property
    def course(self) -> Path:
        return self.trial.homes / self.trial.instructor / "course"

    def tell(self, line: str) -> None:
        """Adds to the hub's configuration."""
        self.file.write_text(f"{self.file.read_text()}{line}\n")

    def look(self) -> list[tuple[User, View]]:
        """Each user with what their server would find, in this process."""
        views = []
        for user in users(self.file):
            with self.monkeypatch.context() as patch:
                for name in os.environ.keys() - {"PATH"}:
                    patch.delenv(name)
                for name, value in user.environment.items():
                    patch.setenv(name, value)
                patch.setattr(sys, "path", [*sys.path])
                patch.chdir(user.folder)
                views.append((user, look(user.teaches)))
        return views

    def faults(self) -> Sequence[tuple[str, Fault]]:
        return [(name, fault) for name, fault in examined(self.look()) if fault]


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hub:
    root = tmp_path / "class"
    root.mkdir()
    (root / TABLE).write_text('time_zone = "UTC"')  # without exercises: these are other tests' business
    monkeypatch.setattr(Trial, "is_of_accounts", False)
    monkeypatch.setattr(proof, "needs", lambda: Needs({}, (), {}))  # what a box shows is other tests' business
    monkeypatch.setattr(proof, "exposed", lambda *_: [])
    monkeypatch.setattr("autograder.hub.trial.missing", list)
    trial = Trial(tmp_path / "hub", root, "hub-")
    trial.prepare()
    return Hub(trial, trial.configure("127.0.0.1", 8000, PASSWORD), monkeypatch)

"""The package, an environment without it, and one with it."""

from pathlib import Path

import pytest
from bare import ROOT, Bare, made

from autograder.authoring.wheel import build_wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="session")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    return made(tmp_path_factory.mktemp("empty") / "env", wheel)


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    machine = made(tmp_path_factory.mktemp("bare") / "env", wheel)
    done = machine.run("-m", "pip", "install", "--quiet", wheel, cwd=machine.folder)
    assert done.returncode == 0, done.stderr
    return machine

"""The package, an environment without it, and one with it."""

from pathlib import Path

import pytest
from bare import ROOT, Bare, made

from autograder.authoring.wheel import build_wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_wheel(ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture
def empty(wheel: Path, tmp_path: Path) -> Bare:
    return made(tmp_path / "env", wheel)


@pytest.fixture(scope="session")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Bare:
    machine = made(tmp_path_factory.mktemp("bare") / "env", wheel)
    machine.run("-m", "pip", "install", "--quiet", "--no-deps", wheel, cwd=machine.folder, check=True)
    return machine

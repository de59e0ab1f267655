"""scripts/python.sh, by which `make PYTHON=…` finds an interpreter, tried with programs that only name a version."""

import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[1] / "scripts" / "python.sh"


def interpreter(path: Path, version: str) -> Path:
    """A program that answers the script's two questions as Python of this version would."""
    old = int(tuple(map(int, version.split(".")[:2])) < (3, 11))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\ncase $2 in *platform*) echo {version} ;; *) exit {old} ;; esac\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def find(tmp_path):
    environment = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path)}
    options = {"env": environment, "capture_output": True, "text": True}
    return lambda wanted: subprocess.run(["sh", SCRIPT, wanted, tmp_path / "venv"], **options)


def test_a_version_is_found_in_path_and_else_among_pyenvs(find, tmp_path):
    there = interpreter(tmp_path / ".pyenv" / "versions" / "3.97.1" / "bin" / "python", "3.97.1")
    assert find("3.97").stdout == f"{there}\n"
    shim = interpreter(tmp_path / "bin" / "python3.97", "3.97.2")
    assert find("3.97").stdout == f"{shim.name}\n"
    shim.write_text("#!/bin/sh\nexit 127\n")  # as pyenv's own, where that version is not chosen
    assert find("3.97").stdout == f"{there}\n"
    assert find(str(there)).stdout == f"{there}\n"


def test_what_cannot_be_used_is_told_in_one_line(find, tmp_path):
    interpreter(tmp_path / "bin" / "python3.9", "3.9.1")
    interpreter(tmp_path / "bin" / "python3.97", "3.97.2")
    assert find("3.96").stderr.startswith("make: 3.96 is no Python in PATH or among pyenv's;")
    assert find("3.9").stderr.startswith("make: python3.9 is Python 3.9.1, expected 3.11 or newer;")
    interpreter(tmp_path / "venv" / "bin" / "python", "3.98.0")
    refused = find("3.97")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "venv is of Python 3.98.0, python3.97 is 3.97.2: remove " in refused.stderr
    assert refused.stderr.count("\n") == 1

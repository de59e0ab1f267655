"""The first code cell of every exercise: installs the course where it is missing, as on Colab."""

from pathlib import Path

import yaml

from autograder.authoring.wheel import wheel_name

NAME = "install"  # the cell's id; to nbgrader it is an ordinary cell, which nothing that is graded needs
CELL = """\
# Run this cell first. It installs the course if it is missing, as on Colab or Kaggle; otherwise it does nothing.
from importlib.util import find_spec

if not (find_spec("seq2seq") and find_spec("autograder")):
    import subprocess
    import sys
    from importlib import invalidate_caches, metadata
    from pathlib import Path

    beside = sorted(str(path) for path in Path().glob("learning_to_align-*.whl"))
    wheel = beside[-1] if beside else "{address}"
    same_torch = [f"torch=={{metadata.version('torch')}}"] if find_spec("torch") else []
    command = [sys.executable, "-m", "pip", "install", "--quiet", wheel, *same_torch]
    installation = subprocess.run(command, capture_output=True, text=True)
    invalidate_caches()
    if installation.returncode:
        print(installation.stderr.strip()[-1000:])
        print("The course is not installed. What to do: {help}")
    else:
        print("Installed", wheel.rpartition("/")[2])"""
HELP = "book/troubles.html"  # "When it does not work"


def install_cell(root: Path) -> str:
    """The cell's source."""
    return CELL.format(address=wheel_address(root), help=f"{_book(root)}/{HELP}")


def wheel_address(root: Path) -> str:
    """Where the package is published: with the book, at the address in ``_config.yml``."""
    return f"{_book(root)}/{wheel_name(root)}"


def _book(root: Path) -> str:
    return str(yaml.safe_load((root / "_config.yml").read_text(encoding="utf-8"))["html"]["baseurl"]).rstrip("/")

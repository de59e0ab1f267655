"""``learn start``: copies an exercise into this folder and opens it."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Literal

from learn.exercises import Exercise

Editor = Literal["lab", "notebook", "code", "none"]
EDITORS: tuple[Editor, ...] = ("lab", "notebook", "code", "none")
NAMES = {"lab": "JupyterLab", "notebook": "Jupyter Notebook", "code": "Visual Studio Code"}


class NoEditor(Exception):
    """The editor that was asked for is not installed; the message says how to install it."""


def copied(exercise: Exercise, folder: Path) -> tuple[Path, bool]:
    """The learner's copy in ``folder``, and whether it is new: an older copy is never overwritten."""
    path = folder / exercise.path.name
    if path.exists():
        return path, False
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(exercise.path, path)
    return path, True


def chosen() -> Editor:
    """VS Code in its own terminal, else what is installed."""
    if os.environ.get("TERM_PROGRAM") == "vscode" and shutil.which("code"):
        return "code"
    return "lab" if _installed("jupyterlab") else "notebook" if _installed("notebook") else "none"


def opened(path: Path, editor: Editor) -> int:
    """Opens the notebook; returns the editor's exit status. JupyterLab runs until it is stopped.

    Raises:
        NoEditor: it is not installed.
    """
    if editor == "none":
        return 0
    if editor == "code":
        program = shutil.which("code")  # on Windows a .cmd, which only its full path starts
        if not program:
            raise NoEditor("the command `code` is not there: in VS Code run *Shell Command: Install 'code' command*.")
        return subprocess.run([program, str(path)]).returncode
    module = {"lab": "jupyterlab", "notebook": "notebook"}[editor]
    if not _installed(module):
        raise NoEditor(f"{NAMES[editor]} is not installed: `pip install {module}`, or open {path} in another editor.")
    return subprocess.run([sys.executable, "-m", module, str(path)]).returncode


def _installed(module: str) -> bool:
    return importlib.util.find_spec(module) is not None

"""Honest notebooks of unusual form: everything in them is right, and each must get all of its points."""

import copy
import importlib
from pathlib import Path

from unusual.notebook import HONEST, NAME, Folder, Notebook, dumped

for path in sorted((Path(__file__).parent / "unusual").glob("*.py")):
    importlib.import_module(f"unusual.{path.stem}")


def folder(name: str, solved: Notebook) -> Folder:
    """The files of one entry."""
    made = HONEST[name](copy.deepcopy(solved))
    if isinstance(made, dict) and "cells" not in made and "worksheets" not in made:
        return made
    return {f"{NAME}.ipynb": made if isinstance(made, bytes) else dumped(made)}

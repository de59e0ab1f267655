"""The answers of exercise 1: the task is the same."""

import runpy
from pathlib import Path

globals().update(runpy.run_path(str(Path(__file__).parents[1] / "01_batches" / "pad.py")))

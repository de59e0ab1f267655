"""The answers of the exercise that asks for the same task first."""

import runpy
from pathlib import Path

HERE = Path(__file__)
FIRST = sorted(path for path in HERE.parents[1].glob("*/masked_softmax.py") if path.parent != HERE.parent)[0]
globals().update(runpy.run_path(str(FIRST)))

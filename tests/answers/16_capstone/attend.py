"""The answers of the exercise that asks for the same task first."""

import runpy
from pathlib import Path

HERE = Path(__file__)
FIRST = sorted(path for path in HERE.parents[1].glob("*/attend.py") if path.parent != HERE.parent)[0]
globals().update(runpy.run_path(str(FIRST)))

SETUP = "from seq2seq.attention import weighted_sum"  # given in the answer cell

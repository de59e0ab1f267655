"""The answers of exercise 5: the task is the same."""

import runpy
from pathlib import Path

globals().update(runpy.run_path(str(Path(__file__).parents[1] / "05_scorers" / "attend.py")))

SETUP = "from seq2seq.attention import weighted_sum"  # given in the answer cell

"""``nbgrader validate``, which a learner runs before handing in, on the notebooks that are handed out."""

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NAME = "00_attention"


def validate(notebook: Path, home: Path) -> str:
    """What it prints; it ends with 0 whatever it found."""
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "validate", str(notebook)],
        cwd=notebook.parent,
        capture_output=True,
        text=True,
        timeout=200,
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(home)},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_blank_exercise_is_told_what_is_missing_in_a_line_a_check(tmp_path):
    said = validate(ROOT / "sample_class" / "released" / f"{NAME}.ipynb", tmp_path)
    assert "VALIDATION FAILED ON 10 CELL(S)!" in said
    messages = re.findall(r"^ +(✗ .*)$", said, flags=re.MULTILINE)
    assert len(messages) == 10
    assert all(message.endswith("not written yet.") for message in messages)
    assert "Traceback" not in said


def test_a_solved_exercise_passes(tmp_path):
    notebook = ROOT / "sample_class" / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    assert "Success! Your notebook passes all the tests." in validate(notebook, tmp_path)

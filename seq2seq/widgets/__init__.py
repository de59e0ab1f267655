"""Interactive figures: the same code runs in the built pages, without a kernel, and in a notebook.

A widget takes arrays, dataclasses or callables, and imports no model.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
SHARED = ("numbers", "elements", "controls", "tellings")  # scripts that widgets and live translations begin with

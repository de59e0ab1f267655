"""The commonest troubles: how each shows itself and what helps, for the commands and for the book's page."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Trouble:
    """``pattern``: a regular expression that finds the trouble in an error's text; "" if no error shows it."""

    id: str
    title: str
    pattern: str
    why: str
    cure: str


TROUBLES = (
    Trouble(
        "no-module",
        "ModuleNotFoundError: No module named 'seq2seq' (or 'autograder')",
        r"No module named '(seq2seq|autograder|learn)",
        "The notebook runs in a Python in which the course is not installed.",
        "Run the notebook's first cell: it installs the course into exactly this Python. Then run the next cell again.",
    ),
    Trouble(
        "externally-managed",
        "error: externally-managed-environment",
        r"externally-managed-environment",
        "This Python belongs to the operating system, which lets pip change nothing in it.",
        "Make an environment of your own with `python3 -m venv align`, start it with `source align/bin/activate` (on "
        "Windows `align\\Scripts\\activate`), and install there, as the book's front page says.",
    ),
    Trouble(
        "old-python",
        "requires a different Python, or a SyntaxError in the course's own files",
        r"requires a different Python|Requires-Python|requires-python",
        "The course needs Python 3.11 or newer.",
        "Install a newer one from python.org, or let uv fetch it: `uv venv --python 3.12 --seed align`.",
    ),
    Trouble(
        "no-torch",
        "No matching distribution found for torch",
        r"No matching distribution found for torch|Could not find a version that satisfies the requirement torch",
        "PyTorch has no build for this Python, often because Python is very new or has 32 bits.",
        "Use Python 3.12 with 64 bits. On an Intel Mac the newest PyTorch is 2.2, which is too old: use Colab.",
    ),
    Trouble(
        "no-network",
        "The first cell cannot download the course",
        r"ConnectionError|Temporary failure in name resolution|getaddrinfo failed|NewConnectionError|Read timed out"
        r"|No matching distribution found for learning-to-align",
        "The network is down, a proxy stands in the way, or the package is not published.",
        "Get the file `learning_to_align-….whl` by another way, from the address that the cell names or from your "
        "course; put it beside the notebook, and run the first cell again: it takes the file.",
    ),
    Trouble(
        "order",
        "NameError: name '…' is not defined",
        r"^NameError|NameError: name",
        "A cell that defines the name has not run since the kernel was started.",
        "Choose *Run → Restart Kernel and Run All Cells*: the grader, too, runs the notebook from top to bottom.",
    ),
    Trouble(
        "not-written",
        "NotImplementedError: not written yet",
        r"NotImplementedError: not written yet|^not written yet",
        "The task's cell still holds the line that raises this error, or another cell uses that task.",
        "Write your answer in place of the line. If you did, run that cell, and then the check again.",
    ),
    Trouble(
        "stale",
        "The check says the same though the answer has changed",
        "",
        "The check tests what the kernel knows, not what the page shows: the changed cell has not run.",
        "Run the answer's cell first (Shift and Enter), then the check.",
    ),
    Trouble(
        "endless",
        "A cell shows [*] and never ends",
        r"endless loop|still running",
        "A loop does not end, or a tensor is far larger than was meant. No cell needs more than a minute.",
        "Choose *Kernel → Interrupt*. Look at the condition of your `while`, and print a shape inside the loop.",
    ),
    Trouble(
        "widgets",
        "Error displaying widget: model not found, or a figure that does not react",
        r"[Mm]odel not found|Error displaying widget",
        "A widget lives in a running kernel; a notebook that is opened again has only its picture of last time. "
        "Or the front end's widgets are older than the kernel's.",
        "Run the cell again. If that does not help: `pip install --upgrade ipywidgets anywidget`, and reload the page.",
    ),
    Trouble(
        "memory",
        "The kernel died, or Python ended",
        r"Kernel died|kernel appears to have died|Python ended|MemoryError|not enough memory",
        "The computer ran out of memory, or a library crashed.",
        "Close other programs and notebooks, restart the kernel, and run the cells one by one to see which it is.",
    ),
    Trouble(
        "colab",
        "Colab forgot everything",
        "",
        "Colab deletes a machine when it has been idle; a notebook opened from a link is not saved to your Drive.",
        "*File → Save a copy in Drive* before you begin. After a pause choose *Runtime → Run all*.",
    ),
)


def recognised(text: str) -> Trouble | None:
    """The trouble that an error's text shows."""
    with_pattern = (trouble for trouble in TROUBLES if trouble.pattern)
    return next((trouble for trouble in with_pattern if re.search(trouble.pattern, text, re.MULTILINE)), None)

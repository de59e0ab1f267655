"""IPython in the learner's process, with stand-ins for what a notebook may use but the box lacks."""

import ast
import getpass
import io
import os
import signal
import traceback
from collections.abc import Callable
from subprocess import DEVNULL, PIPE, STDOUT, Popen
from typing import Any

import torch
from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.interactiveshell import InteractiveShell

MAX_OUTPUTS = 500  # of one cell: alternating streams, and displays
LEARNER_FILES = ("<ipython-input", "<string>", "/tmp/ipykernel")  # the file names that cells are compiled under
LACKING = (ImportError, OSError, EOFError)
# ValueErrors of resource.setrlimit when the requested limit is higher than ours.
TOO_HIGH = ("not allowed to raise maximum limit",), ("current limit exceeds maximum limit",)
MAGIC = ("get_ipython", "run_line_magic")


class Shell(InteractiveShell):
    """IPython without a terminal or a history file; magics work, windows do not open."""

    def enable_gui(self, gui: str | None = None) -> None:
        pass

    def ask_exit(self) -> None:
        pass  # `quit()` in a cell must not end the submission

    def showtraceback(self, *args: object, **kwargs: object) -> None:
        pass  # errors are sent as errors, not as printed text

    def system(self, cmd: str) -> None:
        """``!command``, without a terminal."""
        line = self.var_expand(cmd, depth=1)
        with Popen(line, shell=True, errors="replace", stdin=DEVNULL, stdout=PIPE, stderr=STDOUT) as process:
            assert process.stdout is not None
            while part := process.stdout.read(2**16):
                print(part, end="")
        self.user_ns["_exit_code"] = process.returncode

    showsyntaxerror = showindentationerror = showtraceback


class Shown(CapturingDisplayHook):
    """Keeps the displayed value of a cell's last expression."""

    is_active = False
    do_full_cache = False  # read by `%reset`


class Printed(io.TextIOBase):
    """Standard output or error of a cell, cut at a limit; the texts are lists of parts until the cell has ended."""

    encoding, errors = "utf-8", "strict"  # as in a notebook

    def __init__(self, name: str, outputs: list[dict[str, Any]], limit: int) -> None:
        self.stream, self.outputs, self.left = name, outputs, limit
        self.name = f"<{name}>"

    def fileno(self) -> int:
        """For programs that a cell starts: their output is discarded."""
        return 1 if self.stream == "stdout" else 2

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        text = str(text)
        if self.left > 0:
            part = text[: self.left]
            self.left -= len(text)
            if self.left <= 0:
                part += "\n[… output cut here: too long]\n"
            if self.outputs and self.outputs[-1]["name"] == self.stream:
                self.outputs[-1]["text"].append(part)
            elif len(self.outputs) < MAX_OUTPUTS:
                self.outputs.append({"output_type": "stream", "name": self.stream, "text": [part]})
        return len(text)


def terminal_size(descriptor: int = 1) -> os.terminal_size:
    return os.terminal_size((80, 24))


def compiled(model: Callable[..., Any] | None = None, **settings: object) -> Callable[..., Any]:
    """Replaces ``torch.compile``, which needs a compiler and half a minute: the function runs uncompiled."""
    return model if model is not None else compiled


set_action = signal.signal


def signalled(signalnum: int, handler: Any) -> Any:
    """Replaces ``signal.signal``: the action for SIGCHLD cannot be changed.

    Data loaders set one, but need it only for children that end prematurely.
    """
    return signal.getsignal(signalnum) if signalnum == signal.SIGCHLD else set_action(signalnum, handler)


def stand_in() -> None:
    """Replaces, in this process, the terminal size, the login name, ``torch.compile`` and ``signal.signal``."""
    os.get_terminal_size, os.getlogin, torch.compile = terminal_size, getpass.getuser, compiled
    signal.signal = signalled


def run_rest(statements: str, names: dict[str, Any], error: BaseException) -> str:
    """Runs the rest of a cell that stopped because the sandbox lacks something that the learner's machine had.

    A missing module, a mounted drive, a file, a network, an answer to ``input()``, a higher limit: none of these is
    graded, so none may cost the definitions below it in the same cell. Each statement runs on its own, in the
    namespace ``names``; ``statements`` is the cell as Python.
    Returns a note for the learner; empty if the error is the learner's own and nothing was run.
    """
    frames = ((frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__))
    in_cell = ((code, line) for code, line in frames if code.co_filename.startswith(LEARNER_FILES))
    code, line = next((frame for frame in in_cell if frame[0].co_name == "<module>"), (None, 0))
    if code is None:
        return ""
    body = ast.parse(statements).body
    failed = next((node for node in body if node.lineno <= line <= (node.end_lineno or node.lineno)), None)
    text = ast.get_source_segment(statements, failed) or "" if failed else ""
    is_lacking = isinstance(error, LACKING) or (type(error) is ValueError and error.args in TOO_HIGH)
    is_lacking = is_lacking or (text.startswith(MAGIC[0]) and MAGIC[1] in text)
    if failed is None or not is_lacking:
        return ""
    for node in body[body.index(failed) + 1 :]:
        try:
            exec(compile(ast.Module([node], []), code.co_filename, "exec"), names)
        except Exception:
            continue  # most likely it needs what the failed statement should have provided
    kind = type(error).__name__
    return f"One statement could not run in the grading environment ({kind}, see below); the rest of the cell did.\n"

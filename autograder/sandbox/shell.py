"""IPython in the learner's process, with stand-ins for what a notebook may use but the box lacks.

Magics work, windows do not open, and printed output is cut at a limit.
"""

import getpass
import io
import os
import signal
import subprocess
from collections.abc import Callable
from typing import Any

import torch
from IPython.core.displayhook import CapturingDisplayHook
from IPython.core.interactiveshell import InteractiveShell

MAX_OUTPUTS = 500  # of one cell: alternating streams, and displays


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
        with subprocess.Popen(
            line,
            shell=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as process:
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

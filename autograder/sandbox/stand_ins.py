"""Replacements for what a notebook may use but the box lacks, so that honest code goes on."""

import getpass
import os
import signal
from collections.abc import Callable
from typing import Any

import torch

SIZE = os.terminal_size((80, 24))


def terminal_size(descriptor: int = 1) -> os.terminal_size:
    return SIZE


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

"""What a notebook may ask of its machine that is not in the box, answered so that honest code goes on."""

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
    """In the place of ``torch.compile``, which needs a compiler and half a minute: the function simply runs."""
    return model if model is not None else compiled


set_action = signal.signal


def signalled(number: int, action: Any) -> Any:
    """In the place of ``signal.signal``: what is to happen at the end of a child is ours to say.

    Loaders of data ask for it, and need it for children alone that end before their time.
    """
    return signal.getsignal(number) if number == signal.SIGCHLD else set_action(number, action)


def stand_in() -> None:
    """Answers in this process for a terminal, who has logged in there, a compiler, and the ends of children."""
    os.get_terminal_size, os.getlogin, torch.compile = terminal_size, getpass.getuser, compiled
    signal.signal = signalled

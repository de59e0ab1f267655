"""One more task for the box where files are read, which does what a hostile text might make a library do."""

import os
import signal
import socket
from pathlib import Path


def prepare(text: str) -> str:
    return text.upper()


def answer(ready: str | None, request: bytes) -> object:
    word, _, rest = request.decode().partition(" ")
    return WORDS[word](ready, rest)


def spin(ready, rest):
    while True:
        pass


def fail(ready, rest):
    raise ValueError("of ours")


WORDS = {
    "say": lambda ready, rest: [ready, rest],
    "spin": spin,
    "sleep": lambda ready, rest: signal.pause(),
    "eat": lambda ready, rest: len(bytearray(2**40)),
    "crash": lambda ready, rest: os.kill(os.getpid(), signal.SIGSEGV),
    "deep": lambda ready, rest: WORDS["deep"](ready, rest),
    "talk": lambda ready, rest: "x" * 2**20,
    "fail": fail,
    "write": lambda ready, rest: Path(rest).write_text("written"),
    "send": lambda ready, rest: socket.create_connection(("127.0.0.1", int(rest)), 5),
    "interfaces": lambda ready, rest: sorted(name for _, name in socket.if_nameindex()),
    "descriptors": lambda ready, rest: len(os.listdir("/proc/self/fd")),
}

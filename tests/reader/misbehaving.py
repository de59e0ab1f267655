"""The process that reads, with one more task, which does what a hostile text might make a library do."""

import os
import signal
import socket
import sys
from pathlib import Path

from autograder.reader import fork_server

fork_server.TASKS["misbehave"] = "tests.reader.misbehaving"


def prepare(text: str) -> str:
    return text.upper()


def answer(ready: str | None, request: bytes) -> object:
    word, _, rest = request.decode().partition(" ")
    return globals()[word](ready, rest)


def say(ready, rest):
    return [ready, rest]


def spin(ready, rest):
    while True:
        pass


def sleep(ready, rest):
    signal.pause()


def eat(ready, rest):
    return len(bytearray(2**40))


def crash(ready, rest):
    os.kill(os.getpid(), signal.SIGSEGV)


def deep(ready, rest):
    return deep(ready, rest)


def talk(ready, rest):
    return "x" * 2**20


def fail(ready, rest):
    raise ValueError("of ours")


def write(ready, rest):
    Path(rest).write_text("written")


def send(ready, rest):
    socket.create_connection(("127.0.0.1", int(rest)), 5)


def interfaces(ready, rest):
    return sorted(name for _, name in socket.if_nameindex())


def descriptors(ready, rest):
    return len(os.listdir("/proc/self/fd"))


if __name__ == "__main__":
    sys.modules["tests.reader.misbehaving"] = sys.modules["__main__"]
    fork_server.main()

"""Serves in a box where files are read and pages are rendered: one request in each fork, plain data both ways.

What a learner hands in is an attack on whatever parses it, so that each file costs its own fork alone: a text that
takes too much time or memory, or crashes the interpreter, is one file that cannot be read. No learner's code runs here.
"""

import gc
import importlib
import json
import os
import resource
import socket
from functools import cache
from types import SimpleNamespace
from typing import IO, Any, NoReturn

from autograder.sandbox.confinement import leave_network, set_readable

TEXTS = 4  # how many texts shared by requests are kept ready
DEEP, FULL, LONG = 3, 4, 5  # exit statuses of a fork that exceeded a limit: nesting, memory, length of its answer
HAS_NAMESPACES = False  # forks share the box's, which none can write in: fresh ones would cost more than reading does

_ready: dict[str, Any] = {}  # key of a text shared by requests → what `prepare` made of it


def warm_up(cold: bool) -> None:
    """Leaves the network where no box has done so; each task's modules are imported when it is prepared."""
    leave_network()
    # Forks share this process's namespaces and user. A parser that was taken over must not look into it, where the next
    # learner's file, and the instructor's notebook, could be changed.
    set_readable(False)


def prepare(words: list[str], text: IO[bytes] | None = None) -> None:
    """Imports a task's module and, if requests share a text, makes that ready; ``words``: module, key of the text."""
    task = module(words[0])
    if text is not None:
        _ready[words[1]] = task.prepare(text.read().decode())
        if len(_ready) > TEXTS:
            del _ready[next(iter(_ready))]
        gc.freeze()


@cache
def module(name: str) -> Any:
    """A module with ``prepare(text)``, whose result the forks inherit, and ``answer(ready, request)``; prepared."""
    task = importlib.import_module(name)
    task.prepare("")
    gc.freeze()  # else garbage collection in a fork would copy the pages of all earlier objects
    return task


def serve(connection: socket.socket, limits: SimpleNamespace) -> NoReturn:
    """Answers the one request of this fork; its exit status says which limit it exceeded, if any."""
    code = 1
    gc.disable()
    try:
        received = connection.makefile("rb")
        head = json.loads(received.readline())
        # Stricter than the box's own, and the kernel keeps them: a parser that never returns asks nobody.
        resource.setrlimit(resource.RLIMIT_CPU, (head["cpu_seconds"], head["cpu_seconds"] + 1))
        resource.setrlimit(resource.RLIMIT_AS, (head["address_space"], head["address_space"]))
        text = answered(head, received.read())
        if len(text) > head["answer"]:
            os._exit(LONG)
        connection.sendall(text)  # and left open: its end says that this process has ended, not that it is about to
        code = 0
    except MemoryError:
        code = FULL
    except RecursionError:
        code = DEEP
    finally:
        os._exit(code)


def answered(head: dict[str, Any], request: bytes) -> bytes:
    """The answer, or the fault of ours that stands in its way."""
    try:
        answer = module(head["task"]).answer(_ready.get(head["common"]), request)
        return json.dumps({"answer": answer}, ensure_ascii=False).encode("utf-8", "replace")
    except (MemoryError, RecursionError):
        raise
    except Exception as error:
        return json.dumps({"fault": f"{type(error).__name__}: {error}"[:300]}).encode()

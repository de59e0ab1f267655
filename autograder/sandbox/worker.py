"""The process inside a warm box: it imports torch once and forks one child per submission.

Three roles, one after another in a fork's life:

* the *worker* waits for a pair of file descriptors and forks; it never reads a notebook or a check;
* the *warden* (:mod:`autograder.sandbox.warden`) gives the submission namespaces of its own and watches over it;
* the *submission* drops every privilege, runs the learner's cells and answers calls over the wire.

Only the modules named in ``autograder.sandbox.contents.ENGINE`` are here: whatever is, the learner's code can read.
"""

import contextlib
import importlib
import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import autograder
from autograder.sandbox.confinement import (
    bound_processes,
    cover,
    die_first,
    die_with_parent,
    leave_namespaces,
    mount_fresh,
    shut_in,
)
from autograder.sandbox.scales import start_weigher
from autograder.sandbox.syscalls import program
from autograder.sandbox.warden import watch

IMPORT = b"import "  # before the names of modules that many submissions will need


def join(place: str) -> socket.socket:
    """Our end of the control connection: an inherited descriptor, or a socket in a folder shared with the judge."""
    if place.isdigit():
        return socket.socket(fileno=int(place))
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(place)
    return control


def serve(connection: socket.socket, leash: socket.socket, limits: SimpleNamespace, weigher: socket.socket) -> str:
    """The warden's life: a submission in fresh namespaces, and how it ended."""
    from autograder.sandbox.absent import stand_in
    from autograder.sandbox.answers import Answers
    from autograder.sandbox.wire import Wire

    def submission(connection: socket.socket, started: int) -> None:
        die_with_parent()
        die_first()
        stand_in()
        mount_fresh(limits)
        cover(b"/proc")  # it would show the worker's processes; an empty folder shows nothing
        Answers(Wire(shut_in(connection, limits, started)), limits.output).serve()

    die_with_parent()
    leave_namespaces()
    return watch(submission, connection, leash, limits, weigher)


def report(leash: socket.socket, serve: Callable[[], str]) -> None:
    """Ends this process after ``serve``, whose last word goes to the judge."""
    try:
        leash.send(serve().encode())
    except OSError as error:
        leash.send(f"failed: {error}".encode()[:64])
    finally:
        os._exit(0)


def worker(control: socket.socket, limits: SimpleNamespace, weigher: socket.socket) -> None:
    """Forks one warden per pair of descriptors that arrives, until the other end of ``control`` is gone."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # wardens need no burial
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 64, 2)
        if not message:
            return
        if message.startswith(IMPORT):
            make_imports(message.removeprefix(IMPORT).decode().split())
            continue
        connection, leash = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()
            report(leash, partial(serve, connection, leash, limits, weigher))
        connection.close()
        leash.close()


def warm_up() -> None:
    """Imports and runs once what every submission needs."""
    import torch

    import autograder.sandbox.absent  # noqa: F401, by every fork
    from autograder.sandbox.answers import Answers

    torch.set_num_threads(1)
    make_imports(given())
    Answers.warm_up()


def given() -> Iterable[str]:
    """The modules that the exercise gives, which lie beside ours."""
    course = Path(autograder.__file__).parents[1]
    for path in sorted(course.rglob("*.py")):
        parts = path.relative_to(course).with_suffix("").parts
        if parts[0] != "autograder":
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def make_imports(names: Iterable[str]) -> None:
    """Here, so that no fork need make them; what cannot be imported, those who do will be told."""
    for name in names:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


if __name__ == "__main__":
    limits = SimpleNamespace(**json.loads(sys.argv[2]))
    bound_processes(limits)
    program(cuda=not limits.address_space)  # made once, for every fork
    weigher = start_weigher(die_with_parent)  # before there is much that it would share with the worker
    warm_up()
    worker(join(sys.argv[1]), limits, weigher)
    os._exit(0)  # an interpreter that has loaded torch takes half a second to end in order

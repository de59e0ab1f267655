"""The process inside a box: it imports torch once and, in a warm box, forks one child per submission.

Three roles, one after another in a fork's life:

* the *worker* waits for a pair of file descriptors and forks; it never reads a notebook or a check;
* the *supervisor* (:mod:`autograder.sandbox.supervisor`) gives the submission namespaces of its own and watches it;
* the *submission* drops every privilege, runs the learner's cells and answers calls over the wire.

In a cold box, which serves one submission and ends with it, the worker itself becomes the supervisor: in a container
that is the first process, which no signal from inside reaches.

Only the modules named in ``autograder.sandbox.box.ENGINE`` are here, as the learner's code can read all that is.
"""

import importlib
import json
import os
import signal
import socket
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import autograder
from autograder.sandbox import confinement
from autograder.sandbox.memory_meter import start_meter
from autograder.sandbox.supervisor import watch
from autograder.sandbox.syscalls import program

IMPORT = b"import "  # prefix of a message that names modules many submissions need


def join(place: str) -> socket.socket:
    """Our end of the control connection: an inherited descriptor, or a socket in a folder shared with the judge."""
    if place.isdigit():
        return socket.socket(fileno=int(place))
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(place)
    return control


def serve(
    connection: socket.socket, control_socket: socket.socket, limits: SimpleNamespace, meter: socket.socket, cold: bool
) -> str:
    """Runs the supervisor: starts a submission in fresh namespaces and returns how it ended."""
    from autograder.sandbox.answers import Answers
    from autograder.sandbox.shell import stand_in
    from autograder.sandbox.wire import Wire

    def submission(connection: socket.socket, started: int) -> None:
        confinement.die_with_parent()
        confinement.set_readable(True)  # so that the supervisor sees its memory
        confinement.die_first()
        stand_in()
        if cold:
            Answers.warm_up()
        if has_namespaces:
            confinement.mount_fresh(limits)
            if cold and not limits.address_space:  # no such limit means CUDA, which reads /proc
                confinement.cover_others()
            else:
                confinement.cover(b"/proc")  # it would show the worker's processes
        Answers(Wire(confinement.confine(connection, limits, started)), limits.output).serve()

    if not cold:
        confinement.die_with_parent()
    confinement.set_readable(False)  # the submission may have our user id, and must not inspect us
    try:
        confinement.leave_namespaces()
        has_namespaces = True
    except PermissionError:  # a cold container is as fresh as the submission, and isolates it
        if not cold:
            raise
        has_namespaces = False
    return watch(submission, connection, control_socket, limits, meter)


def work(control: socket.socket, limits: SimpleNamespace, meter: socket.socket, cold: bool) -> None:
    """Runs one supervisor per pair of descriptors that arrives, until the other end of ``control`` is closed.

    A warm worker forks for each; a cold one becomes the supervisor of its only submission.
    Each tells the judge how its submission ended.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are reaped automatically
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, 64, 2)
        if not message:
            return
        if message.startswith(IMPORT):
            make_imports(message.removeprefix(IMPORT).decode().split())
            continue
        connection, control_socket = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        if cold or not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            control.close()  # of a cold worker: a request for a second submission must fail at once
            try:
                control_socket.send(serve(connection, control_socket, limits, meter, cold).encode())
            except OSError as error:
                control_socket.send(f"failed: {error}".encode()[:64])
            finally:
                os._exit(0)
        connection.close()
        control_socket.close()


def warm_up(cold: bool) -> None:
    """Imports what every submission needs, and runs it once: but not if cold, as CUDA would not survive the fork."""
    import torch

    from autograder.sandbox.answers import Answers

    torch.set_num_threads(1)
    if not cold:
        make_imports(given())
        Answers.warm_up()


def given() -> Iterable[str]:
    """The names of the exercise's given modules, which lie beside ours."""
    course = Path(autograder.__file__).parents[1]
    for path in sorted(course.rglob("*.py")):
        parts = path.relative_to(course).with_suffix("").parts
        if parts[0] != "autograder":
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def make_imports(names: Iterable[str]) -> None:
    """Imports modules before forking; a failure is ignored here, and raised by the submission's own import."""
    for name in names:
        with suppress(Exception):
            importlib.import_module(name)


if __name__ == "__main__":
    place, kind, limits_text = sys.argv[1:]
    limits = SimpleNamespace(**json.loads(limits_text))
    confinement.bound_processes(limits)
    program(cuda=not limits.address_space)  # cached for every fork
    meter = start_meter(confinement.die_with_parent)  # early, while it shares little memory with the worker
    warm_up(kind == "cold")
    work(join(place), limits, meter, kind == "cold")
    os._exit(0)  # with torch loaded, a regular exit takes half a second

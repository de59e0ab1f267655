"""The process inside a box: it imports what all requests need and, in a warm box, forks one child for each.

Three roles, one after another in a fork's life:

* the *worker* waits for a pair of file descriptors and forks; it never reads a notebook or a check;
* the *supervisor* (:mod:`autograder.sandbox.supervisor`) gives the submission namespaces of its own and watches it;
* the *submission* drops every privilege and hands its connection to the *service* that the box is for: the answers of
  a learner's cells (:mod:`autograder.sandbox.answers`), or a file to be read (:mod:`autograder.sandbox.reading`).

In a cold box, which serves one submission and ends with it, the worker itself becomes the supervisor: in a container
that is the first process, which no signal from inside reaches.

Only the modules of the box's purpose (:mod:`autograder.sandbox.box`) are here, as learners' code can read all that is.
"""

import importlib
import json
import os
import signal
import socket
import sys
from contextlib import ExitStack
from types import SimpleNamespace
from typing import Any

from autograder.sandbox import confinement
from autograder.sandbox.memory_meter import start_meter
from autograder.sandbox.supervisor import watch
from autograder.sandbox.syscalls import program

LONGEST = 2**12  # bytes of a message


def join(path: str) -> socket.socket:
    """Our end of the control connection: an inherited descriptor, or a socket in a folder shared with the judge."""
    if path.isdigit():
        return socket.socket(fileno=int(path))
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    control.connect(path)
    return control


def serve(
    service: Any,
    connection: socket.socket,
    control_socket: socket.socket,
    limits: SimpleNamespace,
    meter: socket.socket,
    cold: bool,
) -> str:
    """Runs the supervisor: starts a submission in fresh namespaces and returns how it ended."""

    # Until `confine` has returned, this is our code with the worker's rights: every wall stands before learners' code
    # runs. It must be readable, or the supervisor could not measure its memory.
    def submission(connection: socket.socket, started: int) -> None:
        confinement.die_with_parent()
        confinement.set_readable(True)
        confinement.die_first()
        if cold:
            service.warm_up(cold)
        if has_namespaces:
            confinement.mount_fresh(limits)
            # /proc is that of the box, and would show the worker and the supervisors of others. CUDA, which is given no
            # limit of its address space, reads it, so that with a GPU only the other processes are covered.
            if cold and not limits.address_space:
                confinement.cover_others()
            else:
                confinement.cover(b"/proc")
        service.serve(confinement.confine(connection, limits, started), limits)

    if not cold:
        confinement.die_with_parent()
    # The submission may have our user id: if it could look into us, it could change what we report of it.
    confinement.set_readable(False)
    has_namespaces = service.HAS_NAMESPACES
    try:
        if has_namespaces:
            confinement.leave_namespaces()
    # A container that allows none is refused if it is to serve others after this submission. A cold one is as fresh as
    # the submission, and isolates it.
    except PermissionError:
        if not cold:
            raise
        has_namespaces = False
    return watch(submission, connection, control_socket, limits, meter)


def work(service: Any, control: socket.socket, limits: SimpleNamespace, meter: socket.socket, cold: bool) -> None:
    """Runs one supervisor per pair of descriptors that arrives, until the other end of ``control`` is closed.

    A warm worker forks for each; a cold one becomes the supervisor of its only submission.
    Each tells the judge how its submission ended. Any other message is for the service, to prepare for what will come.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # supervisors are reaped automatically
    control.send(b"ready")
    while True:
        message, descriptors, _, _ = socket.recv_fds(control, LONGEST, 2)
        if not message:
            return
        if len(descriptors) < 2:
            with ExitStack() as stack:
                texts = [stack.enter_context(open(descriptor, "rb")) for descriptor in descriptors]
                service.prepare(message.decode().split(), *texts)
            continue
        connection, control_socket = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        if cold or not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            # A cold worker takes no second submission: a request for one must fail at once rather than wait for ever.
            control.close()
            try:
                control_socket.send(serve(service, connection, control_socket, limits, meter, cold).encode())
            except OSError as error:
                control_socket.send(f"failed: {error}".encode()[:64])
            finally:
                os._exit(0)
        connection.close()
        control_socket.close()


def main() -> None:
    name, path, kind, limits_text = sys.argv[1:]
    limits, cold = SimpleNamespace(**json.loads(limits_text)), kind == "cold"
    confinement.bound_processes(limits)
    program(cuda=not limits.address_space)  # cached for every fork
    meter = start_meter()  # early, while it shares little memory with the worker
    service = importlib.import_module(name)
    if not cold:  # CUDA would not survive the fork
        service.warm_up(cold)
    work(service, join(path), limits, meter, cold)
    os._exit(0)  # with torch loaded, a regular exit takes half a second


if __name__ == "__main__":
    main()

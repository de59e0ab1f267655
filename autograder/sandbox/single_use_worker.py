"""The process inside a cold box: it serves one submission, and the box ends with it.

Everything is imported before the submission is forked, but nothing is run: initialised CUDA would not survive the
fork. If the box grants the privilege, the submission gets its own namespaces, as in a warm box. A container does
not grant it: there the fresh container itself isolates the submission, and the supervisor is the first process,
which no signal from inside reaches.
"""

import ctypes
import json
import os
import socket
import sys
from functools import partial
from types import SimpleNamespace

from autograder.sandbox.answers import Answers
from autograder.sandbox.confinement import (
    bound_processes,
    confine,
    cover,
    cover_others,
    die_first,
    die_with_parent,
    leave_namespaces,
    mount_fresh,
)
from autograder.sandbox.memory_meter import start_meter
from autograder.sandbox.stand_ins import stand_in
from autograder.sandbox.supervisor import watch
from autograder.sandbox.wire import Wire
from autograder.sandbox.worker import join, report

PR_SET_DUMPABLE = 4


def once(control: socket.socket, limits: SimpleNamespace, meter: socket.socket) -> None:
    """Serves the one pair of descriptors that arrives."""
    control.send(b"ready")
    message, descriptors, _, _ = socket.recv_fds(control, 64, 2)
    control.close()  # a request for a second submission must fail at once
    if message:
        connection, control_socket = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        report(control_socket, partial(serve, connection, control_socket, limits, meter))


def serve(
    connection: socket.socket, control_socket: socket.socket, limits: SimpleNamespace, meter: socket.socket
) -> str:
    """Runs the supervisor: starts the one submission and returns how it ended."""
    try:
        leave_namespaces()
        own = True
    except PermissionError:
        own = False
    libc = ctypes.CDLL(None)

    def submission(connection: socket.socket, started: int) -> None:
        die_with_parent()
        die_first()
        stand_in()
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # so that the supervisor sees its memory
        Answers.warm_up()
        if own:
            mount_fresh(limits)
            if limits.address_space:
                cover(b"/proc")
            else:  # no such limit means CUDA, which reads /proc
                cover_others()
        Answers(Wire(confine(connection, limits, started)), limits.output).serve()

    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # the submission has our user id and must not inspect us
    return watch(submission, connection, control_socket, limits, meter)


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    limits = SimpleNamespace(**json.loads(sys.argv[2]))
    bound_processes(limits)
    meter = start_meter(die_with_parent)
    once(join(sys.argv[1]), limits, meter)
    os._exit(0)

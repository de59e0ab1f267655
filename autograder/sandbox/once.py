"""The process inside a cold box: it serves one submission, and the box ends with it.

Everything is imported before the submission is forked, nothing is run: a CUDA that has started would not survive the
fork. Where the box gives the privilege, the submission gets namespaces of its own as in a warm box; a container gives
none, and then the container, which is fresh, is the submission's world. There the warden is the first process, which no
signal from inside reaches.
"""

import ctypes
import json
import os
import socket
import sys
from functools import partial
from types import SimpleNamespace

from autograder.sandbox.absent import stand_in
from autograder.sandbox.answers import Answers
from autograder.sandbox.confinement import (
    bound_processes,
    cover,
    cover_others,
    die_first,
    die_with_parent,
    leave_namespaces,
    mount_fresh,
    shut_in,
)
from autograder.sandbox.scales import start_weigher
from autograder.sandbox.warden import watch
from autograder.sandbox.wire import Wire
from autograder.sandbox.worker import join, report

PR_SET_DUMPABLE = 4


def once(control: socket.socket, limits: SimpleNamespace, weigher: socket.socket) -> None:
    """Serves the one pair of descriptors that arrives."""
    control.send(b"ready")
    message, descriptors, _, _ = socket.recv_fds(control, 64, 2)
    control.close()  # whoever asks for a second submission is to know at once
    if message:
        connection, leash = (socket.socket(fileno=descriptor) for descriptor in descriptors)
        report(leash, partial(serve, connection, leash, limits, weigher))


def serve(connection: socket.socket, leash: socket.socket, limits: SimpleNamespace, weigher: socket.socket) -> str:
    """The warden's life: one submission, and how it ended."""
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
        libc.prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # so that the warden sees its memory
        Answers.warm_up()
        if own:
            mount_fresh(limits)
            if limits.address_space:
                cover(b"/proc")
            else:  # without that limit it is for CUDA, which reads /proc
                cover_others()
        Answers(Wire(shut_in(connection, limits, started)), limits.output).serve()

    libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # the submission has our user id: it may not look into us
    return watch(submission, connection, leash, limits, weigher)


if __name__ == "__main__":
    import torch

    torch.set_num_threads(1)
    limits = SimpleNamespace(**json.loads(sys.argv[2]))
    bound_processes(limits)
    weigher = start_weigher(die_with_parent)
    once(join(sys.argv[1]), limits, weigher)
    os._exit(0)

"""The sandboxes that learners' code runs in, warm and cold, chosen by name.

A box has no network, no environment, no files but a read-only interpreter, its libraries and the exercise's given
modules. If any part of this is unavailable, nothing runs: :class:`SandboxUnavailable` says what failed and how to
fix it.
"""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Self

from autograder.records.job import Limits
from autograder.sandbox import account, bubblewrap, containers
from autograder.sandbox.box import Box, Start
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.session import ColdSession, Session, start

STARTS: dict[str, Callable[..., Box]] = {
    "bubblewrap": bubblewrap.start,
    "podman": partial(containers.start, "podman"),
    "podman-cold": partial(containers.start, "podman"),
    "docker": partial(containers.start, "docker"),
    "account": account.start,
}
# Course, source of a program, sizes → what it prints in a box: see autograder.sandbox.proof.
SEARCHES: dict[str, Callable[[Path, str, str], str]] = {
    "bubblewrap": bubblewrap.search,
    **{name: partial(containers.search, name.removesuffix("-cold")) for name in ("podman", "podman-cold", "docker")},
    "account": account.search,
}
NAMES = tuple(STARTS)
WARM = ("bubblewrap", "podman")
ALONE = ("account",)  # for one submission in a container that is then thrown away, never for a class
VARIABLE = "AUTOGRADER_SANDBOX"  # names the sandbox to use


class ColdSandbox:
    """A fresh box for each submission, for containers without namespaces inside and for GPUs.

    ``with ColdSandbox(root, given, limits) as sandbox: session = sandbox.open()``. Each submission costs an import of
    torch. Isolation is as strong as the box itself: two submissions share nothing.
    """

    cold = True

    def __init__(self, root: Path, given: tuple[str, ...], limits: Limits, start_box: Start = bubblewrap.start) -> None:
        self.limits = limits
        self.start_box = partial(start_box, root, given, limits, self.cold)
        self.begun: Box | None = None

    def begin(self) -> None:
        """Starts the first box, so that the caller can do something else before ``__enter__`` waits for it."""
        self.begun = self.start_box()

    def __enter__(self) -> Self:
        self.box, self.begun = (self.begun or self.start_box()).wait(), None
        return self

    def __exit__(self, *exception: object) -> None:
        self.box.stop()

    def open(self, seconds: float = 60.0) -> Session:
        """A submission in a fresh box; raises SandboxUnavailable if it does not start."""
        try:
            session = start(self.box, self.limits, seconds)
        except SandboxUnavailable:  # already used, maybe by a fork of this process, and maybe still busy
            box = self.start_box().wait(seconds)
            try:
                session = start(box, self.limits, seconds)
            except BaseException:
                box.stop()
                raise
        return ColdSession(**vars(session))


class Sandbox(ColdSandbox):
    """A warm sandbox: its one box holds a process that has imported torch, which is forked for each submission.

    Each fork gets fresh namespaces, without any privilege (:mod:`autograder.sandbox.worker`).
    """

    cold = False

    def open(self, seconds: float = 20.0) -> Session:
        """A fresh fork of the warm worker, in namespaces of its own."""
        return start(self.box, self.limits, seconds)

    def make_imports(self, names: Iterable[str]) -> None:
        """Makes the worker import slow modules before its next fork."""
        if message := " ".join(names).encode():  # an empty one would end the worker
            with suppress(OSError):  # opening the next session reports that the worker is gone
                self.box.control.send(message)


def chosen() -> str:
    """The name of the sandbox; raises SandboxUnavailable for an unknown one."""
    name = os.environ.get(VARIABLE) or NAMES[0]
    if name not in NAMES:
        raise SandboxUnavailable(f"{VARIABLE} is {name!r}; choose one of {', '.join(NAMES)}.")
    return name


def sandbox(name: str, root: Path, given: tuple[str, ...], limits: Limits, gpu: bool = False) -> ColdSandbox:
    """The sandbox called ``name``, not yet started; ``gpu``: a cold one with this machine's GPUs, if it has any."""
    if gpu:
        has_gpu = any(Path("/dev").glob("nvidia[0-9]*"))
        return ColdSandbox(root, given, limits, partial(STARTS[name], gpu=has_gpu))
    return (Sandbox if name in WARM else ColdSandbox)(root, given, limits, STARTS[name])

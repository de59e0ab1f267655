"""The names of the sandboxes, and the variable that chooses one."""

import os

from autograder.sandbox.errors import SandboxUnavailable

VARIABLE = "AUTOGRADER_SANDBOX"
NAMES = ("bubblewrap", "podman", "podman-cold", "docker")


def chosen() -> str:
    """The name of the sandbox; raises SandboxUnavailable for an unknown one."""
    name = os.environ.get(VARIABLE) or NAMES[0]
    if name not in NAMES:
        raise SandboxUnavailable(f"{VARIABLE} is {name!r}; choose one of {', '.join(NAMES)}.")
    return name

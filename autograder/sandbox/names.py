"""The names of the sandboxes, and the variable that chooses one."""

import os

from autograder.sandbox.refusal import SandboxUnavailable

VARIABLE = "AUTOGRADER_SANDBOX"
NAMES = ("bubblewrap", "podman", "podman-cold", "docker")


def chosen() -> str:
    """The name of the sandbox; raises SandboxUnavailable for one that there is not."""
    name = os.environ.get(VARIABLE) or NAMES[0]
    if name not in NAMES:
        raise SandboxUnavailable(f"{VARIABLE} is {name!r}; there is {', '.join(NAMES)}.")
    return name

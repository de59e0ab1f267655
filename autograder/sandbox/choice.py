"""Which sandbox learners' code runs in, chosen by name."""

from pathlib import Path

from autograder.records.limits import Limits
from autograder.sandbox import bubblewrap, containers
from autograder.sandbox.box import Start
from autograder.sandbox.forked_box import Sandbox
from autograder.sandbox.fresh_box import ColdSandbox

KINDS: dict[str, tuple[type[Sandbox | ColdSandbox], Start]] = {
    "bubblewrap": (Sandbox, bubblewrap.start_warm),
    "podman": (Sandbox, containers.start_podman),
    "podman-cold": (ColdSandbox, containers.start_podman_cold),
    "docker": (ColdSandbox, containers.start_docker),
}
WITH_GPU = {
    "bubblewrap": bubblewrap.start_cold_with_gpu,
    "podman": containers.start_podman_with_gpu,
    "podman-cold": containers.start_podman_with_gpu,
    "docker": containers.start_docker_with_gpu,
}
ON_CPU = {
    "bubblewrap": bubblewrap.start_cold,
    "podman": containers.start_podman_cold,
    "podman-cold": containers.start_podman_cold,
    "docker": containers.start_docker,
}


def sandbox(name: str, root: Path, given: tuple[str, ...], limits: Limits) -> Sandbox | ColdSandbox:
    """The sandbox called ``name``, not yet started."""
    kind, start = KINDS[name]
    return kind(root, given, limits, start)


def gpu_sandbox(name: str, root: Path, given: tuple[str, ...], limits: Limits) -> ColdSandbox:
    """A cold sandbox with this machine's GPUs, if it has any, for answers that may use one."""
    starts = WITH_GPU if any(Path("/dev").glob("nvidia[0-9]*")) else ON_CPU
    return ColdSandbox(root, given, limits, starts[name])

"""Which sandbox learners' code runs in, chosen by name."""

from pathlib import Path

from autograder.sandbox import bubblewrap, containers
from autograder.sandbox.cold import ColdSandbox
from autograder.sandbox.limits import Limits
from autograder.sandbox.warm import Sandbox

KINDS = {
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
    """A cold one with this machine's GPUs, for answers that may use one; without, where it has none."""
    starts = WITH_GPU if any(Path("/dev").glob("nvidia[0-9]*")) else ON_CPU
    return ColdSandbox(root, given, limits, starts[name])

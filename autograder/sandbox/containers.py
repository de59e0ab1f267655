"""The box made by podman or docker: a container of an image that holds Python and the course's requirements.

It contains nothing of this machine but a read-only folder with the given modules and a socket to the judge.
Podman, rootless or as root in a user namespace, allows namespaces inside, so that one container serves many
submissions. Docker does not: each submission has its own container.
"""

import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from autograder.records.job import Limits
from autograder.sandbox.box import ENVIRONMENT, SEARCH, START_SECONDS, Box, modules, output, run, worker
from autograder.sandbox.errors import SandboxUnavailable

IMAGE = "localhost/autograder"
IMAGE_VARIABLE = "AUTOGRADER_IMAGE"
OPTIONS_VARIABLE = "AUTOGRADER_CONTAINER_OPTIONS"  # more options of `run`, as in a shell
INSIDE = {"PYTHONPATH": "/shared/course", "PATH": "/venv/bin:/usr/local/bin:/usr/bin:/bin"}
PRIVILEGES = ["--cap-add", "SYS_ADMIN", "--cap-add", "SETPCAP"]  # for the warm worker, to make namespaces inside
USER = 65534
SUBORDINATE = 100_000  # root's containers run with user ids from here on, which own nothing outside
WORKER_MEMORY = 2**30  # what the warm worker itself needs, beyond a submission
WORKER_PROCESSES = 16


def for_podman() -> list[str]:
    """Options so that nothing inside is root of this machine, and only our mounts are writable."""
    options = ["--read-only-tmpfs=false", "--no-hosts"]
    if os.geteuid() == 0:
        options += ["--uidmap", f"0:{SUBORDINATE}:65536", "--gidmap", f"0:{SUBORDINATE}:65536"]
    return options


def start(engine: str, root: Path, given: tuple[str, ...], limits: Limits, cold: bool, gpu: bool = False) -> Box:
    """Starts a container and waits until the worker in it has connected.

    ``cold``: it is for one submission, without any privilege inside; ``gpu``: with this machine's NVIDIA devices.
    Raises SandboxUnavailable if the engine is not installed.
    """
    if shutil.which(engine) is None:
        raise SandboxUnavailable(f"{engine} is not installed, or not on the PATH.")
    more = for_podman() if engine == "podman" else []
    if not cold:
        more += PRIVILEGES
    if gpu:
        more += ["--device", "nvidia.com/gpu=all"] if engine == "podman" else ["--gpus", "all"]
        limits = replace(limits, address_space=0)  # CUDA maps terabytes
    folder = tempfile.TemporaryDirectory(prefix="autograder-")
    shared = Path(folder.name, "shared")  # open to the container's user; its parent folder is open to no one else
    name = f"autograder-{uuid.uuid4().hex[:12]}"
    try:
        share(root, given, shared)
        with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
            listener.bind(str(shared / "socket"))
            (shared / "socket").chmod(0o666)
            listener.listen(1)
            line = command(engine, shared, limits, name, worker("/shared/socket", limits, cold), more)
            process, log = run(line, dict(os.environ), ())
            return Box(process, log, answer(listener, process), [engine, "kill", name], folder)
    except BaseException:
        folder.cleanup()
        raise


def answer(listener: socket.socket, process: subprocess.Popen[bytes]) -> socket.socket:
    """The worker's connection; an unconnected socket if the worker does not connect."""
    listener.settimeout(1)
    for _ in range(int(START_SECONDS)):
        with suppress(TimeoutError):
            return listener.accept()[0]
        if process.poll() is not None:
            break
    return socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def share(root: Path, given: tuple[str, ...], shared: Path) -> None:
    """Copies the modules, because the container's user may not read the originals."""
    shared.mkdir()
    for path, source in modules(root, given).items():
        copy = shared / "course" / path
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
        copy.chmod(0o644)
    for folder in (shared, *(path for path in shared.rglob("*") if path.is_dir())):
        folder.chmod(0o755)


def search(engine: str, root: Path, source: str, sizes: str) -> str:
    """What the program of autograder.sandbox.search prints in a container without given modules."""
    if shutil.which(engine) is None:
        raise SandboxUnavailable(f"{engine} is not installed, or not on the PATH.")
    with tempfile.TemporaryDirectory(prefix="autograder-") as folder:
        shared = Path(folder, "shared")
        share(root, (), shared)
        (shared / "sizes").write_text(sizes)
        (shared / "sizes").chmod(0o644)
        name = f"autograder-{uuid.uuid4().hex[:12]}"
        more = for_podman() if engine == "podman" else []
        line = command(engine, shared, Limits(), name, [*SEARCH, source, "/shared/sizes"], more)
        return output(*run(line, dict(os.environ), ()))


def command(
    engine: str, shared: Path, limits: Limits, name: str, program: Sequence[str], more: Sequence[str] = ()
) -> list[str]:
    """The command line that starts Python with the arguments ``program`` in a container called ``name``."""
    memory = str(limits.memory + WORKER_MEMORY)
    box = [engine, "run", "--rm", "--name", name, "--pull", "never", "--log-driver", "none"]
    box += ["--network", "none", "--ipc", "private", "--hostname", "sandbox", "--user", f"{USER}:{USER}"]
    box += ["--read-only", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"]
    if Path("/sys/fs/selinux/enforce").exists():
        box += ["--security-opt", "label=disable"]  # otherwise the container may not use our socket
    box += ["--memory", memory, "--memory-swap", memory, "--cpus", "1"]
    box += ["--pids-limit", str(limits.processes + WORKER_PROCESSES)]
    for limit, most in (("nofile", max(limits.open_files, 1024)), ("nproc", 1024), ("core", 0), ("msgqueue", 0)):
        box += ["--ulimit", f"{limit}={most}:{most}"]
    half = f"rw,nosuid,nodev,size={limits.disk // 2},mode=1777"  # the memory limit bounds the number of files
    box += ["--tmpfs", f"/tmp:{half}", "--tmpfs", f"/dev/shm:{half}"]
    box += ["--volume", f"{shared}:/shared:ro", "--workdir", "/shared/course"]
    for key, value in (ENVIRONMENT | INSIDE).items():
        box += ["--env", f"{key}={value}"]
    box += [*more, *shlex.split(os.environ.get(OPTIONS_VARIABLE, "")), "--entrypoint", "python3"]
    return [*box, os.environ.get(IMAGE_VARIABLE, IMAGE), *program]

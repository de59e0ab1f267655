"""What the project puts into a box: the worker's modules, the given modules, the environment and the worker itself."""

import json
from dataclasses import asdict
from pathlib import Path

from autograder.records.limits import Limits
from autograder.sandbox.errors import SandboxUnavailable

WORKER = "autograder.sandbox.worker"
ENGINE = (
    *(f"autograder/{name}.py" for name in ("__init__", "vjp", "tracebacks", "expect", "finding", "wording")),
    *(f"autograder/checking/{name}.py" for name in ("__init__", "values", "observe", "program")),
    *(f"autograder/sandbox/{name}.py" for name in ("__init__", "worker", "supervisor", "memory_meter", "confinement")),
    *(f"autograder/sandbox/{name}.py" for name in ("syscalls", "answers", "shell", "run_remaining")),
    *(f"autograder/sandbox/{name}.py" for name in ("objects", "borrowed", "kinds", "wire")),
)
ENVIRONMENT = {
    "PATH": "/usr/bin:/bin",
    "HOME": "/tmp",
    "USER": "nobody",
    "LOGNAME": "nobody",
    "COLUMNS": "80",
    "LINES": "24",
    "LANG": "C.UTF-8",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": "/course",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "MPLCONFIGDIR": "/tmp/matplotlib",
    "IPYTHONDIR": "/tmp/ipython",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
}


def modules(root: Path, given: tuple[str, ...]) -> dict[str, Path]:
    """Maps each path below /course to the file mounted there.

    Raises:
        SandboxUnavailable: a given module does not exist.
    """
    places = {}
    for module in dict.fromkeys(ENGINE + given):
        places[module] = (root / module).resolve()
        if not places[module].is_file():
            raise SandboxUnavailable(f"the given module {module} does not exist in {root}.")
    return places


def worker(place: str, limits: Limits, cold: bool) -> list[str]:
    """The arguments of Python that start the worker; ``place`` is where it finds its control connection."""
    return ["-s", "-m", WORKER, place, "cold" if cold else "warm", json.dumps(asdict(limits))]

"""What the project puts into a box: the worker's modules, the exercise's given modules and the environment."""

from pathlib import Path

from autograder.sandbox.errors import SandboxUnavailable

ENGINE = (
    "autograder/__init__.py",
    "autograder/sandbox/__init__.py",
    "autograder/vjp.py",
    "autograder/tracebacks.py",
    "autograder/expect.py",
    "autograder/finding.py",
    "autograder/wording.py",
    "autograder/checking/__init__.py",
    "autograder/checking/values.py",
    "autograder/checking/observe.py",
    "autograder/checking/program.py",
    "autograder/sandbox/kinds.py",
    "autograder/sandbox/wire.py",
    "autograder/sandbox/borrowed.py",
    "autograder/sandbox/objects.py",
    "autograder/sandbox/lent_calls.py",
    "autograder/sandbox/answers.py",
    "autograder/sandbox/stand_ins.py",
    "autograder/sandbox/run_remaining.py",
    "autograder/sandbox/shell.py",
    "autograder/sandbox/confinement.py",
    "autograder/sandbox/syscalls.py",
    "autograder/sandbox/memory_meter.py",
    "autograder/sandbox/supervisor.py",
    "autograder/sandbox/worker.py",
    "autograder/sandbox/single_use_worker.py",
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

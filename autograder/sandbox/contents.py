"""What a box holds of ours: the worker's own modules, those that the exercise gives, and its environment."""

from pathlib import Path

from autograder.sandbox.refusal import SandboxUnavailable

ENGINE = (
    "autograder/__init__.py",
    "autograder/sandbox/__init__.py",
    "autograder/pullback.py",
    "autograder/blame.py",
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
    "autograder/sandbox/asking.py",
    "autograder/sandbox/answers.py",
    "autograder/sandbox/absent.py",
    "autograder/sandbox/lacking.py",
    "autograder/sandbox/shell.py",
    "autograder/sandbox/confinement.py",
    "autograder/sandbox/syscalls.py",
    "autograder/sandbox/scales.py",
    "autograder/sandbox/warden.py",
    "autograder/sandbox/worker.py",
    "autograder/sandbox/once.py",
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
    """Place below /course → file outside, of all that is mounted there.

    Raises:
        SandboxUnavailable: a given module does not exist.
    """
    places = {}
    for module in dict.fromkeys(ENGINE + given):
        places[module] = (root / module).resolve()
        if not places[module].is_file():
            raise SandboxUnavailable(f"the given module {module} does not exist in {root}.")
    return places

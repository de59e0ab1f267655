"""What of this machine a box shows: the interpreter, its libraries and packages, a shell, and nothing else."""

import os
import sys
import sysconfig
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.sandbox.distributions import packages
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.libraries import Files, inside, libraries

VENV = "/venv"
PYTHON = f"{VENV}/bin/python"
INTERPRETER = Path(sys.executable).resolve()
# What notebooks write after "!" without needing more than Python has: a line of these goes on, any other says that
# there is no such program.
PROGRAMS = (
    *("sh", "bash", "cat", "cp", "date", "echo", "env", "false", "grep", "head", "ls", "mkdir", "mv", "nproc", "pwd"),
    *("rm", "seq", "sleep", "sort", "tail", "touch", "true", "uname", "wc", "which"),
)
PATH = ("/usr/bin", "/bin")
DATA = (
    "/etc/ld.so.cache",
    "/usr/share/zoneinfo",
    "/usr/lib/locale/C.utf8",
    "/usr/lib/locale/C.UTF-8",
    "/sys/kernel/mm/transparent_hugepage",  # how large huge pages are: where it is not shown, Python has none
)
LINKS = ("/bin", "/sbin", "/lib", "/lib64", "/lib32")


@dataclass(frozen=True)
class Needs:
    """``shown``: path in the box → file or folder of this machine; ``empty``: folders in these that are covered."""

    shown: Files
    empty: tuple[str, ...]
    links: dict[str, str]  # path in the box → what it leads to

    def holding(self, path: Path) -> Path | None:
        """The folder that is shown and has ``path`` in it; None if none has, as should be."""
        whole = path.resolve()
        if any(whole.is_relative_to(folder) for folder in self.empty):
            return None
        return next((folder for folder in self.shown.values() if whole.is_relative_to(folder)), None)


@cache
def needs(gpu: bool = False, wanted: tuple[str, ...] = ()) -> Needs:
    """What a box shows, with the packages ``wanted`` in the place of those that learners may import.

    Raises SandboxUnavailable for an interpreter below /tmp, where each submission has a folder of its own.
    """
    if Path("/tmp") in INTERPRETER.parents:
        raise SandboxUnavailable(f"the interpreter is {INTERPRETER}; the sandbox cannot use one below /tmp.")
    standard, compiled = standard_library()
    folder = f"{VENV}/lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"
    shown = {f"{folder}/{name}": path.resolve() for name, path in packages(wanted).entries.items()}
    folders = [standard] if compiled.is_relative_to(standard) else [standard, compiled]
    shown |= {str(path): path for path in (*folders, *map(Path, DATA)) if path.exists()}
    programs = {str(INTERPRETER): INTERPRETER} | shell()
    linked = programs | {f"{folder}/{name}": path for name, path in packages(wanted).libraries.items() if path.exists()}
    linked |= {str(path): path for path in compiled.glob("*.so")}
    links = {path: os.readlink(path) for path in LINKS if os.path.islink(path)}
    links[PYTHON] = str(INTERPRETER)
    return Needs(shown | programs | libraries(linked, gpu), covered(standard), links)


def standard_library() -> tuple[Path, Path]:
    """Its folder, and that of its compiled modules, which on most systems lies in it."""
    folder = Path(sysconfig.get_path("stdlib"))
    return folder, next((Path(path) for path in sys.path if path.endswith("lib-dynload")), folder)


def covered(standard: Path) -> tuple[str, ...]:
    """The folders of packages in the standard library's: what is listed is shown elsewhere, and the rest not at all."""
    paths = [standard / name for name in ("site-packages", "dist-packages")]
    return tuple(str(path) for path in paths if path.is_dir())


def shell() -> Files:
    paths = [os.path.join(folder, name) for folder in PATH for name in PROGRAMS]
    return {inside(path): Path(path).resolve() for path in paths if os.path.exists(path)}

"""``learn doctor``: whether this machine has what the exercises need."""

import importlib.util
import platform
import shutil
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Literal

LEAST_DISK = 1e9  # bytes; checkpoints and corpora are in the package, so that this is for notebooks and caches
SIGNS = {"good": "✓", "bad": "✗", "note": "·"}


@dataclass(frozen=True)
class Symptom:
    """What was found, and if it is bad, what to do."""

    status: Literal["good", "bad", "note"]
    what: str
    do: str = ""

    def __str__(self) -> str:
        return f"{SIGNS[self.status]} {self.what}" + (f"\n    {self.do}" if self.do else "")


def findings(folder: Path) -> Iterator[Symptom]:
    """One finding after another; ``folder`` is where notebooks are kept."""
    yield _python()
    yield from _course()
    yield from _torch()
    yield from _check()
    yield from _front_end()
    free = shutil.disk_usage(folder).free
    enough = free > LEAST_DISK
    yield Symptom(
        "good" if enough else "bad", f"{free / 1e9:.1f} GB free on this disk", "" if enough else "Free a gigabyte."
    )


def _python() -> Symptom:
    bits = 8 * struct.calcsize("P")
    what = f"Python {platform.python_version()}, {bits} bits, {platform.system()} on {platform.machine()}"
    if sys.version_info < (3, 11) or bits < 64:
        return Symptom(
            "bad", what, "The course needs Python 3.11 or newer with 64 bits: python.org, or `uv python install 3.12`."
        )
    return Symptom("good", f"{what}: {sys.executable}")


def _course() -> Iterator[Symptom]:
    try:
        import seq2seq

        where = Path(str(seq2seq.__file__)).parent
        names = metadata.packages_distributions().get("learn")  # whatever name it was published by
        course = f"{names[0]} {metadata.version(names[0])}" if names else "the course, not installed"
        yield Symptom("good", f"{course}, from {where}")
    except ImportError as error:
        yield Symptom("bad", f"the course: {error}", "Install it as the book's front page says.")


def _torch() -> Iterator[Symptom]:
    try:
        import torch
    except ImportError as error:
        yield Symptom(
            "bad", f"PyTorch: {error}", f"{sys.executable} -m pip install torch; see pytorch.org for your machine"
        )
        return
    new = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2]) >= (2, 6)
    yield Symptom(
        "good" if new else "bad", f"PyTorch {torch.__version__}", "" if new else "The course needs 2.6 or newer."
    )
    if torch.cuda.is_available():
        yield Symptom("note", f"GPU: {torch.cuda.get_device_name()}; the exercises use it where it helps")
    else:
        yield Symptom("note", f"no GPU that PyTorch can use, and none is needed; {torch.get_num_threads()} threads")


def _check() -> Iterator[Symptom]:
    """One check of the course on a right answer and on a wrong one."""
    try:
        import io
        from contextlib import redirect_stdout

        from autograder.finding import CheckFailed
        from autograder.tasks.batches import check
        from seq2seq.batch import length_mask

        with redirect_stdout(io.StringIO()):
            check("length_mask", length_mask)
        try:
            check("length_mask", lambda lengths, longest: None)
        except CheckFailed:
            yield Symptom("good", "a check accepts a right answer and refuses a wrong one")
            return
        yield Symptom("bad", "a check accepts a wrong answer", "Install the course again.")
    except Exception as error:
        yield Symptom(
            "bad", f"a check: {type(error).__name__}: {error}", "Install the course again, in a new environment."
        )


def _front_end() -> Iterator[Symptom]:
    for package in ("ipywidgets", "anywidget", "matplotlib"):
        version = _version(package)
        do = "" if version else f"{sys.executable} -m pip install {package}"
        yield Symptom("good" if version else "bad", f"{package} {version or 'is missing'}", do)
    editors = [f"{package} {_version(package)}" for package in ("jupyterlab", "notebook") if _version(package)]
    editors += ["Visual Studio Code"] if shutil.which("code") else []
    do = "" if editors else f"`{sys.executable} -m pip install jupyterlab`, or open notebooks in an editor of your own."
    yield Symptom("note", f"to open notebooks: {', '.join(editors) or 'nothing was found'}", do)
    if importlib.util.find_spec("ipykernel") is None:
        yield Symptom("note", "ipykernel is missing", f"VS Code asks for it: {sys.executable} -m pip install ipykernel")


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""

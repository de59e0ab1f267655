"""What of the environment a box shows: the distributions that a learner's notebook may import, and nothing else.

They are those that the learners' package depends on, and IPython for the worker, with all that these require.
Whatever else is installed beside them, the grader and the course themselves among it, is not there.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import metadata
from pathlib import Path

import autograder

PROJECT = "learning-to-align"
OF_THE_WORKER = ("ipython", "matplotlib-inline")
NOT_SHOWN = re.compile(r"|\.\.|__pycache__|.*\.pth")  # commands, compiled code, lines that every start would run
LIBRARY = re.compile(r"[^.].*\.so(\.[\w.]+)?")


@dataclass(frozen=True)
class Packages:
    """``entries``: name in site-packages → where it is; ``libraries``: those of their files that are linked."""

    entries: dict[str, Path]
    libraries: dict[str, Path]  # path below site-packages → file


@cache
def packages(wanted: tuple[str, ...] = ()) -> Packages:
    """What is installed for these requirements; without any, for those of learners and of the worker."""
    entries: dict[str, Path] = {}
    linked: dict[str, Path] = {}
    for distribution in closure(wanted or (*declared(), *OF_THE_WORKER)):
        folder = Path(str(distribution.locate_file("")))
        lines = (distribution.read_text("RECORD") or listed(distribution, folder)).splitlines()
        names = {line.partition("/")[0].partition(",")[0].strip('"') for line in lines}
        paths = [line.partition(",")[0].strip('"') for line in lines if ".so" in line]
        entries |= {name: folder / name for name in names if not NOT_SHOWN.fullmatch(name)}
        linked |= {path: folder / path for path in paths if LIBRARY.fullmatch(path)}
    return Packages(entries, linked)


def declared() -> list[str]:
    """What the project declares for learners, in its pyproject.toml or, if it is installed without, its metadata."""
    text = Path(autograder.__file__).parents[1] / "pyproject.toml"
    if text.is_file():
        return tomllib.loads(text.read_text("utf-8"))["project"]["dependencies"]
    return required(metadata.distribution(PROJECT), set())


def closure(requirements: Iterable[str]) -> Iterator[metadata.Distribution]:
    """The installed distributions among those that are required, directly or through others."""
    waiting, closed = [*map(asked, requirements)], set()
    while waiting:
        name, extras = waiting.pop()
        if (name, *extras) in closed:
            continue
        closed.add((name, *extras))
        try:
            distribution = metadata.distribution(name)
        except metadata.PackageNotFoundError:  # meant for another system, or for another Python
            continue
        waiting += map(asked, required(distribution, set(extras)))
        yield distribution


def asked(requirement: str) -> tuple[str, tuple[str, ...]]:
    """The name in a requirement, and its extras: ``a-b[c] >= 1`` → ``a-b``, ``(c,)``."""
    name, extras = re.match(r"\s*([\w.-]+)\s*(?:\[([^]]*)])?", requirement).groups()  # type: ignore[union-attr]
    return normal(name), tuple(sorted(normal(extra) for extra in (extras or "").split(",") if extra.strip()))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name.strip()).lower()


def required(distribution: metadata.Distribution, extras: set[str]) -> list[str]:
    """Its requirements, read without the parser of e-mail that importlib.metadata uses, which takes ten times as long.

    Other conditions than extras are left to whoever installed: what is not meant for this machine is not there.
    """
    head, _, _ = (distribution.read_text("METADATA") or "").partition("\n\n")
    lines = re.findall(r"^Requires-Dist:(.*)$", head, re.MULTILINE) if head else distribution.requires or []
    needed = []
    for line in lines:
        wanted = {normal(extra) for extra in re.findall(r"extra\s*==\s*[\"']([^\"']+)", line.partition(";")[2])}
        if not wanted or wanted & extras:
            needed.append(line)
    return needed


def listed(distribution: metadata.Distribution, folder: Path) -> str:
    """The files of a Debian package, which has no list of them: what its names lead to."""
    names = (distribution.read_text("top_level.txt") or normal(distribution.metadata["Name"]).replace("-", "_")).split()
    paths = [path for name in names for path in (folder / name, folder / f"{name}.py") if path.exists()]
    paths += [file for path in paths for file in path.rglob("*.so*")]
    return "\n".join(str(path.relative_to(folder)) for path in paths)

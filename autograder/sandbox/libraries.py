"""The shared libraries that a box needs: what its programs and packages are linked with, and what that needs in turn.

A whole folder such as /usr/lib/x86_64-linux-gnu is not shown: on some systems it holds the packages of the system's
Python, and whatever else is installed there.
"""

import os
import platform
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from autograder.sandbox.elf import links

CACHE = Path("/etc/ld.so.cache")
MAGIC, HEADER, ENTRY = b"glibc-ld.so.cache1.1", 48, "<iIIIQ"
KINDS = {"x86_64": 0x0303, "aarch64": 0x0A03}  # what the cache's entries of this machine's libraries are marked with
# Loaded by name while a program runs, so that no file asks for them: by threads that end, and by the user's name.
BY_NAME = ("libgcc_s.so.1", "libnss_files.so.2")
OF_GPUS = ("libcuda", "libnv", "libdxcore")  # first letters of what CUDA loads of the machine's driver
Files = dict[str, Path]  # where a file is in the box → the file


def libraries(files: Files, gpu: bool = False) -> Files:
    """What ``files``, programs and libraries, need from elsewhere, each at the path where the loader looks for it."""
    cached = in_cache()
    needed: Files = {}
    for name in BY_NAME + tuple(name for name in cached if gpu and name.startswith(OF_GPUS)):
        needed |= {inside(path): real(path) for path in cached.get(name, ())}
    waiting, known = [*files.items(), *needed.items()], {*files}
    while waiting:
        where, file = waiting.pop()
        for path, library in asked_for(where, file, cached):
            if path not in known and path not in needed:
                needed[path] = library
                waiting.append((path, library))
    return needed


def asked_for(path: str, file: Path, cached: dict[str, tuple[str, ...]]) -> Iterable[tuple[str, Path]]:
    """The libraries, and for a program the loader, that one file needs."""
    asked = links(file)
    if asked.loader:
        yield inside(asked.loader), real(asked.loader)
    for name in asked.needed:
        in_run_paths = beside(name, path, file, asked.run_paths)
        yield from in_run_paths or [(inside(other), real(other)) for other in cached.get(name, ())]


def beside(name: str, path: str, file: Path, run_paths: Iterable[str]) -> list[tuple[str, Path]]:
    """Where a file's run paths have a library: in the box, and on this machine."""
    for folder in run_paths:
        in_box, outside = (
            os.path.normpath(os.path.join(folder.replace("${ORIGIN}", "$ORIGIN").replace("$ORIGIN", origin), name))
            for origin in (os.path.dirname(path), str(file.parent))
        )
        if os.path.exists(outside):
            return [(in_box, real(outside))]
    return []


@cache
def real(path: str) -> Path:
    return Path(path).resolve()


@cache
def inside(path: str) -> str:
    """The path without links to folders: /lib is one to /usr/lib on most systems, which the box has too."""
    return os.path.join(os.path.realpath(os.path.dirname(path)), os.path.basename(path))


@cache
def in_cache() -> dict[str, tuple[str, ...]]:
    """Name → paths of all libraries that the loader's cache lists for this kind of machine."""
    data = CACHE.read_bytes() if CACHE.exists() else b""
    start = data.find(MAGIC)
    if start < 0:
        return {}
    (count,) = struct.unpack_from("<I", data, start + len(MAGIC))
    size = struct.calcsize(ENTRY)
    entries = struct.iter_unpack(ENTRY, data[start + HEADER : start + HEADER + size * count])
    paths: dict[str, tuple[str, ...]] = {}
    for kind, name_at, path_at, _, _ in entries:
        if kind == KINDS.get(platform.machine()):
            name, path = (data[start + at : data.find(b"\0", start + at)].decode() for at in (name_at, path_at))
            paths[name] = (*paths.get(name, ()), path)
    return paths

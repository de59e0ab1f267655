"""Which shared libraries a program or a library asks the dynamic loader for, and where its file tells it to look."""

import struct
from dataclasses import dataclass
from mmap import ACCESS_READ, mmap
from pathlib import Path

MAGIC = b"\x7fELF\x02\x01"  # 64 bits, little-endian: both machines that the sandbox knows
LOAD, DYNAMIC, LOADER = 1, 2, 3  # types of program headers
NEEDED, TEXTS, *RUN_PATHS = 1, 5, 15, 29  # tags of the dynamic section


@dataclass(frozen=True)
class Links:
    """What one file asks for; all empty for a file that asks for nothing, such as a script."""

    needed: tuple[str, ...] = ()
    run_paths: tuple[str, ...] = ()  # $ORIGIN stands for the file's folder
    loader: str = ""


def links(path: Path) -> Links:
    with open(path, "rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return Links()
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            return read(data)


def read(data: mmap) -> Links:
    (table,), (size, count) = struct.unpack_from("<Q", data, 32), struct.unpack_from("<HH", data, 54)
    headers = [struct.unpack_from("<II4Q", data, table + size * number) for number in range(count)]
    section = [tag for kind, _, start, _, _, length in headers if kind == DYNAMIC for tag in tags(data, start, length)]
    loaded = [(start, first, length) for kind, _, start, first, _, length in headers if kind == LOAD]
    address = dict(section).get(TEXTS, 0)
    texts = next((address - first + start for start, first, length in loaded if 0 <= address - first < length), 0)

    def named(*wanted: int) -> list[str]:
        return [text(data, texts + value) for tag, value in section if tag in wanted]

    paths = [folder for path in named(*RUN_PATHS) for folder in path.split(":") if folder]
    loaders = [text(data, start) for kind, _, start, *_ in headers if kind == LOADER]
    return Links(tuple(named(NEEDED)), tuple(paths), "".join(loaders))


def tags(data: mmap, start: int, length: int) -> list[tuple[int, int]]:
    """The dynamic section's entries, up to the first that is zero."""
    entries = list(struct.iter_unpack("<qQ", data[start : start + length - length % 16]))
    return entries[: next((number for number, (tag, _) in enumerate(entries) if not tag), None)]


def text(data: mmap, start: int) -> str:
    return data[start : data.find(b"\0", start)].decode("utf-8", "surrogateescape")

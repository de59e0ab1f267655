"""What a download holds, taken out safely: a zip or a folder, zips within it too, and nothing but what is asked for.

No name in an archive ever becomes a path: what is taken out lies under numbers, and keeps its name as plain text.
"""

import os
import stat
import struct
import zipfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from autograder.submissions.reading import MAX_BYTES

MAX_ENTRIES = 50_000
MAX_TOTAL = 16 * 2**30  # of everything that is taken out of one download
MAX_NESTED = 256 * 2**20  # of one zip within the download
MAX_DIRECTORY = 8 * 2**20  # of the list of names of a zip within: some 80,000 names
MAX_DEPTH = 3
HOUSEKEEPING = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")
ARCHIVES = (".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")
FLAG_ENCRYPTED, FLAG_UTF8 = 0x1, 0x800


@dataclass(frozen=True)
class Taken:
    """One file out of a download: its names from the outermost to its own, and where its bytes lie now."""

    parts: tuple[str, ...]
    path: Path

    @property
    def name(self) -> str:
        return "/".join(self.parts)


class Refused(Exception):
    """The bytes are not taken out; the message says why."""


@dataclass
class Unpacking:
    """Takes files out of a download into the folder ``to``; ``left_out`` says of each other file why."""

    to: Path
    wanted: Callable[[str], bool]
    files: list[Taken] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    housekeeping: int = 0  # files of macOS, Windows and Jupyter that nobody handed in
    taken: int = 0  # bytes
    entries: int = 0

    def take(self, download: Path) -> None:
        """Take from a folder or a zip.

        Raises:
            Refused: the download itself cannot be read.
            OSError: it is not there, or not readable.
        """
        if download.is_dir():
            self._folder(download)
        else:
            self._zip(download, (), 0, 2**32)

    def _folder(self, folder: Path) -> None:
        for place, folders, names in os.walk(folder):
            folders.sort()
            for name in sorted(names):
                path = Path(place) / name
                parts = path.relative_to(folder).parts
                if not stat.S_ISREG(path.lstat().st_mode):
                    self._leave(parts, "it is a link or a device, not a file")
                else:
                    with path.open("rb") as stream:
                        self._entry(parts, stream, 0)

    def _zip(self, path: Path, parts: tuple[str, ...], depth: int, directory: int) -> None:
        if _directory_size(path) > directory:
            raise Refused("the list of its names is too long")
        try:
            with zipfile.ZipFile(path) as archive:
                for entry in archive.infolist():
                    if not entry.filename:
                        self._leave((*parts, "?"), "it has no name")
                    elif not entry.is_dir():
                        self._member(archive, entry, parts, depth)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, struct.error) as error:
            raise Refused(f"it is no zip, or a damaged one ({error})") from None

    def _member(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...], depth: int) -> None:
        name = _name(entry)
        own = tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))
        parts = (*parts, *own)
        mode = entry.external_attr >> 16
        if name.startswith(("/", "\\")) or ".." in own or name[1:2] == ":":
            self._leave(parts, "its name points out of the archive")
        elif mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            self._leave(parts, "it is a link or a device, not a file")
        elif entry.flag_bits & FLAG_ENCRYPTED:
            self._leave(parts, "it is locked with a password")
        elif entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self._leave(parts, "it is compressed in a way that is not read; ask for an ordinary zip")
        else:
            try:
                with archive.open(entry) as stream:
                    self._entry(parts, stream, depth)
            except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError) as error:
                self._leave(parts, f"it is damaged ({error})")
            except Exception as error:
                if type(error).__module__ != "zlib":
                    raise
                self._leave(parts, f"it is damaged ({error})")

    def _entry(self, parts: tuple[str, ...], stream: IO[bytes], depth: int) -> None:
        """One file, wherever it was found."""
        self.entries += 1
        if self.entries > MAX_ENTRIES:
            raise Refused(f"there are more than {MAX_ENTRIES} files")
        last = parts[-1].lower() if parts else ""
        if set(parts) & set(HOUSEKEEPING) or last.startswith("._"):
            self.housekeeping += 1
            return
        try:
            if self.wanted(last):
                self.files.append(Taken(parts, self._store(stream, MAX_BYTES)))
            elif last.endswith(".zip") and depth < MAX_DEPTH:
                inner = self._store(stream, MAX_NESTED)
                self._zip(inner, parts, depth + 1, MAX_DIRECTORY)
                inner.unlink()
            elif last.endswith((".zip", *ARCHIVES)):
                self._leave(parts, "archives of this kind, or this deep in others, are not opened")
            else:
                self._leave(parts, "it is no notebook")
        except Refused as error:
            self._leave(parts, str(error))

    def _store(self, stream: IO[bytes], most: int) -> Path:
        """Copy, trusting no size that the archive states."""
        path = self.to / f"{self.entries:06d}"
        size = 0
        with path.open("wb") as file:
            while block := stream.read(2**20):
                size, self.taken = size + len(block), self.taken + len(block)
                if size > most:
                    path.unlink()
                    raise Refused(f"it has more than {most >> 20} MiB")
                if self.taken > MAX_TOTAL:
                    path.unlink()
                    raise Refused(f"the whole download has more than {MAX_TOTAL >> 30} GiB")
                file.write(block)
        return path

    def _leave(self, parts: tuple[str, ...], reason: str) -> None:
        self.left_out.append(("/".join(parts), reason))


def _name(entry: zipfile.ZipInfo) -> str:
    """The name as it was meant: many programs write UTF-8 without saying so, which is then read as cp437."""
    if entry.flag_bits & FLAG_UTF8:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def _directory_size(path: Path) -> int:
    """How many bytes the zip says that its list of names has: Python would read them all at once."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2**16 - 22))
        tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) < end + 22:
        raise Refused("it is no zip, or a damaged one (its end is missing)")
    size = struct.unpack_from("<L", tail, end + 12)[0]
    return 2**40 if size == 2**32 - 1 else size

"""What a download holds, taken out safely: a zip or a folder, zips within it too, and nothing but what is asked for.

No name in an archive ever becomes a path: what is taken out lies under numbers, and keeps its name as plain text.
What may be taken out is counted for each learner: who hands in too much is left out, and nobody else.
"""

import os
import stat
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from autograder.submissions.reading import MAX_BYTES

MAX_FILES = 5_000  # of one learner, those in archives too
MAX_SUBMISSION = 256 * 2**20  # bytes that are taken out for one learner
MAX_TOTAL = 16 * 2**30  # bytes of one download; beyond it, no learner gets more than an equal share of it
MAX_DIRECTORY = 2**20  # of the list of names of a zip within: more than MAX_FILES of ordinary length
MAX_NAME = 1_000  # characters of a file's name, with its folders
MAX_FOLDERS = 30  # within each other
MAX_DEPTH = 3  # of archives in archives
HOUSEKEEPING = ("__MACOSX", ".ipynb_checkpoints", ".DS_Store", "Thumbs.db", "desktop.ini")
ARCHIVES = (".7z", ".rar", ".tar", ".gz", ".tgz", ".bz2", ".xz")
FLAG_ENCRYPTED, FLAG_UTF8 = 0x1, 0x800
DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, ValueError, NotImplementedError)


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


class TooMuch(Refused):
    """One learner has handed in more than is taken out for one."""


class NoRoom(Exception):
    """Nothing can be taken out, for there is nowhere to put it; the message says why."""


@dataclass
class Unpacking:
    """Takes files out of a download into the folder ``to``; ``left_out`` says of each other file why.

    ``owner`` tells by a file's names whose it is: one text for each learner, and none for what is nobody's.
    """

    to: Path
    wanted: Callable[[str], bool]
    owner: Callable[[tuple[str, ...]], str] = lambda parts: ""
    files: list[Taken] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    housekeeping: int = 0  # files of macOS, Windows and Jupyter that nobody handed in
    seen: Counter[str] = field(default_factory=Counter)  # files, by learner
    size: Counter[str] = field(default_factory=Counter)  # bytes that were taken out, by learner
    refused: set[str] = field(default_factory=set)  # learners who handed in too much
    total: int = 0  # bytes
    number: int = 0  # of the last file that was taken out
    share: int = MAX_SUBMISSION  # of each learner, once the total is reached

    def take(self, download: Path) -> None:
        """Take from a folder or a zip.

        Raises:
            Refused: the download itself cannot be read.
            OSError: it is not there, or not readable.
            NoRoom: what it holds cannot be put anywhere.
        """
        if download.is_dir():
            self._folder(download)
        else:
            self._zip(download, (), 0)

    def _folder(self, folder: Path) -> None:
        paths = []
        for place, folders, names in os.walk(folder):
            parts = Path(place).relative_to(folder).parts
            if len(parts) >= MAX_FOLDERS and folders:
                self._leave(parts, f"more than {MAX_FOLDERS} folders lie within each other")
                folders.clear()
            folders.sort()
            paths += [(Path(place, name), (*parts, name)) for name in sorted(names)]
        self._divide(parts for _, parts in paths)
        for path, parts in paths:
            try:
                if stat.S_ISREG(path.lstat().st_mode):
                    with path.open("rb") as stream:
                        self._entry(parts, stream, 0)
                else:
                    self._leave(parts, "it is a link or a device, not a file")
            except OSError as error:
                self._leave(parts, f"it cannot be read ({error.strerror})")

    def _zip(self, path: Path, parts: tuple[str, ...], depth: int) -> None:
        with path.open("rb") as file:
            try:
                if depth and directory_size(file) > MAX_DIRECTORY:
                    raise Refused("the list of its names is too long")
                archive = zipfile.ZipFile(file)
            except DAMAGED as error:
                raise Refused(f"it is no zip, or a damaged one ({error})") from None
            entries = archive.infolist()
            if depth:
                self._count(parts, len(entries))
            else:
                self._divide(_own(_name(entry)) for entry in entries)
            for entry in entries:
                if not entry.filename:
                    self._leave((*parts, "?"), "it has no name")
                elif not entry.is_dir():
                    self._member(archive, entry, parts, depth)

    def _divide(self, names: Iterator[tuple[str, ...]]) -> None:
        learners = {self.owner(parts) for parts in names if len("/".join(parts)) <= MAX_NAME}
        self.share = min(MAX_SUBMISSION, MAX_TOTAL // max(1, len(learners)))

    def _member(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, parts: tuple[str, ...], depth: int) -> None:
        name = _name(entry)
        own = _own(name)
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
                stream = archive.open(entry)
            except DAMAGED as error:
                self._leave(parts, f"it is damaged ({error})")
                return
            with stream:
                self._entry(parts, stream, depth)

    def _entry(self, parts: tuple[str, ...], stream: IO[bytes], depth: int) -> None:
        """One file, wherever it was found. Too much in an archive leaves out the outermost one, as a whole."""
        last = parts[-1].lower() if parts else ""
        if set(parts) & set(HOUSEKEEPING) or last.startswith("._"):
            self.housekeeping += 1
            return
        before = len(self.files)
        try:
            if not depth:
                self._count(parts, 1)
            if len("/".join(parts)) > MAX_NAME:
                raise Refused(f"its name has more than {MAX_NAME} characters")
            if self.wanted(last):
                self.files.append(Taken(parts, self._store(parts, stream, MAX_BYTES)))
            elif last.endswith(".zip") and depth < MAX_DEPTH:
                inner = self._store(parts, stream, MAX_SUBMISSION)
                try:
                    self._zip(inner, parts, depth + 1)
                finally:
                    inner.unlink()
            elif last.endswith((".zip", *ARCHIVES)):
                self._leave(parts, "archives of this kind, or this deep in others, are not opened")
            else:
                self._leave(parts, "it is no notebook")
        except TooMuch as error:
            if depth:
                raise
            for file in self.files[before:]:
                file.path.unlink()
            del self.files[before:]
            if (owner := self.owner(parts)) not in self.refused:  # one line, however many files
                self._leave(parts, str(error))
                self.refused.add(owner)
        except Refused as error:
            self._leave(parts, str(error))

    def _count(self, parts: tuple[str, ...], files: int) -> None:
        owner = self.owner(parts)
        self.seen[owner] += files
        if owner and self.seen[owner] > MAX_FILES:
            raise TooMuch(f"{owner} has more than {MAX_FILES} files; it and those after it are left out")

    def _store(self, parts: tuple[str, ...], stream: IO[bytes], most: int) -> Path:
        """Copy, trusting no size that the archive states."""
        self.number += 1
        owner, path, size = self.owner(parts), self.to / f"{self.number:06d}", 0
        try:
            with path.open("wb") as file:
                for block in _blocks(stream):
                    size += len(block)
                    self.size[owner] += len(block)
                    self.total += len(block)
                    if size > most:
                        raise Refused(f"it has more than {most >> 20} MiB")
                    allowed = MAX_SUBMISSION if self.total <= MAX_TOTAL else self.share
                    if self.size[owner] > allowed:
                        whose = owner or "what is nobody's"
                        raise TooMuch(f"{whose} has more than {allowed >> 20} MiB; it and those after it are left out")
                    file.write(block)
        except Refused:
            path.unlink()
            raise
        except OSError as error:
            raise NoRoom(f"{self.to} cannot be written: {error.strerror}; TMPDIR names another place") from None
        return path

    def _leave(self, parts: tuple[str, ...], reason: str) -> None:
        name = "/".join(parts)
        self.left_out.append((name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…", reason))


def _blocks(stream: IO[bytes]) -> Iterator[bytes]:
    while True:
        try:
            block = stream.read(2**20)
        except DAMAGED as error:
            raise Refused(f"it is damaged ({error})") from None
        if not block:
            return
        yield block


def _own(name: str) -> tuple[str, ...]:
    """The folders and the file that a name in an archive names."""
    return tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def _name(entry: zipfile.ZipInfo) -> str:
    """The name as it was meant: many programs write UTF-8 without saying so, which is then read as cp437."""
    if entry.flag_bits & FLAG_UTF8:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename


def directory_size(file: IO[bytes]) -> int:
    """How many bytes the zip says that its list of names has: Python would read them all at once."""
    file.seek(max(0, file.seek(0, os.SEEK_END) - 2**16 - 22))
    tail = file.read()
    end = tail.rfind(b"PK\x05\x06")
    if end < 0 or len(tail) < end + 22:
        raise Refused("it is no zip, or a damaged one (its end is missing)")
    size = struct.unpack_from("<L", tail, end + 12)[0]
    return 2**40 if size == 2**32 - 1 else size

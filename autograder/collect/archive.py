"""Safely extracts the wanted files from a download: a zip or a folder, including nested zips.

Names in an archive never become paths: extracted files are numbered, and keep their names as plain text.
Limits apply to each learner: those who submit too much are left out, and nobody else.
"""

import io
import os
import stat
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import IO

from autograder.errors import UsageError
from autograder.notebook_files.bundle import MAX_BESIDE, MAX_DIRECTORY, directory_size, may_be_beside, time_of
from autograder.notebook_files.content import Content, look
from autograder.notebook_files.file_text import MAX_BYTES, Unreadable
from autograder.notebook_files.tars import DAMAGED, as_zip, is_packed
from autograder.notebook_files.which_notebook import LOOKED_AT, OPENED, UNOPENED
from autograder.submissions.submitted_files import HOUSEKEEPING, MAX_SUBMISSION

MAX_FILES = 5_000  # of one learner, including those in archives
MAX_TOTAL = 16 * 2**30  # bytes of one download; beyond it, each learner is limited to an equal share
MAX_OTHERS = 64 * 2**20  # of these, in files that are not named like notebooks
MAX_NAME = 1_000  # characters of a file's path
MAX_FOLDERS = 30  # nested
MAX_DEPTH = 3  # of archives in archives
FLAG_ENCRYPTED, FLAG_UTF8 = 0x1, 0x800


@dataclass(frozen=True)
class ExtractedFile:
    """One file from a download: the components of its name, and the path where it was extracted."""

    parts: tuple[str, ...]
    path: Path
    time: tuple[int, ...] = ()  # of its last change, in a learner's own archive; those of a download are the download's

    @property
    def name(self) -> str:
        return "/".join(self.parts)

    @cached_property
    def content(self) -> Content:
        """What the file says of itself."""
        return look(self.path.read_bytes())


class Refused(Exception):
    """The file is not extracted; the message says why."""


class TooMuch(Refused):
    """One learner's files exceed the limits."""


@dataclass
class Unpacking:
    """Extracts files from a download into the folder ``to``; ``left_out`` gives the reason for each skipped file.

    ``owner`` maps a file's name to a text unique to each learner; empty for nobody's files.
    """

    to: Path
    wanted: Callable[[str], bool]
    owner: Callable[[tuple[str, ...]], str] = lambda parts: ""
    files: list[ExtractedFile] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    housekeeping: int = 0  # files made by macOS, Windows and Jupyter, or in hidden folders
    counts: Counter[str] = field(default_factory=Counter)  # files, by learner
    size: Counter[str] = field(default_factory=Counter)  # extracted bytes, by learner
    others: Counter[str] = field(default_factory=Counter)  # of these, in files that are not named like notebooks
    refused: set[str] = field(default_factory=set)  # learners who submitted too much
    total: int = 0  # bytes
    number: int = 0  # of the last extracted file
    share: int = MAX_SUBMISSION  # bytes for each learner, once the total is reached

    def take(self, download: Path) -> None:
        """Extract from a folder or a zip; raises UsageError if it cannot be read, or its files cannot be written."""
        before = self.number, len(self.left_out), self.housekeeping
        try:
            if download.is_dir():
                self._folder(download)
            else:
                self._zip(download, (), 0)
            if (self.number, len(self.left_out), self.housekeeping) == before:
                raise Refused("there is nothing in it; download it again")
        except (OSError, Refused) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise UsageError(f"the download {download} cannot be read: {reason}.") from None

    def _folder(self, folder: Path) -> None:
        paths = []
        for above, folders, names in os.walk(folder):
            parts = Path(above).relative_to(folder).parts
            if len(parts) >= MAX_FOLDERS and folders:
                self._leave(parts, f"folders are nested more than {MAX_FOLDERS} deep")
                folders.clear()
            folders.sort()
            paths += [(Path(above, name), (*parts, name)) for name in sorted(names)]
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
                    raise Refused("its list of file names is too long")
                archive = zipfile.ZipFile(file)
            except DAMAGED as error:
                if path.suffix.lower() == ".ipynb" and not depth:
                    raise Refused("it is one notebook: put it into a folder called like its learner") from None
                damaged = f"or is damaged ({error})" + ("" if depth else "; download it again")
                packed = "unpack it, and name the folder" if path.suffix.lower() in UNOPENED else damaged
                raise Refused(f"it is not a zip, {packed}") from None
            entries = archive.infolist()
            if depth:
                self._count(parts, len(entries))
            else:
                self._divide(_components(_name(entry)) for entry in entries)
                files = [entry for entry in entries if entry.filename and not entry.is_dir()]
                if files and all(entry.flag_bits & FLAG_ENCRYPTED for entry in files):
                    raise Refused("it is protected by a password; unpack it with that, and name the folder")
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
        components = _components(name)
        parts = (*parts, *components)
        mode = entry.external_attr >> 16
        if name.startswith(("/", "\\")) or ".." in components or name[1:2] == ":":
            self._leave(parts, "its name points outside the archive")
        elif mode and stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            self._leave(parts, "it is a link or a device, not a file")
        elif entry.flag_bits & FLAG_ENCRYPTED:
            self._leave(parts, "it is protected by a password")
        elif entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            self._leave(parts, "its compression method is not supported; ask for an ordinary zip")
        else:
            try:
                stream = archive.open(entry)
            except DAMAGED as error:
                self._leave(parts, f"it is damaged ({error})")
                return
            with stream:
                self._entry(parts, stream, depth, time_of(entry) if depth else ())

    def _entry(self, parts: tuple[str, ...], stream: IO[bytes], depth: int, time: tuple[int, ...] = ()) -> None:
        """Process one file. Exceeding a learner's limits inside an archive leaves out the outermost archive whole."""
        last = parts[-1].lower() if parts else ""
        is_hidden = any(part.startswith(".") for part in parts[:-1])  # in .git, .venv
        if set(parts) & set(HOUSEKEEPING) or last.startswith("._") or (is_hidden and not self.wanted(last)):
            self.housekeeping += 1
            return
        before = len(self.files)
        try:
            if not depth:
                self._count(parts, 1)
            if len("/".join(parts)) > MAX_NAME:
                raise Refused(f"its name has more than {MAX_NAME} characters")
            if self.wanted(last):
                self.files.append(ExtractedFile(parts, self._store(parts, stream, MAX_BYTES), time))
            elif last.endswith((OPENED, *UNOPENED)) and depth < MAX_DEPTH:
                self._archive(parts, stream, depth)
            elif last.endswith((OPENED, *UNOPENED)):
                self._leave(parts, "archives of this kind, or nested this deeply, are not opened")
            elif self.owner(parts) and may_be_beside(parts[-1]):
                self._keep(parts, stream)
            else:
                self._leave(parts, "it is not a notebook")
        except TooMuch as error:
            if depth:
                raise
            for file in self.files[before:]:
                file.path.unlink()
            del self.files[before:]
            if (owner := self.owner(parts)) not in self.refused:  # report each learner once
                self._leave(parts, str(error))
                self.refused.add(owner)
        except Refused as error:
            self._leave(parts, str(error))

    def _archive(self, parts: tuple[str, ...], stream: IO[bytes], depth: int) -> None:
        """Opens an archive, of whatever kind its content is, or takes what a single compressed file holds."""
        inner = self._store(parts, stream, MAX_SUBMISSION)
        try:
            data = inner.read_bytes()
            if not (is_packed(data) or parts[-1].lower().endswith(OPENED)):
                raise Refused("archives of this kind, or nested this deeply, are not opened")
            whole = as_zip(data)
            if whole is not data:
                inner.write_bytes(whole)
            if whole is data or is_packed(whole):
                self._zip(inner, parts, depth + 1)
            else:
                self._entry((*parts[:-1], Path(parts[-1]).stem), io.BytesIO(whole), depth + 1)
        except Unreadable:
            raise Refused("it is an archive that is damaged or too large") from None
        finally:
            inner.unlink()

    def _keep(self, parts: tuple[str, ...], stream: IO[bytes]) -> None:
        """Extract a file that a notebook may need, or that may hide one; too many of them cost no notebook."""
        owner = self.owner(parts)
        before, may_hide = self.size[owner], Path(parts[-1]).suffix.lower() in LOOKED_AT
        most = min(MAX_BYTES if may_hide else MAX_BESIDE, MAX_OTHERS - self.others[owner])
        try:
            self.files.append(ExtractedFile(parts, self._store(parts, stream, most)))
        except TooMuch:
            raise
        except Refused:
            self._leave(parts, "it is too large to be kept beside a notebook")
        self.others[owner] += self.size[owner] - before

    def _count(self, parts: tuple[str, ...], files: int) -> None:
        owner = self.owner(parts)
        self.counts[owner] += files
        if owner and self.counts[owner] > MAX_FILES:
            raise TooMuch(f"{owner} has more than {MAX_FILES} files; it and those after it are left out")

    def _store(self, parts: tuple[str, ...], stream: IO[bytes], most: int) -> Path:
        """Copy the stream, not trusting the size stated in the archive."""
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
                        whose = owner or "an unknown owner"
                        raise TooMuch(f"{whose} has more than {allowed >> 20} MiB; it and those after it are left out")
                    file.write(block)
        except Refused:
            path.unlink()
            raise
        except OSError as error:
            reason = f"{error.strerror}; set TMPDIR to another folder"
            raise UsageError(f"{self.to} cannot be written: {reason}.") from None
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


def _components(name: str) -> tuple[str, ...]:
    """The components of a name in an archive."""
    return tuple(part for part in name.replace("\\", "/").split("/") if part not in ("", "."))


def _name(entry: zipfile.ZipInfo) -> str:
    """The intended name: many programs write UTF-8 without the flag, and zipfile reads it as cp437."""
    if entry.flag_bits & FLAG_UTF8:
        return entry.filename
    try:
        return entry.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return entry.filename

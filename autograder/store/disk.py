"""Atomic, durable writes of files that only their owner can read; a lock on a folder; messages for disk errors."""

import contextlib
import errno
import fcntl
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.private import PRIVATE


class StoreError(Exception):
    """The output folder's contents cannot be used or written; the message says why and what to do."""


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """``with replacing(path) as fresh: ...``: the file that the block writes and syncs takes the place of another.

    A crash before that leaves the old file, or none. Only the owner can read it. It may be an SQLite database.
    """
    make_durably(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    fresh.unlink(missing_ok=True)
    os.close(os.open(fresh, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        yield fresh
        os.replace(fresh, path)
    finally:
        for ending in ("", "-journal", "-wal", "-shm"):
            Path(f"{fresh}{ending}").unlink(missing_ok=True)
    sync(path.parent)


def write_durably(path: Path, text: str | bytes) -> None:
    """When this returns, the whole file is on disk; a crash before that leaves the old file, or none."""
    with replacing(path) as fresh, fresh.open("wb") as file:
        file.write(text.encode() if isinstance(text, str) else text)
        file.flush()
        os.fsync(file.fileno())


def make_durably(folder: Path) -> list[Path]:
    """Creates the folder and its missing parents durably: a power cut must not lose a new folder with files in it.

    Returns those that it created, the outermost first.
    """
    if folder.is_dir():
        return []
    created = make_durably(folder.parent)
    folder.mkdir(mode=PRIVATE, exist_ok=True)
    sync(folder.parent)
    return [*created, folder]


def sync(path: Path) -> None:
    """Waits until a file's data, or a folder's entries, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


REMEDIES = {
    errno.ENOSPC: "the disk is full: make room",
    errno.EDQUOT: "your quota on this disk is used up: make room",
    errno.EROFS: "it is read-only: choose another --output",
    errno.EACCES: "you may not write to it: choose another --output, or ask its owner",
    errno.EPERM: "you may not write to it: choose another --output, or ask its owner",
    errno.EIO: "the disk reports an error: save what is there, and choose another --output",
    errno.ENOTDIR: "expected a folder, found a file: move it away",
    errno.EISDIR: "expected a file, found a folder: move it away",
}


# The same for any path that a command was given.
PLAIN = {
    errno.ENOENT: "it is not there, and cannot be made there",
    errno.EEXIST: "expected a folder, found a file",
    errno.ENOTDIR: "a file stands where a folder above it is expected",
    errno.EISDIR: "expected a file, found a folder",
}


def describe_path_error(error: OSError) -> str:
    """Describes why a path cannot be used; empty if the error names none."""
    path, reason = error.filename2 or error.filename, error.strerror
    return f"{os.fsdecode(path)}: {PLAIN.get(error.errno or 0) or reason.lower()}." if path and reason else ""


def describe_disk_error(error: OSError, output: Path) -> StoreError | None:
    """Describes a disk error below ``output`` and what to do about it; None for other errors and places."""
    name = error.filename2 or error.filename  # filename2: the target of a rename
    path = Path(os.fsdecode(name)) if name else output
    if error.errno not in REMEDIES or not path.resolve().is_relative_to(output.resolve()):
        return None
    return StoreError(f"{path}: {REMEDIES[error.errno]}; what was judged is kept, the same command goes on from there.")


@contextlib.contextmanager
def locked(output: Path) -> Iterator[None]:
    """``with locked(output): ...``: one grading run at a time writes to the folder; its file ``lock`` names the holder.

    The kernel releases the lock when the process ends, however it ends: a killed run leaves an unlocked file, which the
    next run reuses. Folders created for the lock are removed with it if they are still empty.

    Raises:
        StoreError: another run holds it, or the block met a disk error below ``output``.
    """
    path, created = output / "lock", list[Path]()
    try:
        created = make_durably(output)
        descriptor = _lock(path)
        try:
            with contextlib.suppress(OSError):  # on a full disk the name is not written; the lock still holds
                os.ftruncate(descriptor, 0)
                holder = f"process {os.getpid()} on {socket.gethostname()} since {time.strftime('%Y-%m-%d %H:%M')}\n"
                os.write(descriptor, holder.encode())
            yield
        finally:
            with contextlib.suppress(OSError):
                path.unlink()
            os.close(descriptor)
    except OSError as error:
        raise describe_disk_error(error, output) or error from None
    finally:
        with contextlib.suppress(OSError):  # non-empty folders stay
            while created:
                created.pop().rmdir()


def _lock(path: Path) -> int:
    """A descriptor of the locked file, which is still at this path: the previous holder may just have removed it."""
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            raise StoreError(
                f"{path} is a link, expected a file or nothing: remove it; links are not followed."
            ) from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(descriptor), path.stat()):
                return descriptor
        except BlockingIOError:
            writing = _writing(path.parent, "another", descriptor)
            os.close(descriptor)
            raise StoreError(f"{writing}; wait until it is done, or choose another --output.") from None
        except FileNotFoundError:
            pass
        os.close(descriptor)


def run_on(output: Path) -> str:
    """Which grading run is writing to the folder now, in words; empty if none is."""
    with contextlib.suppress(OSError), (output / "lock").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return _writing(output, "a", file.fileno())
    return ""


def _writing(output: Path, which: str, descriptor: int) -> str:
    holder = " ".join(os.read(descriptor, 200).decode("utf-8", "replace").split()) or "its process is unknown"
    return f"{output} is being written by {which} grading run ({holder})"

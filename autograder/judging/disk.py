"""Files that are whole and on disk before the next step, for their owner alone; and the disk's errors in words."""

import errno
import os
from pathlib import Path

from autograder.private import PRIVATE


class StoreError(Exception):
    """What lies under the output folder cannot be used or added to; the message says why and what to do."""


def write_durably(path: Path, text: str | bytes) -> None:
    """After this returns the file is whole on disk; a crash before that leaves the old one, or none."""
    make_durably(path.parent)
    fresh = path.with_name(f".{path.name}.{os.getpid()}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode() if isinstance(text, str) else text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(fresh, path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync(path.parent)


def make_durably(folder: Path) -> None:
    """The folder and those above it: a power cut must not take a new folder away with the files in it."""
    if not folder.is_dir():
        make_durably(folder.parent)
        folder.mkdir(mode=PRIVATE, exist_ok=True)
        sync(folder.parent)


def sync(path: Path) -> None:
    """Waits until a file's bytes, or a folder's entries, are on disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


MENDED_BY = {
    errno.ENOSPC: "the disk is full: make room",
    errno.EDQUOT: "your quota on this disk is used up: make room",
    errno.EROFS: "it can only be read: choose another --output",
    errno.EACCES: "it is not yours to write: choose another --output, or ask its owner",
    errno.EPERM: "it is not yours to write: choose another --output, or ask its owner",
    errno.EIO: "the disk reports an error: save what is there, and choose another --output",
    errno.ENOTDIR: "a file lies where a folder is expected: move it away",
    errno.EISDIR: "a folder lies where a file is expected: move it away",
}


def mishap(error: OSError, output: Path) -> StoreError | None:
    """The error of the disk below ``output`` in words, with what to do about it; none for an error from elsewhere."""
    name = error.filename2 or error.filename  # of a renaming, where to
    place = Path(os.fsdecode(name)) if name else output
    if error.errno not in MENDED_BY or not place.resolve().is_relative_to(output.resolve()):
        return None
    return StoreError(
        f"{place}: {MENDED_BY[error.errno]}; what was judged is kept, the same command goes on from there."
    )

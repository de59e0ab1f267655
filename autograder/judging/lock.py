"""One grading run at a time writes below an output folder."""

import contextlib
import errno
import fcntl
import os
import socket
import time
from pathlib import Path

from autograder.judging.disk import StoreError, sync
from autograder.private import PRIVATE

NAME = "lock"


class Lock:
    """``with Lock(output): ...``; the file ``lock`` there says who holds it.

    The kernel lets go of the lock when its process ends, however it ends: what a killed run leaves behind is a file
    that nobody holds, and the next run takes it over. A folder that was made for the lock alone goes with it.
    """

    def __init__(self, output: Path) -> None:
        self.path = output / NAME
        self.made: list[Path] = []

    def __enter__(self) -> "Lock":
        """Raises StoreError if another run holds it, OSError if the folder cannot be written."""
        self._make(self.path.parent)
        try:
            while True:
                self.descriptor = self._open()
                if self._taken() and self._is_there():
                    break
                os.close(self.descriptor)
        except BaseException:
            self._unmake()
            raise
        with contextlib.suppress(OSError):  # a full disk cannot take the name; the lock holds without it
            os.ftruncate(self.descriptor, 0)
            holder = f"process {os.getpid()} on {socket.gethostname()} since {time.strftime('%Y-%m-%d %H:%M')}\n"
            os.write(self.descriptor, holder.encode())
        return self

    def __exit__(self, *reason: object) -> None:
        with contextlib.suppress(OSError):
            self.path.unlink()
        os.close(self.descriptor)
        self._unmake()

    def _open(self) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            raise StoreError(
                f"{self.path} is a link, expected a file or nothing: remove it; it is not followed."
            ) from None

    def _taken(self) -> bool:
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            holder = " ".join(os.read(self.descriptor, 200).decode("utf-8", "replace").split()) or "another process"
            os.close(self.descriptor)
            raise StoreError(
                f"{self.path.parent} is being written by another grading run ({holder}); "
                "wait until it is done, or choose another --output."
            ) from None
        except OSError as error:
            os.close(self.descriptor)
            if error.errno not in (errno.ENOLCK, errno.EOPNOTSUPP):
                raise
            raise StoreError(f"{self.path.parent} is on a disk without locks; choose a local --output.") from None

    def _is_there(self) -> bool:
        """The file that is locked is still the one at its place: its last holder may just have removed it."""
        try:
            return os.path.samestat(os.fstat(self.descriptor), self.path.stat())
        except FileNotFoundError:
            return False

    def _make(self, folder: Path) -> None:
        if not folder.is_dir():
            self._make(folder.parent)
            folder.mkdir(mode=PRIVATE, exist_ok=True)
            sync(folder.parent)
            self.made.append(folder)

    def _unmake(self) -> None:
        with contextlib.suppress(OSError):  # what is not empty stays
            while self.made:
                self.made.pop().rmdir()

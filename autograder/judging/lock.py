"""Ensures that only one grading run at a time writes to an output folder."""

import contextlib
import errno
import fcntl
import os
import socket
import time
from pathlib import Path

from autograder.judging.disk import StoreError, make_durably

NAME = "lock"


class Lock:
    """``with Lock(output): ...``; the file ``lock`` in that folder names the holder.

    The kernel releases the lock when the process ends, however it ends: a killed run leaves an unlocked file, which the
    next run reuses. Folders created for the lock are removed with it if they are still empty.
    """

    def __init__(self, output: Path) -> None:
        self.path = output / NAME

    def __enter__(self) -> "Lock":
        """Raises StoreError if another run holds it, OSError if the folder cannot be written."""
        self.made = make_durably(self.path.parent)
        try:
            while True:
                self.descriptor = self._open()
                self._acquire()
                if self._is_current():
                    break
                os.close(self.descriptor)
        except BaseException:
            self._remove_folders()
            raise
        with contextlib.suppress(OSError):  # on a full disk the name is not written; the lock still holds
            os.ftruncate(self.descriptor, 0)
            holder = f"process {os.getpid()} on {socket.gethostname()} since {time.strftime('%Y-%m-%d %H:%M')}\n"
            os.write(self.descriptor, holder.encode())
        return self

    def __exit__(self, *reason: object) -> None:
        with contextlib.suppress(OSError):
            self.path.unlink()
        os.close(self.descriptor)
        self._remove_folders()

    def _open(self) -> int:
        try:
            return os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600)
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            raise StoreError(
                f"{self.path} is a link, expected a file or nothing: remove it; links are not followed."
            ) from None

    def _acquire(self) -> None:
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = " ".join(os.read(self.descriptor, 200).decode("utf-8", "replace").split()) or "another process"
            os.close(self.descriptor)
            raise StoreError(
                f"{self.path.parent} is being written by another grading run ({holder}); "
                "wait until it is done, or choose another --output."
            ) from None

    def _is_current(self) -> bool:
        """Whether the locked file is still the one at this path: the previous holder may just have removed it."""
        try:
            return os.path.samestat(os.fstat(self.descriptor), self.path.stat())
        except FileNotFoundError:
            return False

    def _remove_folders(self) -> None:
        with contextlib.suppress(OSError):  # non-empty folders stay
            while self.made:
                self.made.pop().rmdir()

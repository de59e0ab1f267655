"""Waits for what arrives in a folder, by looking: that works on every file system, those of a network among them."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from time import sleep

PAUSE_SECONDS = 2.0
Seen = frozenset[tuple[str, int, int, int]]  # path, size, time of change, and which file it is


class Arrivals:
    """What lies in a folder, and whether there is something new that lies still."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.before: Seen = frozenset()  # at the last look
        self.done: Seen = frozenset()

    def are_ready(self) -> bool:
        """Whether something has changed since :meth:`take`, but not since the last look: it is not being written."""
        now = _files(self.folder)
        still, self.before = now == self.before, now
        return still and now != self.done

    def take(self) -> None:
        """What was there at the last look needs no more attention."""
        self.done = self.before


def watch(folders: Sequence[tuple[Arrivals, Callable[[], bool]]]) -> None:
    """Calls each folder's function when something has arrived there, again and again until it returns True; for ever.

    Ends by an exception alone, such as KeyboardInterrupt.
    """
    while True:
        for arrivals, act in folders:
            if arrivals.are_ready() and act():
                arrivals.take()
        sleep(PAUSE_SECONDS)


def _files(folder: Path) -> Seen:
    entries = set()
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            try:
                about = os.lstat(path)
            except OSError:  # it has just been taken away
                continue
            entries.add((path, about.st_size, about.st_mtime_ns, about.st_ino))
    return frozenset(entries)

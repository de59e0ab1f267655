"""A disk that loses its power: of what was not synced, any part may be gone.

Every call by which the grader makes something durable is a moment at which the power can go: syncs of files and
folders, renames, new folders, and the commits to both databases. SQLite's own files, the gradebook's and those of the
grader's state, are taken as they are, because SQLite syncs them itself.
"""

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine.default import DefaultDialect

from autograder.store.state import State
from autograder.store.verdicts import Store
from tests.faults.small_class import grade

MODES = ("kept", "lost", "torn")  # of what was not synced: all is there; nothing is; the first half of each file is
CALLS = ("fsync", "replace", "mkdir")


@contextlib.contextmanager
def each_step(step: Callable[[int], None]) -> Iterator[None]:
    """Calls ``step`` with its number before each of these functions of ``os`` and each commit to a database."""
    steps, is_inside = 0, False

    def count() -> None:
        nonlocal steps, is_inside
        if not is_inside:
            steps, is_inside = steps + 1, True
            try:
                step(steps)
            finally:
                is_inside = False

    def before(real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            count()
            return real(*arguments, **options)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for owner, name in [*((os, name) for name in CALLS), (State, "commit"), (DefaultDialect, "do_commit")]:
            patch.setattr(owner, name, before(getattr(owner, name)))
        yield


def cuts(course: Path, folder: Path, place: Path, wanted: Callable[[int, str], bool]) -> dict[Path, int]:
    """What each wanted power cut (before a step, in a mode) leaves of a run → how many verdicts were stored then."""
    left: dict[Path, int] = {}
    puts: list[Any] = []
    put = Store.put

    def counted(*arguments: Any) -> None:
        put(*arguments)
        puts.append(arguments)

    def step(number: int) -> None:
        for mode in MODES:
            if wanted(number, mode):
                disk.leave(place / f"{number} {mode}", mode)
                left[place / f"{number} {mode}"] = len(puts)

    with Disk(place / "out") as disk, each_step(step), pytest.MonkeyPatch.context() as patch:
        patch.setattr(Store, "put", counted)
        grade(course, folder, place / "out")
    return left


class Disk:
    """Watches the syncs below ``top``; ``leave(folder, mode)`` writes what a power cut would leave of it now."""

    def __init__(self, top: Path) -> None:
        self.top = top.resolve()
        self.contents: dict[int, bytes] = {}  # inode → what was synced of the file
        self.entries: dict[Path, dict[str, int]] = {}  # folder → its synced names and their inodes
        self.held: dict[int, int] = {}  # inode → descriptor, which keeps the number from being given to another file

    def __enter__(self) -> "Disk":
        self.fsync, os.fsync = os.fsync, self.sync
        return self

    def __exit__(self, *reason: object) -> None:
        os.fsync = self.fsync
        for descriptor in self.held.values():
            os.close(descriptor)

    def sync(self, descriptor: int) -> None:
        self.fsync(descriptor)
        path = Path(os.readlink(f"/proc/self/fd/{descriptor}"))
        if path.is_relative_to(self.top) and path.is_dir():
            self.entries[path] = {entry.name: self.hold(entry) for entry in path.iterdir()}
        elif path.is_relative_to(self.top):
            self.contents[self.hold(path)] = path.read_bytes()

    def hold(self, path: Path) -> int:
        number = path.stat().st_ino
        if number not in self.held:
            self.held[number] = os.open(path, os.O_RDONLY)
        return number

    def leave(self, folder: Path, mode: str) -> None:
        self._leave(self.top, folder, mode)
        for path in (*self.top.glob("gradebook.db*"), *self.top.glob("state.db*")):
            if not path.name.endswith("-shm"):  # is memory that a process shares, and is made anew
                (folder / path.name).write_bytes(path.read_bytes())

    def _leave(self, place: Path, folder: Path, mode: str) -> None:
        folder.mkdir(parents=True)
        now = {path.name: path.stat().st_ino for path in place.iterdir()} if place.is_dir() else {}
        for name, number in (self.entries.get(place, {}) if mode == "lost" else now).items():
            if (place / name).is_dir():
                self._leave(place / name, folder / name, mode)
                continue
            synced = self.contents.get(number, b"")
            content = synced if mode == "lost" else (place / name).read_bytes()
            is_torn = mode == "torn" and content != synced
            (folder / name).write_bytes(content[: len(content) // 2] if is_torn else content)

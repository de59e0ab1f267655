"""A disk that loses its power: of what was not synced, any part may be gone.

Every call by which the grader makes something durable is a moment at which the power can go: syncs of files and
folders, renames, new folders, and the commits to both databases. SQLite's own files, the
gradebook's and those of the grader's state, are taken as they are, because SQLite syncs them itself.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from autograder.judging.state import State

MODES = ("kept", "lost", "torn")  # of what was not synced: all is there; nothing is; the first half of each file is


def each_step(patch: pytest.MonkeyPatch, step: Callable[[str], None], calls: tuple[str, ...]) -> None:
    """Calls ``step`` before each call of these functions of ``os``."""

    def before(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **options: Any) -> Any:
            step(name)
            return real(*arguments, **options)

        return call

    for name in calls:
        patch.setattr(os, name, before(name, getattr(os, name)))


def each_commit(step: Callable[[str], None]) -> Callable[[], None]:
    """Calls ``step`` before each commit to a gradebook or to the state; returns what ends this."""
    commit = State.commit

    def before(connection: object) -> None:
        step("commit")

    def stepped(state: State, connection: object) -> None:
        step("commit")
        commit(state, connection)

    def end() -> None:
        event.remove(Engine, "commit", before)
        State.commit = commit

    event.listen(Engine, "commit", before)
    State.commit = stepped
    return end


class Disk:
    """Watches the syncs below ``top``; ``leave(folder, mode)`` writes what a power cut would leave of it now."""

    def __init__(self, top: Path, patch: pytest.MonkeyPatch) -> None:
        self.top = top.resolve()
        self.contents: dict[int, bytes] = {}  # inode → what was synced of the file
        self.entries: dict[Path, dict[str, int]] = {self.top: {}}  # folder → its synced names and their inodes
        self.held: dict[int, int] = {}  # inode → descriptor, which keeps the number from being given to another file
        fsync, sync = os.fsync, os.sync

        def synced(descriptor: int) -> None:
            fsync(descriptor)
            self.note(Path(os.readlink(f"/proc/self/fd/{descriptor}")))

        def all_synced() -> None:
            sync()
            for path in (self.top, *self.top.rglob("*")):
                self.note(path)

        patch.setattr(os, "fsync", synced)
        patch.setattr(os, "sync", all_synced)

    def note(self, path: Path) -> None:
        if not path.is_relative_to(self.top):
            if path == self.top.parent and self.top.exists():
                self.entries[path] = {self.top.name: 0}
            return
        if path.is_dir():
            self.entries[path] = {entry.name: self.hold(entry) for entry in path.iterdir()}
        else:
            self.contents[self.hold(path)] = path.read_bytes()

    def hold(self, path: Path) -> int:
        number = path.stat().st_ino
        if number not in self.held:
            self.held[number] = os.open(path, os.O_RDONLY)
        return number

    def leave(self, folder: Path, mode: str) -> None:
        folder.mkdir()
        self._leave(self.top, folder, mode)
        for path in (*self.top.glob("gradebook.db*"), *self.top.glob("state.db*")):
            if not path.name.endswith("-shm"):  # is memory that a process shares, and is made anew
                (folder / path.name).write_bytes(path.read_bytes())

    def _leave(self, place: Path, folder: Path, mode: str) -> None:
        now = {path.name: path.stat().st_ino for path in place.iterdir()} if place.is_dir() else {}
        known = self.entries.get(place, {})
        for name, number in (known if mode == "lost" else now).items():
            if (place / name).is_dir():
                (folder / name).mkdir()
                self._leave(place / name, folder / name, mode)
            elif mode == "lost":
                (folder / name).write_bytes(self.contents.get(number, b""))
            else:
                content = (place / name).read_bytes()
                whole = mode == "kept" or content == self.contents.get(number)
                (folder / name).write_bytes(content if whole else content[: len(content) // 2])

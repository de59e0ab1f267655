"""Copies of what was graded, and marks of what is written of it: by assignment and student."""

import hashlib
import json
import zlib
from dataclasses import dataclass

from autograder.judging.disk import StoreError
from autograder.judging.state import State
from autograder.submissions.collected import Handed


@dataclass(frozen=True)
class Copy(Handed):
    """A submission as it was when it was graded, wherever its file is now."""

    digest_of_copy: str = ""
    state: State | None = None

    def data(self) -> bytes:
        assert self.state is not None
        own = State(self.state.output)  # asked for in the threads that feed the judges
        try:
            rows = own.rows("SELECT data FROM copy WHERE digest = ?", (self.digest_of_copy,))
        finally:
            own.close()
        try:
            data = zlib.decompress(rows[0][0])
        except (IndexError, TypeError, zlib.error):
            data = None
        if data is None or hashlib.sha256(data).hexdigest() != self.digest_of_copy:
            raise StoreError(f"{self.student}/{self.assignment}: the copy in {own.path} is damaged; use `grade`.")
        return data


class Staged:
    """The rows on one class."""

    def __init__(self, state: State) -> None:
        self.state = state

    def stage(self, handed: Handed, data: bytes) -> None:
        """Keeps the copy, in the place of an older one, and takes the mark away: what is written is that no more."""
        digest = hashlib.sha256(data).hexdigest()
        who = (handed.assignment, handed.student)
        with self.state.change() as rows:
            before = rows.execute("SELECT copy FROM entry WHERE assignment = ? AND student = ?", who).fetchone()
            if before is None or before[0] != digest:
                rows.execute("INSERT OR REPLACE INTO copy VALUES (?, ?)", (digest, zlib.compress(data)))
            about = (digest, handed.timestamp, json.dumps(handed.notes), handed.problem, "", "")
            rows.execute("INSERT OR REPLACE INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*who, *about))
            if before is not None and before[0] != digest:
                unused = "DELETE FROM copy WHERE digest = ? AND digest NOT IN (SELECT copy FROM entry)"
                rows.execute(unused, (before[0],))

    def mark(self, assignment: str, student: str, text: str, made: str = "") -> None:
        """Of what is written, and of what the page was made of."""
        with self.state.change() as rows:
            values = (text, made, assignment, student)
            rows.execute("UPDATE entry SET mark = ?, made = ? WHERE assignment = ? AND student = ?", values)

    def marks(self, assignment: str) -> dict[str, str]:
        """Student → mark, of all that is written."""
        query = "SELECT student, mark FROM entry WHERE assignment = ? AND mark <> '' ORDER BY student"
        return dict(self.state.rows(query, (assignment,)))

    def made(self, assignment: str) -> dict[str, str]:
        """Student → what the page was made of."""
        return dict(self.state.rows("SELECT student, made FROM entry WHERE assignment = ?", (assignment,)))

    def assignments(self) -> list[str]:
        rows = self.state.rows("SELECT DISTINCT assignment FROM entry WHERE mark <> '' ORDER BY assignment")
        return [name for (name,) in rows]

    def copies(self) -> list[tuple[Copy, str]]:
        """Every copy, with the mark of what is written of it."""
        columns = "student, assignment, notes, problem, timestamp, copy, mark"
        return [
            (Copy(student, name, None, tuple(json.loads(notes)), problem, when, (), digest, self.state), mark)
            for student, name, notes, problem, when, digest, mark in self.state.rows(
                f"SELECT {columns} FROM entry ORDER BY student, assignment"
            )
        ]


def key_of(mark: str) -> str:
    """Of the verdict that was written; empty where none is."""
    return mark.partition("\n")[0]

"""Copies of graded submissions, and marks of what was written for them, by assignment and student."""

import hashlib
import json
import zlib
from dataclasses import dataclass

from autograder.judging.disk import StoreError
from autograder.judging.state import State
from autograder.submissions.submitted_files import SubmittedFile


@dataclass(frozen=True)
class Copy(SubmittedFile):
    """A submission as it was graded, wherever its file is now."""

    digest_of_copy: str = ""
    state: State | None = None

    def data(self) -> bytes:
        assert self.state is not None
        own = State(self.state.output)  # a connection of its own: this is called from several threads
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


class GradedCopies:
    """The copies and marks of one class."""

    def __init__(self, state: State) -> None:
        self.state = state

    def stage(self, handed: SubmittedFile, data: bytes) -> None:
        """Stores the copy in place of an older one and clears the mark: what was written is out of date."""
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
        """Records what was written (``text``) and what the page was made from (``made``)."""
        with self.state.change() as rows:
            values = (text, made, assignment, student)
            rows.execute("UPDATE entry SET mark = ?, made = ? WHERE assignment = ? AND student = ?", values)

    def marks(self, assignment: str) -> dict[str, str]:
        """Student → mark, for everything written."""
        query = "SELECT student, mark FROM entry WHERE assignment = ? AND mark <> '' ORDER BY student"
        return dict(self.state.rows(query, (assignment,)))

    def made(self, assignment: str) -> dict[str, str]:
        """Student → what the page was made from."""
        return dict(self.state.rows("SELECT student, made FROM entry WHERE assignment = ?", (assignment,)))

    def assignments(self) -> list[str]:
        rows = self.state.rows("SELECT DISTINCT assignment FROM entry WHERE mark <> '' ORDER BY assignment")
        return [name for (name,) in rows]

    def copies(self) -> list[tuple[Copy, str]]:
        """Every copy, with its mark."""
        columns = "student, assignment, notes, problem, timestamp, copy, mark"
        return [
            (Copy(student, name, None, tuple(json.loads(notes)), problem, when, (), digest, self.state), mark)
            for student, name, notes, problem, when, digest, mark in self.state.rows(
                f"SELECT {columns} FROM entry ORDER BY student, assignment"
            )
        ]


def key_of(mark: str) -> str:
    """The key of the written verdict; empty if there is none."""
    return mark.partition("\n")[0]

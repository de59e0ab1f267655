"""Stores verdicts: each is durable before the next step, and is found again by what was graded."""

import hashlib
import json
import re
import secrets
import zlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from autograder.assignments.assignment import Assignment
from autograder.records.plain_data import typed
from autograder.records.verdict import Verdict
from autograder.store.disk import StoreError
from autograder.store.state import GradedCopies, State

MAX_BYTES = 256 * 2**20  # per part of a verdict: the outputs of some hundred cells
UNFINISHED = re.compile(r"\..+\.\d+(-journal|-wal|-shm)?")  # see write_durably


@dataclass(frozen=True)
class Provenance:
    """What was graded for one verdict, in which environment, and how long it took; each field may be unknown.

    It is stored beside the verdict, not in it: provenance differs from run to run, verdicts must not.
    """

    submission: str = ""  # digest of the submission
    checks: str = ""  # digest of the instructor's notebook
    versions: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()  # repairs made when the submission was collected
    problem: str = ""  # why there was nothing to grade
    seconds: float = 0.0
    cells: dict[str, float] = field(default_factory=dict)  # cell → seconds

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> "Provenance":
        """The provenance in the text, or an unknown one if the text is invalid."""
        try:
            return typed(cls, json.loads(text))
        except (ValueError, TypeError):
            return cls()


@dataclass(frozen=True)
class Stored:
    """A verdict of an earlier run, unless it is damaged or gone, and how it came about; each may be unknown."""

    verdict: Verdict | None = None
    provenance: Provenance = Provenance()


class Store:
    """The verdicts and the seed under the output folder of a grading run."""

    def __init__(self, output: Path) -> None:
        self.output, self.state = output, State(output)
        self.broken: list[str] = []  # keys of rows that are not valid verdicts

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exception: object) -> None:
        self.state.close()

    def get(self, key: str, shown: bool = True) -> Verdict | None:
        """The stored verdict; None if there is none, or if the row is invalid: its key is then added to ``broken``.

        Without the cells' outputs (``shown=False``) this takes a tenth of the time.
        """
        for record, cells in self.state.rows("SELECT record, shown FROM verdict WHERE key = ?", (key,)):
            try:
                outputs = [self._piece(digest) if digest and shown else [] for digest in json.loads(cells)]
                verdict = Verdict.from_json(_unpacked(record).decode()).with_outputs(outputs)
                if verdict.is_sound:
                    return verdict
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError, zlib.error):
                pass
            self.broken.append(key)
        return None

    def find(self, key: str, assignment: Assignment, seed: int) -> Verdict | None:
        """Like :meth:`get` without outputs, but the verdict must be on this assignment's checks with this seed."""
        verdict = self.get(key, shown=False)
        if verdict is None:
            return None
        if verdict.seed == seed and {check.cell: check.max_points for check in verdict.checks} == assignment.checks:
            return verdict
        self.broken.append(key)
        return None

    def behind(self, mark: str) -> Stored:
        """What is stored, without outputs, of an entry in the gradebook that has this mark."""
        key, *_ = mark.split("\n")  # empty if there is no entry
        verdict = None if key in self.broken else self.get(key, shown=False)
        return Stored(verdict, self.circumstances(key))

    def entries(self, assignment: str) -> dict[str, Stored]:
        """Student → what is stored of their entry in the gradebook."""
        marks = GradedCopies(self.state).marks(assignment)
        return {student: self.behind(mark) for student, mark in marks.items()}

    def circumstances(self, key: str) -> Provenance:
        rows = self.state.rows("SELECT circumstances FROM verdict WHERE key = ?", (key,))
        return Provenance.from_json(rows[0][0] if rows else "")

    def put(self, key: str, verdict: Verdict, circumstances: Provenance | None = None) -> None:
        """Durable when this returns."""
        about = (circumstances or Provenance()).to_json()
        record = zlib.compress(verdict.to_record().encode())
        shown = [json.dumps(cell.outputs) if cell.outputs else "" for cell in verdict.cells]
        digests = [hashlib.sha256(text.encode()).hexdigest() if text else "" for text in shown]
        pieces = {digest: zlib.compress(text.encode()) for digest, text in zip(digests, shown, strict=True) if text}
        cells = json.dumps(digests)
        with self.state.change() as rows:
            rows.executemany("INSERT OR REPLACE INTO shown VALUES (?, ?)", pieces.items())
            columns = "verdict (key, record, shown, circumstances)"
            rows.execute(f"INSERT OR REPLACE INTO {columns} VALUES (?, ?, ?, ?)", (key, record, cells, about))

    def seed(self) -> int | None:
        """The seed of previous runs; None if there were none.

        Raises:
            StoreError: the seed is lost or damaged. A new one would give the same checks other inputs.
        """
        rows = self.state.rows("SELECT value FROM about WHERE name = 'seed'")
        text = str(rows[0][0])[:100] if rows else ""
        if re.fullmatch(r"-?\d{1,30}", text):
            return int(text)
        seeds = sorted({verdict.seed for key in self.all_keys() if (verdict := self.get(key, shown=False)) is not None})
        if not rows and not seeds:
            return None
        lost = f"the seed in {self.state.path} is gone"
        fault = f"{self.state.path} holds the seed {text[:40]!r}, expected a number" if rows else lost
        known = " or ".join(f"--seed {seed}" for seed in seeds) or "--seed N, as no verdict depends on it"
        raise StoreError(
            f"{fault}, and a fresh seed would give the checks other inputs than the stored verdicts had; "
            f"go on with {known}, or grade into a fresh --output."
        )

    def seed_for(self, shared_by: Callable[[int], int], given: int | None = None) -> int:
        """The seed that is given, else that of the gradebook, else that of previous runs, else a new one."""
        known = self.seed() if given is None else given
        shared = shared_by(secrets.randbits(63) if known is None else known)
        return shared if given is None else given

    def keep_seed(self, seed: int) -> None:
        if self.state.rows("SELECT value FROM about WHERE name = 'seed'") != [(str(seed),)]:
            with self.state.change() as rows:
                rows.execute("INSERT OR REPLACE INTO about VALUES ('seed', ?)", (str(seed),))

    def all_keys(self) -> list[str]:
        """The keys of all rows, valid or not."""
        return [key for (key,) in self.state.rows("SELECT key FROM verdict ORDER BY key")]

    def _piece(self, digest: str) -> Any:
        """What one cell showed."""
        data = _unpacked(self.state.rows("SELECT data FROM shown WHERE digest = ?", (digest,))[0][0])
        if hashlib.sha256(data).hexdigest() != digest:
            raise ValueError("not what the cell showed")
        return json.loads(data)


def sweep(output: Path) -> None:
    """Removes files that a killed run left unfinished; the caller must hold the lock on the output folder."""
    for path in output.glob(".*"):
        if UNFINISHED.fullmatch(path.name) and path.is_file():
            path.unlink()


def _unpacked(data: bytes) -> bytes:
    """Decompresses; raises ValueError if the data is incomplete or too large to be ours."""
    inner = zlib.decompressobj()
    unpacked = inner.decompress(data, MAX_BYTES)
    if inner.unconsumed_tail or not inner.eof:
        raise ValueError("cut off, or too large")
    return unpacked

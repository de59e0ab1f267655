"""Verdicts that are kept: each one whole and durable before the next step, found again by what it was a verdict on."""

import hashlib
import hmac
import json
import os
import platform
import re
import secrets
import zlib
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

import autograder
from autograder.authoring.assignment import Assignment
from autograder.judging.circumstances import Circumstances
from autograder.judging.disk import StoreError
from autograder.judging.soundness import fits, is_sound
from autograder.judging.state import State
from autograder.judging.verdict import Verdict
from autograder.submissions.collected import Handed

MAX_BYTES = 256 * 2**20  # of a verdict's parts: the outputs of some hundred cells
DEPENDENCIES = ("torch", "numpy", "ipython", "matplotlib", "nbformat")  # what verdicts depend on besides our own code
UNFINISHED = re.compile(r"\..+\.\d+(-journal|-wal|-shm)?")  # see write_durably


class Store:
    """The verdicts and the seed under the output folder of a grading run."""

    def __init__(self, output: Path) -> None:
        self.output, self.state = output, State(output)
        self.broken: list[str] = []  # keys under which something lies that is no verdict
        self._kept: int | None = None

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exception: object) -> None:
        self.state.close()

    def get(self, key: str, shown: bool = True) -> Verdict | None:
        """The stored verdict; none where there is none, or where the row is not one: ``broken`` then names it.

        Without what the cells showed it takes a tenth of the time.
        """
        query = "SELECT record, shown, circumstances, seal FROM verdict WHERE key = ?"
        for record, cells, circumstances, seal in self.state.rows(query, (key,)):
            try:
                if hmac.compare_digest(seal, sealed(self._secret(), key, record, cells, circumstances)):
                    verdict = Verdict.from_record(_unpacked(record).decode(), self._shown(cells, shown))
                    if is_sound(verdict):
                        return verdict
            except (ValueError, TypeError, LookupError, AttributeError, RecursionError, zlib.error):
                pass
            self.broken.append(key)
        return None

    def find(self, key: str, assignment: Assignment, seed: int, shown: bool = True) -> Verdict | None:
        """The stored verdict, if it is one on this assignment's checks under this seed; like :meth:`get`."""
        verdict = self.get(key, shown)
        if verdict is not None and not fits(verdict, assignment.checks, seed):
            self.broken.append(key)
            return None
        return verdict

    def circumstances(self, key: str) -> Circumstances:
        rows = self.state.rows("SELECT circumstances FROM verdict WHERE key = ?", (key,))
        return Circumstances.from_json(rows[0][0] if rows else "")

    def put(self, key: str, verdict: Verdict, circumstances: Circumstances | None = None) -> None:
        """Durable when this returns."""
        about = (circumstances or Circumstances()).to_json()
        record = zlib.compress(verdict.to_record().encode())
        shown = [json.dumps(cell.outputs) if cell.outputs else "" for cell in verdict.cells]
        digests = [hashlib.sha256(text.encode()).hexdigest() if text else "" for text in shown]
        cells = json.dumps(digests)
        with self.state.change() as rows:
            pieces = {digest: zlib.compress(text.encode()) for digest, text in zip(digests, shown, strict=True) if text}
            rows.executemany("INSERT OR REPLACE INTO shown VALUES (?, ?)", pieces.items())
            secret = self._secret()
            if not secret:
                secret = secrets.token_bytes(32)
                rows.execute("INSERT OR REPLACE INTO about VALUES ('secret', ?)", (secret,))
            row = (key, record, cells, about, sealed(secret, key, record, cells, about))
            columns = "key, record, shown, circumstances, seal"
            rows.execute(f"INSERT OR REPLACE INTO verdict ({columns}) VALUES (?, ?, ?, ?, ?)", row)

    def seed(self) -> int | None:
        """The seed of the runs before; none where there were none.

        Raises:
            StoreError: there was a seed, and it is lost. A fresh one would give other inputs to the same checks.
        """
        rows = self.state.rows("SELECT value FROM about WHERE name = 'seed'")
        text = str(rows[0][0])[:100] if rows else ""
        if re.fullmatch(r"-?\d{1,30}", text):
            return int(text)
        seeds = sorted({verdict.seed for key in self.all_keys() if (verdict := self.get(key, shown=False)) is not None})
        if not rows and not seeds:
            return None
        found = (
            f"{self.state.path} holds the seed {text[:40]!r}, expected a number"
            if rows
            else (f"the seed in {self.state.path} is gone")
        )
        known = " or ".join(f"--seed {seed}" for seed in seeds) or "--seed N, as no verdict depends on it"
        raise StoreError(
            f"{found}, and a fresh seed would give the checks other inputs than the stored verdicts had; "
            f"go on with {known}, or grade into a fresh --output."
        )

    def keep_seed(self, seed: int) -> None:
        if seed != self._kept:
            if self.state.rows("SELECT value FROM about WHERE name = 'seed'") != [(str(seed),)]:
                with self.state.change() as rows:
                    rows.execute("INSERT OR REPLACE INTO about VALUES ('seed', ?)", (str(seed),))
            self._kept = seed

    def all_keys(self) -> list[str]:
        """Of everything that lies in the place of a verdict."""
        return [key for (key,) in self.state.rows("SELECT key FROM verdict ORDER BY key")]

    def _shown(self, cells: str, shown: bool) -> str:
        """What the cells showed, as one text; nothing of each if that is not asked for."""
        digests = json.loads(cells)
        return "[" + ", ".join(self._piece(digest) if digest and shown else "[]" for digest in digests) + "]"

    def _piece(self, digest: str) -> str:
        data = _unpacked(self.state.rows("SELECT data FROM shown WHERE digest = ?", (digest,))[0][0])
        if hashlib.sha256(data).hexdigest() != digest:
            raise ValueError("not what the cell showed")
        return data.decode()

    def _secret(self) -> bytes:
        """Empty where there is none."""
        rows = self.state.rows("SELECT value FROM about WHERE name = 'secret'")
        return rows[0][0] if rows and isinstance(rows[0][0], bytes) else b""


def sealed(secret: bytes, key: str, record: bytes, cells: str, circumstances: str) -> bytes:
    """A digest that nobody makes by the way who edits a row.

    The secret lies in the same file: whoever may write that may write grades into the gradebook, too. What the digest
    is for is damage, and edits that would otherwise be believed.
    """
    parts = (key.encode(), record, cells.encode(), circumstances.encode())
    return hmac.digest(secret, b"".join(hashlib.sha256(part).digest() for part in parts), "sha256")


def sweep(output: Path) -> None:
    """Removes what a killed run was just writing; only for who holds the lock on the output folder."""
    for path in output.glob(".*"):
        if UNFINISHED.fullmatch(path.name) and path.is_file():
            path.unlink()


def _unpacked(data: bytes) -> bytes:
    """Raises ValueError where it is too large to be ours."""
    inner = zlib.decompressobj()
    found = inner.decompress(data, MAX_BYTES)
    if inner.unconsumed_tail or not inner.eof:
        raise ValueError("cut off, or too large")
    return found


def key(handed: Handed, assignment: Assignment, environment: str, seed: int) -> str:
    """What the verdict depends on, as one name: the submission, the instructor's notebook, the grader, the seed.

    And the learner: equal files need not end alike, and what one run said of each the next must not change.
    """
    student = hashlib.sha256(handed.student.encode("utf-8", "surrogatepass")).hexdigest()
    parts = (student, handed.digest(), assignment.name, assignment.text, environment, str(seed))
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def environment(root: Path, given: Iterable[str] = ()) -> str:
    """The grader, the course's library with the modules that it gives, and the versions that numbers depend on."""
    digest = hashlib.sha256()
    places = {"autograder": Path(autograder.__file__).parent, "seq2seq": root / "seq2seq"}
    files = {f"{name}/{path}": top / path for name, top in places.items() for path in _modules(top)}
    files |= {name: root / name for name in given if (root / name).is_file()}
    for name, path in sorted(files.items()):
        digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    for name in DEPENDENCIES:
        digest.update(f"{name}={version(name)}\0".encode())
    digest.update(platform.python_version().encode())
    return digest.hexdigest()


def _modules(top: Path) -> list[str]:
    """Every module below ``top``; unlike rglob, through links to folders too."""
    found = [Path(folder, name) for folder, _, names in os.walk(top, followlinks=True) for name in names]
    return sorted(path.relative_to(top).as_posix() for path in found if path.suffix == ".py")

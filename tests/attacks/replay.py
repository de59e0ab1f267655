"""One grading run of every attack, with honest students between them, on a copy of the course."""

import hashlib
import os
import shutil
import socket
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from attacks import catalogue, notebooks
from attacks.quick_judge import quick_judge

from autograder.grading.grading_run import Graded, Run

COPIED = ("autograder", "seq2seq", "solutions", "exercises", "sample_class/solutions")
CANARY = "CANARY-ENVIRONMENT"
SEED = 8_431_267_905_124_337


@dataclass(frozen=True)
class Replay:
    """What came of the run."""

    output: Path
    graded: dict[str, Graded]
    alone: Graded  # the honest student in a class of one
    before: dict[str, str]  # file outside the output → hash of its content
    after: dict[str, str]


def hashes(*folders: Path) -> dict[str, str]:
    """Every file, link and folder below the folders; a link is not followed, and neither read is a pipe."""
    found = {}
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            plain = path.is_file() and not path.is_symlink()
            found[str(path)] = hashlib.sha256(path.read_bytes()).hexdigest() if plain else str(path.is_symlink())
    return found


@contextmanager
def listeners():
    """Two services of the machine that tell a secret to whoever reaches them."""
    network, named = socket.socket(), socket.socket(socket.AF_UNIX)
    network.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    network.bind(("127.0.0.1", 45454))
    named.bind("\0attack-canary")

    def serve(listener: socket.socket) -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                connection.sendall(b"CANARY-NETWORK")

    for listener in (network, named):
        listener.listen()
        threading.Thread(target=serve, args=(listener,), daemon=True).start()
    try:
        yield
    finally:
        for listener in (network, named):
            listener.shutdown(socket.SHUT_RDWR)
            listener.close()


def replay(place: Path, attackers: frozenset[str] | None = None) -> Replay:
    """Grades the honest student alone, then everyone together, in the empty folder ``place``.

    Of those who attack only ``attackers``, where these are named.
    """
    course, submitted, earlier = place / "course", place / "submitted", place / "earlier"
    for name in COPIED:
        shutil.copytree(notebooks.ROOT / name, course / name, ignore=shutil.ignore_patterns("__pycache__", "results"))
    notebooks.hand_in(None, place / "one" / "honest")
    catalogue.hand_in_all(submitted, attackers)
    os.environ["CANARY"] = CANARY
    try:
        (alone,) = Run(course, earlier, seed=SEED, maker=quick_judge).grade(place / "one")
        outside = (course, submitted, earlier, place / "one")
        before = hashes(*outside)
        with listeners():
            run = Run(course, place / "output", workers=2, seed=SEED, maker=quick_judge)
            graded = {one.handed.student: one for one in run.grade(submitted)}
        return Replay(place / "output", graded, alone, before, hashes(*outside))
    finally:
        del os.environ["CANARY"]

"""One grading run of attacks, with honest students between them, on a copy of the course."""

import hashlib
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer, UnixStreamServer

from attacks import catalogue, notebooks
from servers import running

from autograder.assignments.assignment import Assignment
from autograder.gradebook.register import keep_source
from autograder.grading.grading_run import Graded, Run
from autograder.judging.judge import Judge
from autograder.records.job import Job, Limits
from autograder.records.verdict import Verdict

COPIED = ("autograder", "seq2seq", "solutions", "exercises", "sample_class/solutions")
CANARY = "CANARY-ENVIRONMENT"
SEED = 8_431_267_905_124_337
LIMITS = Limits(cell_seconds=6.0, total_seconds=180.0, memory=700 * 2**20)
# How an attack ends → seconds of a cell: few where only this limit can, as delays of a busy machine do not count;
# many where only others may, as starting and ending many processes is slow on a busy machine.
SECONDS = {("timeout",): 2.0, ("crashed", "memory"): 60.0}


@dataclass(frozen=True)
class Replay:
    place: Path
    output: Path
    words: dict[str, str]  # what stands in the attacks' texts → a name that no other run on this machine uses
    graded: dict[str, Graded]
    before: dict[str, str]  # file outside the output → hash of its content
    after: dict[str, str]


class QuickJudge(Judge):
    """Has little budget, so that a class full of endless loops is soon graded, also on a busy machine."""

    def run(self, job: Job) -> Verdict:
        texts = {cell.source.strip() for cell in job.cells}
        attacks = (attack for group in catalogue.attacks().values() for attack in group)
        ends = [attack.ends for attack in attacks if attack.source.strip() in texts]
        seconds = next((SECONDS[limits] for limits in ends if limits in SECONDS), self.limits.cell_seconds)
        return super().run(replace(job, limits=replace(self.limits, cell_seconds=seconds)))


def quick_judge(assignment: Assignment, root: Path) -> QuickJudge:
    return QuickJudge(given=assignment.given, root=root, limits=LIMITS)


def hashes(*folders: Path) -> dict[str, str]:
    """Every file, link and folder below the folders; a link is not followed, and neither read is a pipe."""
    paths = [path for folder in folders for path in folder.rglob("*")]
    plain = [path for path in paths if path.is_file() and not path.is_symlink()]
    digests = {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in plain}
    return {str(path): str(path.is_symlink()) for path in paths} | digests


class Tells(BaseRequestHandler):
    def handle(self) -> None:
        self.request.sendall(b"CANARY-NETWORK")


@contextmanager
def listeners() -> Iterator[dict[str, str]]:
    """Two services of the machine that tell a secret to whoever reaches them; yields where, for the attacks' texts."""
    canary = f"attack-canary-{uuid.uuid4().hex}"
    with running(TCPServer(("127.0.0.1", 0), Tells)) as network, running(UnixStreamServer(f"\0{canary}", Tells)):
        yield {"45454": str(network.server_address[1]), "attack-canary": canary}


def replay(place: Path, chosen: frozenset[str]) -> Replay:
    """Grades the chosen of those who attack, with honest students, in the empty folder ``place``."""
    course, submitted, output = (place / name for name in ("course", "submitted", "output"))
    for name in COPIED:
        shutil.copytree(notebooks.ROOT / name, course / name, ignore=shutil.ignore_patterns("__pycache__", "results"))
    os.environ["CANARY"] = CANARY
    try:
        with listeners() as words:
            words |= {"attack-daemon": f"attack-{os.getpid()}"}
            catalogue.hand_in_all(submitted, chosen, words)
            keep_source(course, notebooks.NAME)
            before = hashes(course, submitted)
            run = Run(course, output, workers=2, seed=SEED, maker=quick_judge)
            graded = {work.handed.student: work for work in run.grade(submitted)}
        return Replay(place, output, words, graded, before, hashes(course, submitted))
    finally:
        del os.environ["CANARY"]

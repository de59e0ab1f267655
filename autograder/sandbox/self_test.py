"""Tests each promise of the sandbox on this machine and says how to fix what is broken."""

import multiprocessing
import os
import platform
import secrets
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal

from autograder.records.job import Limits
from autograder.sandbox.box import ENGINE, ENVIRONMENT
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.host import START, notes, remedy
from autograder.sandbox.proof import REMEDY, unfit
from autograder.sandbox.sandboxes import ColdSandbox, sandbox
from autograder.sandbox.session import Session
from autograder.sandbox.syscalls import numbers
from autograder.sandbox.wire import Closed, Deadline, OutOfTime, WireError

SECONDS = 20.0
LIMIT_SECONDS = 20.0  # within this time a limit must have stopped the submission
BUSY_SECONDS = 60.0  # at most added to one promise's deadline on a busy machine
LEAST = 0.05  # seconds worth extending a deadline by
VANISH_SECONDS = 5.0
WATCH_SECONDS, WATCHES = 0.5, 10  # several: on a busy machine its start waits for others too
MB = 2**20
# Small enough to be reached quickly; but a virtual machine may take seconds of CPU time for each new GB.
TIGHT = Limits(
    total_seconds=120, cpu_seconds=30.0, memory=800 * MB, file=4 * MB, disk=8 * MB, files=200, output=10_000,
    processes=24, open_files=64,
)  # fmt: skip
BRIEF = replace(TIGHT, cpu_seconds=1.0)

# Cells that try to break a promise. One of ASKED prints True if it is kept, and what it saw; ENDED gives limits, a cell
# that must be stopped under them, and the possible reasons.
CELLS: dict[str, Any] = tomllib.loads(Path(__file__).with_name("isolation_tests.toml").read_text("utf-8"))
ASKED: dict[str, str] = CELLS["asked"]
ENDED = {
    promise: ({"tight": TIGHT, "brief": BRIEF}[ended["limits"]], ended["cell"], ended["ends"])
    for promise, ended in CELLS["ended"].items()
}
ENDLESS, VFORK, LONG = CELLS["endless"], CELLS["vfork"], CELLS["long"]

FILES = "none of your files"
PRINTED, ITSELF = "limit: printed text", "no extra time for waiting on itself"
WALL, DIES = "limit: wall time", "dies with its parent"
PROMISES = (START, FILES, *ASKED, PRINTED, *ENDED, ITSELF, WALL, DIES)


@dataclass(frozen=True)
class ProbeResult:
    """The result for a promise, or a fact about the machine that no promise depends on ("note")."""

    name: str
    status: Literal["kept", "broken", "note"]
    observed: str
    remedy: str = ""


def probe(root: Path, name: str, folders: Sequence[Path] = ()) -> Iterator[ProbeResult]:
    """Tests the sandbox called ``name``, which must not show ``folders``; yields results as they come.

    The tests run in a child process; killing it is the last test.
    """
    yield from (ProbeResult(what, "note", observed) for what, observed in notes())
    fork = multiprocessing.get_context("fork")
    reading, writing = fork.Pipe(duplex=False)
    child = fork.Process(target=_try_all, args=(root, name, folders, writing), daemon=True)
    child.start()
    writing.close()
    alive: int | None = None
    started = True  # unless the child reports otherwise
    with reading, suppress(EOFError, OSError):
        while "alive" not in (message := reading.recv()):
            started = message["name"] != START or message["status"] == "kept"
            yield ProbeResult(**message)
        alive = message["alive"]
    child.kill()
    child.join()
    if alive is None and started:
        observed = "the test process ended before it had tried all promises"
        yield _finding("every promise is tried", False, observed, name)
    if alive is not None:
        start = time.monotonic()
        gone = _gone(alive)
        observed = f"kill -9 of the judge: all gone after {time.monotonic() - start:.1f} s" if gone else "still running"
        yield _finding(DIES, gone, observed, name)


def _try_all(root: Path, name: str, folders: Sequence[Path], pipe: Connection) -> None:
    os.environ["AUTOGRADER_SECRET"] = secret = secrets.token_hex(8)
    start = time.monotonic()
    try:
        with sandbox(name, root, (), TIGHT) as box:
            pipe.send(asdict(ProbeResult(START, "kept", f"{name}, in {time.monotonic() - start:.1f} s")))
            pipe.send(asdict(_files(root, name, folders)))
            with sandbox(name, root, (), BRIEF) as brief:
                boxes = {TIGHT: box, BRIEF: brief}
                for finding in _promises(boxes, name, preamble(secret)):
                    pipe.send(asdict(finding))
            session = box.open()
            session.wire.send({"op": "run", "cell": "cell", "source": ENDLESS})
            time.sleep(0.2)
            pipe.send({"alive": session.supervisor})
            time.sleep(SECONDS)
    except SandboxUnavailable as error:
        pipe.send(asdict(_finding(START, False, error.reason, name)))


def _files(root: Path, name: str, folders: Sequence[Path]) -> ProbeResult:
    start = time.monotonic()
    if reason := unfit(root, name, folders):
        return ProbeResult(FILES, "broken", reason, REMEDY)
    return ProbeResult(FILES, "kept", f"no copy of one in all that a box shows; {time.monotonic() - start:.1f} s")


def preamble(secret: str) -> str:
    """Definitions for the cells of ``ASKED``."""
    known = {
        "LIMITS": asdict(TIGHT),
        "CALLS": sorted(numbers(platform.machine())),
        "FILES": sorted(Path(module).name for module in ENGINE),
        "VARIABLES": {*ENVIRONMENT, "PWD", "HOSTNAME", "TERM", "container"},  # the last three are a container engine's
        "SECRET": secret,
    }
    return "\n".join([CELLS["start"], *(f"{name} = {value!r}" for name, value in known.items())])


def _promises(boxes: dict[Limits, ColdSandbox], name: str, preamble: str) -> Iterator[ProbeResult]:
    tight = boxes[TIGHT]
    with opened(tight) as session:
        ask(session, preamble)
        for promise, source in ASKED.items():
            observed = ask(session, source)
            yield _finding(promise, observed.startswith("True"), observed.removeprefix("True").strip(), name)
        size = len(ask(session, LONG))
        yield _finding(PRINTED, size < 2 * TIGHT.output, f"{size} of a million characters", name)
    for promise, (limits, source, expected) in ENDED.items():
        with opened(boxes[limits]) as session:
            observed = ask(session, source, LIMIT_SECONDS)
        yield _finding(promise, observed in expected, f"stopped: {observed}", name)
    with opened(tight) as session:
        waited = _waited_for_itself(session)
    observed = f"{waited:.1f} s of {WATCH_SECONDS:g} s counted as waiting for others"
    yield _finding(ITSELF, waited < WATCH_SECONDS / 2, observed, name)
    with opened(tight) as session:
        how = _out_of_time(session)
    yield _finding(WALL, how == "killed", f"stopped: {how}", name)


@contextmanager
def opened(box: ColdSandbox) -> Iterator[Session]:
    """A submission that is ended afterwards."""
    session = box.open()
    try:
        yield session
    finally:
        session.end()


def ask(session: Session, source: str, seconds: float = SECONDS) -> str:
    """What a cell printed, or the kind of its error, or how it was ended."""
    try:
        deadline = Deadline(seconds, busy(session))
        session.wire.send({"op": "run", "cell": "cell", "source": source}, deadline)
        reply = session.wire.receive(deadline)
    except (Closed, OutOfTime, WireError):
        return session.end()
    if reply["error"]:
        return f"{reply['error']['kind']}"
    return "".join(str(output.get("text", "")) for output in reply["outputs"]).strip()


def busy(session: Session) -> Callable[[], float]:
    """Returns a function: seconds the machine was busy with others since its last call, ``BUSY_SECONDS`` in all."""
    before = 0.0

    def more() -> float:
        nonlocal before
        since = min(session.waited(), BUSY_SECONDS) - before
        if since < LEAST:
            return 0.0
        before += since
        return since

    return more


def _waited_for_itself(session: Session) -> float:
    """The shortest reported wait for others, over several periods, of a process that waits for its own child."""
    session.wire.send({"op": "run", "cell": "cell", "source": VFORK})
    least = WATCH_SECONDS
    for _ in range(WATCHES):
        before = session.waited()
        time.sleep(WATCH_SECONDS)
        least = min(least, session.waited() - before)
        if least < WATCH_SECONDS / 2:
            break
    return least


def _out_of_time(session: Session) -> str:
    session.wire.send({"op": "run", "cell": "cell", "source": ENDLESS})
    try:
        session.wire.receive(Deadline(0.3))
    except OutOfTime:
        how = session.end()
        return how if _gone(session.supervisor) else "not at all"
    except (Closed, WireError):
        return f"{session.end()}, too early"
    return "not at all"


def _gone(process: int) -> bool:
    deadline = time.monotonic() + VANISH_SECONDS
    while Path(f"/proc/{process}").exists():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _finding(promise: str, holds: bool, observed: str, name: str) -> ProbeResult:
    if holds:
        return ProbeResult(promise, "kept", observed)
    return ProbeResult(promise, "broken", observed, remedy(promise, observed, name))

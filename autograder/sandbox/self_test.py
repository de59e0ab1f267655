"""Tests each promise of the sandbox on this machine and says how to fix what is broken."""

import multiprocessing
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Literal

from autograder.records.limits import Limits
from autograder.sandbox import isolation_tests
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.host import notes, remedy
from autograder.sandbox.sandboxes import ColdSandbox, sandbox
from autograder.sandbox.session import Session
from autograder.sandbox.wire import Closed, Deadline, OutOfTime, WireError

SECONDS = 20.0
LIMIT_SECONDS = 20.0  # within this time a limit must have stopped the submission
BUSY_SECONDS = 60.0  # at most added to one promise's deadline on a busy machine
LEAST = 0.05  # seconds worth extending a deadline by
VANISH_SECONDS = 5.0
WATCH_SECONDS, WATCHES = 0.5, 10  # several: on a busy machine its start waits for others too
START, PRINTED, ITSELF = "the sandbox starts", "limit: printed text", "no extra time for waiting on itself"
WALL, DIES = "limit: wall time", "dies with its parent"
PROMISES = (START, *isolation_tests.ASKED, PRINTED, *isolation_tests.ENDED, ITSELF, WALL, DIES)


@dataclass(frozen=True)
class ProbeResult:
    """The result for a promise, or a fact about the machine that no promise depends on ("note")."""

    name: str
    status: Literal["kept", "broken", "note"]
    seen: str
    remedy: str = ""


def probe(root: Path, name: str) -> Iterator[ProbeResult]:
    """Tests the sandbox called ``name``; yields results as they come.

    The tests run in a child process; killing it is the last test.
    """
    yield from (ProbeResult(what, "note", seen) for what, seen in notes())
    fork = multiprocessing.get_context("fork")
    reading, writing = fork.Pipe(duplex=False)
    child = fork.Process(target=_try_all, args=(root, name, writing), daemon=True)
    child.start()
    writing.close()
    alive: int | None = None
    started = True  # unless the child reports otherwise
    with reading, suppress(EOFError, OSError):
        while True:
            said = reading.recv()
            if "alive" in said:
                alive = said["alive"]
                break
            started = said["name"] != START or said["status"] == "kept"
            yield ProbeResult(**said)
    child.kill()
    child.join()
    if alive is None and started:
        seen = "the test process ended before it had tried all promises"
        yield _finding("every promise is tried", False, seen, name)
    if alive is not None:
        start = time.monotonic()
        gone = _gone(alive)
        seen = f"kill -9 of the judge: all gone after {time.monotonic() - start:.1f} s" if gone else "still running"
        yield _finding(DIES, gone, seen, name)


def _try_all(root: Path, name: str, pipe: Connection) -> None:
    canaries = [str(Path.home() / ".ssh"), str(root / "solutions"), str(root / "autograder" / "tasks")]
    os.environ["AUTOGRADER_SECRET"] = secret = secrets.token_hex(8)
    start = time.monotonic()
    try:
        with sandbox(name, root, (), isolation_tests.TIGHT) as box:
            pipe.send(asdict(ProbeResult(START, "kept", f"{name}, in {time.monotonic() - start:.1f} s")))
            with sandbox(name, root, (), isolation_tests.BRIEF) as brief:
                boxes = {isolation_tests.TIGHT: box, isolation_tests.BRIEF: brief}
                for finding in _promises(boxes, name, isolation_tests.preamble(canaries, secret)):
                    pipe.send(asdict(finding))
            session = box.open()
            session.wire.send({"op": "run", "cell": "cell", "source": isolation_tests.ENDLESS})
            time.sleep(0.2)
            pipe.send({"alive": session.supervisor})
            time.sleep(SECONDS)
    except SandboxUnavailable as error:
        pipe.send(asdict(_finding(START, False, error.reason, name)))


def _promises(boxes: dict[Limits, ColdSandbox], name: str, preamble: str) -> Iterator[ProbeResult]:
    tight = boxes[isolation_tests.TIGHT]
    with opened(tight) as session:
        ask(session, preamble)
        for promise, source in isolation_tests.ASKED.items():
            said = ask(session, source)
            yield _finding(promise, said.startswith("True"), said.removeprefix("True").strip(), name)
        size = len(ask(session, isolation_tests.LONG))
        yield _finding(PRINTED, size < 2 * isolation_tests.TIGHT.output, f"{size} of a million characters", name)
    for promise, (limits, source, expected) in isolation_tests.ENDED.items():
        with opened(boxes[limits]) as session:
            said = ask(session, source, LIMIT_SECONDS)
        yield _finding(promise, said in expected, f"stopped: {said}", name)
    with opened(tight) as session:
        waited = _kept_waiting(session)
    seen = f"{waited:.1f} s of {WATCH_SECONDS:g} s counted as waiting for others"
    yield _finding(ITSELF, waited < WATCH_SECONDS / 2, seen, name)
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


def _kept_waiting(session: Session) -> float:
    """The shortest reported wait for others, over several periods, of a process that waits for its own child."""
    session.wire.send({"op": "run", "cell": "cell", "source": isolation_tests.VFORK})
    least = WATCH_SECONDS
    for _ in range(WATCHES):
        before = session.waited()
        time.sleep(WATCH_SECONDS)
        least = min(least, session.waited() - before)
        if least < WATCH_SECONDS / 2:
            break
    return least


def _out_of_time(session: Session) -> str:
    session.wire.send({"op": "run", "cell": "cell", "source": isolation_tests.ENDLESS})
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


def _finding(promise: str, kept: bool, seen: str, name: str) -> ProbeResult:
    return ProbeResult(promise, "kept" if kept else "broken", seen, "" if kept else remedy(promise, seen, name))

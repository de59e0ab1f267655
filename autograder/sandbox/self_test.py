"""Tests each promise of the sandbox on this machine and says how to fix what is broken."""

import json
import os
import secrets
import signal
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from autograder.records.limits import Limits
from autograder.sandbox import isolation_tests
from autograder.sandbox.choice import sandbox
from autograder.sandbox.deadline import Deadline
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.fix_hints import remedy
from autograder.sandbox.forked_box import Sandbox
from autograder.sandbox.fresh_box import ColdSandbox
from autograder.sandbox.host_info import notes
from autograder.sandbox.session import Session
from autograder.sandbox.wire import Closed, OutOfTime, WireError

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
    secret = secrets.token_hex(8)
    reading, writing = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if not child:
        code = 1
        try:
            os.close(reading)
            os.environ["AUTOGRADER_SECRET"] = secret
            with os.fdopen(writing, "w") as pipe:
                canaries = [str(Path.home() / ".ssh"), str(root / "solutions"), str(root / "autograder" / "checks")]
                _try_all(root, name, canaries, secret, lambda line: print(json.dumps(line), file=pipe, flush=True))
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    alive: int | None = None
    started = True  # unless the child reports otherwise
    with os.fdopen(reading) as pipe:
        for line in pipe:
            if not line.endswith("\n"):
                break
            said = json.loads(line)
            if "alive" in said:
                alive = said["alive"]
                break
            started = said["name"] != START or said["status"] == "kept"
            yield ProbeResult(**said)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if alive is None and started:
        seen = "the test process ended before it had tried all promises"
        yield _finding("every promise is tried", False, seen, name)
    if alive is not None:
        start = time.monotonic()
        gone = _gone(alive)
        seen = f"kill -9 of the judge: all gone after {time.monotonic() - start:.1f} s" if gone else "still running"
        yield _finding(DIES, gone, seen, name)


def _try_all(
    root: Path, name: str, canaries: list[str], secret: str, send: Callable[[dict[str, object]], None]
) -> None:
    start = time.monotonic()
    try:
        with sandbox(name, root, (), isolation_tests.TIGHT) as box:
            send(asdict(ProbeResult(START, "kept", f"{name}, in {time.monotonic() - start:.1f} s")))
            with sandbox(name, root, (), isolation_tests.BRIEF) as brief:
                boxes = {isolation_tests.TIGHT: box, isolation_tests.BRIEF: brief}
                for finding in _promises(boxes, name, isolation_tests.preamble(canaries, secret)):
                    send(asdict(finding))
            session = box.open()
            session.wire.send({"op": "run", "cell": "cell", "source": isolation_tests.ENDLESS})
            time.sleep(0.2)
            send({"alive": session.supervisor})
            time.sleep(SECONDS)
    except SandboxUnavailable as error:
        send(asdict(_finding(START, False, error.reason, name)))


def _promises(boxes: dict[Limits, Sandbox | ColdSandbox], name: str, preamble: str) -> Iterator[ProbeResult]:
    session = boxes[isolation_tests.TIGHT].open()
    try:
        ask(session, preamble)
        for promise, source in isolation_tests.ASKED.items():
            said = ask(session, source)
            yield _finding(promise, said.startswith("True"), said.removeprefix("True").strip(), name)
        size = len(ask(session, isolation_tests.LONG))
        yield _finding(PRINTED, size < 2 * isolation_tests.TIGHT.output, f"{size} of a million characters", name)
        for promise, (limits, source, expected) in isolation_tests.ENDED.items():
            session.end()
            session = boxes[limits].open()
            said = ask(session, source, LIMIT_SECONDS)
            yield _finding(promise, said in expected, f"stopped: {said}", name)
        session.end()
        session = boxes[isolation_tests.TIGHT].open()
        waited = _kept_waiting(session)
        seen = f"{waited:.1f} s of {WATCH_SECONDS:g} s counted as waiting for others"
        yield _finding(ITSELF, waited < WATCH_SECONDS / 2, seen, name)
        session.end()
        session = boxes[isolation_tests.TIGHT].open()
        how = _out_of_time(session)
        yield _finding(WALL, how == "killed", f"stopped: {how}", name)
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

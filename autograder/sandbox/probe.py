"""Examines a machine: tries each promise of the sandbox for real, and says how to mend what is broken."""

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

from autograder.sandbox import promises
from autograder.sandbox.choice import sandbox
from autograder.sandbox.cold import ColdSandbox
from autograder.sandbox.deadline import Deadline
from autograder.sandbox.limits import Limits
from autograder.sandbox.refusal import SandboxUnavailable
from autograder.sandbox.remedies import remedy
from autograder.sandbox.session import Session
from autograder.sandbox.surroundings import notes
from autograder.sandbox.warm import Sandbox
from autograder.sandbox.wire import Closed, OutOfTime, WireError

SECONDS = 20.0
BUSY_SECONDS = 60.0  # how much of a busy machine's time for one promise
LEAST = 0.05  # seconds of it that are worth putting a deadline off
VANISH_SECONDS = 5.0
WATCH_SECONDS, WATCHES = 0.5, 10  # on a busy machine it waits for others too until it has begun
START, PRINTED, ITSELF = "the sandbox starts", "limit: printed text", "no time for waiting for itself"
WALL, DIES = "limit: wall time", "dies with its parent"
PROMISES = (START, *promises.ASKED, PRINTED, *promises.ENDED, ITSELF, WALL, DIES)


@dataclass(frozen=True)
class Finding:
    """A promise, or a fact about the machine that none depends on ("note")."""

    name: str
    status: Literal["kept", "broken", "note"]
    seen: str
    remedy: str = ""


def probe(root: Path, name: str) -> Iterator[Finding]:
    """Tries the sandbox called ``name``; findings come as they are made.

    All of it happens in a process of its own, whose death is the last thing that is tried.
    """
    yield from (Finding(what, "note", seen) for what, seen in notes())
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
    started = True  # unless it says that it did not
    with os.fdopen(reading) as pipe:
        for line in pipe:
            if not line.endswith("\n"):
                break
            said = json.loads(line)
            if "alive" in said:
                alive = said["alive"]
                break
            started = said["name"] != START or said["status"] == "kept"
            yield Finding(**said)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    if alive is None and started:
        seen = "the process that tried the promises ended before it had tried all of them"
        yield _finding("every promise is tried", False, seen, name)
    if alive is not None:
        start = time.monotonic()
        gone = _gone(alive)
        seen = f"kill -9 of the judge: all gone after {time.monotonic() - start:.1f} s" if gone else "it lives on"
        yield _finding(DIES, gone, seen, name)


def _try_all(
    root: Path, name: str, canaries: list[str], secret: str, tell: Callable[[dict[str, object]], None]
) -> None:
    start = time.monotonic()
    try:
        with sandbox(name, root, (), promises.TIGHT) as box:
            tell(asdict(Finding(START, "kept", f"{name}, in {time.monotonic() - start:.1f} s")))
            with sandbox(name, root, (), promises.BRIEF) as brief:
                boxes = {promises.TIGHT: box, promises.BRIEF: brief}
                for finding in _promises(boxes, name, promises.preamble(canaries, secret)):
                    tell(asdict(finding))
            session = box.open()
            session.wire.send({"op": "run", "cell": "cell", "source": promises.ENDLESS})
            time.sleep(0.2)
            tell({"alive": session.warden})
            time.sleep(SECONDS)
    except SandboxUnavailable as error:
        tell(asdict(_finding(START, False, error.reason, name)))


def _promises(boxes: dict[Limits, Sandbox | ColdSandbox], name: str, preamble: str) -> Iterator[Finding]:
    session = boxes[promises.TIGHT].open()
    try:
        ask(session, preamble)
        for promise, source in promises.ASKED.items():
            said = ask(session, source)
            yield _finding(promise, said.startswith("True"), said.removeprefix("True").strip(), name)
        size = len(ask(session, promises.LONG))
        yield _finding(PRINTED, size < 2 * promises.TIGHT.output, f"{size} characters of a million", name)
        for promise, (limits, source, expected) in promises.ENDED.items():
            session.end()
            session = boxes[limits].open()
            said = ask(session, source)
            yield _finding(promise, said in expected, f"stopped: {said}", name)
        session.end()
        session = boxes[promises.TIGHT].open()
        waited = _kept_waiting(session)
        seen = f"{waited:.1f} s of {WATCH_SECONDS:g} s taken for a wait for others"
        yield _finding(ITSELF, waited < WATCH_SECONDS / 2, seen, name)
        session.end()
        session = boxes[promises.TIGHT].open()
        how = _out_of_time(session)
        yield _finding(WALL, how == "killed", f"stopped: {how}", name)
    finally:
        session.end()


def ask(session: Session, source: str) -> str:
    """What a cell printed, or the kind of its error, or how it was ended."""
    try:
        deadline = Deadline(SECONDS, busy(session))
        session.wire.send({"op": "run", "cell": "cell", "source": source}, deadline)
        reply = session.wire.receive(deadline)
    except (Closed, OutOfTime, WireError):
        return session.end()
    if reply["error"]:
        return f"{reply['error']['kind']}"
    return "".join(str(output.get("text", "")) for output in reply["outputs"]).strip()


def busy(session: Session) -> Callable[[], float]:
    """How long the machine was busy with others since it was last asked, until that is ``BUSY_SECONDS`` in all."""
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
    """The least of some spells that one which waits for its own child is said to have waited for others."""
    session.wire.send({"op": "run", "cell": "cell", "source": promises.VFORK})
    least = WATCH_SECONDS
    for _ in range(WATCHES):
        before = session.waited()
        time.sleep(WATCH_SECONDS)
        least = min(least, session.waited() - before)
        if least < WATCH_SECONDS / 2:
            break
    return least


def _out_of_time(session: Session) -> str:
    session.wire.send({"op": "run", "cell": "cell", "source": promises.ENDLESS})
    try:
        session.wire.receive(Deadline(0.3))
    except OutOfTime:
        how = session.end()
        return how if _gone(session.warden) else "not at all"
    except (Closed, WireError):
        return f"{session.end()}, before its time"
    return "not at all"


def _gone(process: int) -> bool:
    deadline = time.monotonic() + VANISH_SECONDS
    while Path(f"/proc/{process}").exists():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _finding(promise: str, kept: bool, seen: str, name: str) -> Finding:
    return Finding(promise, "kept" if kept else "broken", seen, "" if kept else remedy(promise, seen, name))

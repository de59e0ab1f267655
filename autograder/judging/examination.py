"""One submission before the judge: the learner's cells run in the sandbox, the check cells here, in notebook order.

A cell or an answer that never returns, or takes its process down, costs its own points alone: a fresh fork runs
the other cells again, and the examination goes on.
"""

import contextlib
import io
import re
import time
from dataclasses import asdict
from typing import Any

from autograder import expect
from autograder.authoring.given import read_outside
from autograder.expect import AnswerError, CheckFailed
from autograder.finding import Finding
from autograder.judging.ahead import Room
from autograder.judging.calls import Caller
from autograder.judging.check_cell import compiled, define, execute, missed
from autograder.judging.effort import CELLS, MEMORY, Overrun, bounded
from autograder.judging.job import Cell, Job
from autograder.judging.link import Link, LinkBroken
from autograder.judging.outputs import outputs_of, size_of
from autograder.judging.patience import Patience
from autograder.judging.trust import MAX_RECEIVED, Allowance, spoken
from autograder.judging.verdict import CellResult, CellStatus, CheckVerdict, Status, Verdict
from autograder.sandbox.limits import Limits
from autograder.sandbox.refusal import SandboxUnavailable

INCIDENTS = ("tampered", "memory", "crashed", "timeout")  # the gravest first
ENDED: dict[str, CellStatus] = {
    "timeout": "timeout",
    "cpu": "timeout",
    "memory": "memory",
    "flood": "memory",
    "spent": "not run",
}
# Why a link broke → what the submission is said to have done, and the learner's words for it.
BREACHES = {
    "spent": ("timeout", "not run: the {total_seconds:g} s for the whole notebook were used up."),
    "timeout": ("timeout", "{subject} did not finish within {cell_seconds:g} s; is there a loop that never ends?"),
    "memory": ("memory", "{subject} used more than {memory:g} GiB of memory."),
    "cpu": ("timeout", "{subject} used up the {cpu_seconds:g} s of processor time for the whole notebook."),
    "processes": ("crashed", "{subject} started more than {processes} processes."),
    "flood": ("memory", "{subject} brought what the answers sent to more than {received} MiB."),
    "effort": ("timeout", "{subject} took the grader more than {check_seconds:g} s to look at what was given back."),
    "bulk": ("memory", "{subject} took the grader more than {bulk} GiB of memory to look at what was given back."),
    "tampered": ("tampered", "{subject}: the answer process sent something that is not an answer."),
}
CRASHED = ("crashed", "{subject} ended the Python process; does it call exit, or crash in native code?")
PRINTED = 4000
NAME = re.compile(r"\w+")
CELLS_FULL = 8  # all cells of a notebook together may print as much as so many that are full


class Examination:
    """Runs one job in one sandbox: ``verdict()`` says what came of it, ``hang_up()`` ends what is left of it."""

    def __init__(self, sandbox: Room, job: Job) -> None:
        self.sandbox, self.job = sandbox, job
        self.start = time.monotonic()
        self.patience = Patience(job.limits.total_seconds)
        self.link: Link | None = None
        self.caller: Caller | None = None
        self.allowance = Allowance()
        self.output_left = CELLS_FULL * job.limits.output
        self.namespace: dict[str, Any] = {"__name__": "__judge__"}
        self.cut = False  # the learner's process was killed from outside, once
        self.broken: dict[str, str] = {}  # cell or answer → what became of it; neither is tried again
        self.incidents: set[str] = set()
        self.notes: list[str] = []
        self.cells: list[CellResult] = []
        self.checks: list[CheckVerdict] = []

    def verdict(self) -> Verdict:
        define(self.job.imports, self.namespace)
        for position, cell in enumerate(self.job.cells):
            if cell.kind == "check":
                self.examine(position, cell)
            else:
                self.run(position, cell)
        passed = all(check.status == "passed" for check in self.checks)
        status: Status = next((incident for incident in INCIDENTS if incident in self.incidents), None) or (
            "ok" if passed else "failed"
        )
        seconds = time.monotonic() - self.start
        return Verdict(status, self.job.seed, self.checks, self.cells, self.notes, seconds)

    def connect(self, position: int) -> Link:
        """The link to the learner's process; a fresh one runs the cells before ``position`` first."""
        if self.link is None:
            self.link = Link(self.sandbox.open(), self.job.limits.cell_seconds, self.patience, self.allowance)
            self.caller = Caller(self.link, self.namespace)
            for cell in self.job.cells[:position]:
                if cell.kind == "code" and cell.name not in self.broken:
                    with contextlib.suppress(AnswerError):  # what its error is was said when it ran first
                        self.link.request(cell.name, op="run", cell=cell.name, source=cell.source)
        return self.link

    def hang_up(self) -> None:
        if self.link is not None:
            self.link.session.end()
            self.link = None

    def run(self, position: int, cell: Cell) -> None:
        """Runs one of the learner's cells and keeps its outputs."""
        start = time.monotonic()
        try:
            if self.spent():
                raise LinkBroken("spent", cell.name)
            link = self.connect(position)
            try:
                reply = link.request(cell.name, op="run", cell=cell.name, source=cell.source)
            except AnswerError as failure:
                reply = {"error": {"kind": failure.kind, "detail": failure.detail, "line": failure.line}}
            outputs, error = outputs_of(reply, min(self.job.limits.output, self.output_left))
            self.output_left -= sum(map(size_of, outputs))
            self.cells.append(CellResult(cell.name, "error" if error else "ok", outputs, time.monotonic() - start))
        except LinkBroken as breach:
            if self.excused(breach):
                return self.run(position, cell)
            said = self.breach(breach)
            status = ENDED.get(breach.reason, "crashed")
            error = {"output_type": "error", "ename": breach.reason, "evalue": said, "traceback": [said]}
            self.cells.append(CellResult(cell.name, status, [error], time.monotonic() - start))

    def examine(self, position: int, cell: Cell) -> None:
        """Runs one check cell here, in the judge, on answers that stay in the sandbox."""
        expect.set_seed(self.job.seed)
        printed = io.StringIO()
        points, finding = 0.0, Finding()
        try:
            if self.spent():
                raise LinkBroken("spent", cell.name)
            self.connect(position)
            with bounded(CELLS * self.job.limits.cell_seconds):
                names = self.fetched(compiled(cell.source).names)
                with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                    points = execute(cell, self.namespace, names)
        except CheckFailed as failure:
            finding = failure.finding
        except AnswerError as error:
            line = f", at your line `{error.line}`" if error.line else ""
            finding = Finding(mistake=f"raised.{error.kind}", got=f"your answer raised {error}{line}.")
        except LinkBroken as breach:
            if self.excused(breach):
                return self.examine(position, cell)
            finding = Finding(mistake="stopped", got=self.breach(breach))
        except (Overrun, MemoryError) as error:  # perhaps in the middle of a message: the link is of no more use
            reason = "bulk" if isinstance(error, MemoryError) else "effort"
            points, finding = 0.0, Finding(mistake="stopped", got=self.breach(self.link.broken(cell.name, reason)))
        except SandboxUnavailable:  # no fault of the learner's: the whole submission is judged again
            raise
        except AssertionError as error:
            finding = Finding(mistake="assertion", got=str(error) or missed(cell.source, error))
        except Exception as error:
            got = f"the check could not use your answer: {type(error).__name__}: {error}"
            if "can't allocate memory" in got:  # torch's own kind of a MemoryError
                got = self.breach(self.link.broken(cell.name, "bulk"))
            finding = Finding(mistake="unfit", got=got)
        status = "passed" if points >= cell.max_points and not finding else "partial" if points > 0 else "failed"
        if status == "partial":
            finding = Finding(got=printed.getvalue().strip() or f"{points:g} of {cell.max_points:g} points.")
        if self.caller is not None:
            self.caller.lender.take_back()
        finding = finding.mapped(lambda text: spoken(text, PRINTED))
        self.checks.append(CheckVerdict(cell.name, points, cell.max_points, status, finding))
        text = spoken(printed.getvalue(), PRINTED)
        outputs = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        self.cells.append(CellResult(cell.name, "ok" if status == "passed" else "error", outputs))

    def fetched(self, read: frozenset[str]) -> dict[str, Any]:
        """The learner's values of the names that a check reads, and of those that what is given reads."""
        names = {}
        for name in sorted((read | read_outside(self.job.imports)) - set(self.namespace)):
            if name in self.broken and name in read:
                raise CheckFailed(name, f"not tried again: {self.broken[name]}", mistake="stopped")
            try:
                names[name] = self.caller.fetch(name)
            except AnswerError as error:
                if error.kind != "NameError":
                    raise
                if name in read:
                    why = self.why_missing(name)
                    raise CheckFailed(name, "not defined", "what this task asks for", why, "not_defined") from None
        return names

    def why_missing(self, name: str) -> str:
        """The error of the cell that would have defined the name, or a guess."""
        sources = {cell.name: cell.source for cell in self.job.cells}
        for result in self.cells:
            if result.status != "ok" and any(defined_at(line) == name for line in sources[result.cell].split("\n")):
                said = [output for output in result.outputs if output["output_type"] == "error"]
                return f"its cell ended with {said[-1]['ename']}: {said[-1]['evalue']}" if said else "its cell failed"
        return "is it defined under this very name, in a cell above?"

    def spent(self) -> bool:
        return not self.patience.left() or "tampered" in self.incidents or self.allowance.left < 0

    def excused(self, breach: LinkBroken) -> bool:
        """Something from outside killed the learner's process; it is tried again, once in an examination."""
        if breach.reason != "cut" or self.cut:
            return False
        self.cut, self.link = True, None
        return True

    def breach(self, breach: LinkBroken) -> str:
        """Takes down what happened and returns it in words for the learner."""
        self.patience.excuse(breach.waited)  # how busy the machine is must not cost the cells that follow
        self.link = None
        if "tampered" in self.incidents:
            return "not run: the answer process broke the rules of the wire before."
        if self.allowance.left < 0 and breach.reason != "flood":
            return "not run: the answers had sent more than the grader takes in."
        subject = spoken(breach.subject, 300)
        reason = breach.reason if self.patience.left() else "spent"
        incident, words = BREACHES.get(reason, CRASHED)
        more = {"received": MAX_RECEIVED >> 20, "bulk": MEMORY >> 30}
        said = words.format(subject=subject, **more, **in_words(self.job.limits))
        self.incidents.add(incident)
        self.broken[subject] = said
        if said not in self.notes:
            self.notes.append(said)
        return said


def defined_at(line: str) -> str:
    """The function or class that a line begins to define; empty where it does not."""
    words = line.split(None, 2)
    words = words[1:] if words[:1] == ["async"] else words
    found = NAME.match(words[1]) if len(words) > 1 and words[0] in ("def", "class") else None
    return found[0] if found else ""


def in_words(limits: Limits) -> dict[str, float]:
    return asdict(limits) | {"memory": limits.memory / 2**30, "check_seconds": CELLS * limits.cell_seconds}

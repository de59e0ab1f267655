"""Evaluates one submission, in notebook order: the learner's cells in the sandbox, the check cells here.

A cell or answer that never returns, or kills its process, costs only its own points: a fresh fork runs the other cells
again, and the evaluation continues.
"""

import contextlib
import io
import re
import sys
import time
from dataclasses import asdict, replace
from typing import Any, Literal, get_args

from autograder.assignments.given import read_outside
from autograder.checking import draw
from autograder.finding import CheckFailed, Finding
from autograder.judging.answer_client import CUT, MAX_RECEIVED, AnswerClient, AnswerLost, Budget
from autograder.judging.ask import Caller
from autograder.judging.check_cell import compiled, define, describe_assertion, execute
from autograder.judging.judge_limits import CELLS, MEMORY, Overrun, bounded
from autograder.judging.sanitise import outputs_of, printable, size_of
from autograder.mishaps import cause, cited
from autograder.records.job import Cell, Job
from autograder.records.verdict import CellResult, CellStatus, CheckStatus, CheckVerdict, Status, Verdict
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import ColdSandbox
from autograder.tracebacks import AnswerError

Incident = Literal["tampered", "memory", "crashed", "timeout"]  # most serious first
# Why a client broke → the incident, and the message for the learner.
BREACHES: dict[str, tuple[Incident, str]] = {
    "spent": ("timeout", "not run: the {total_seconds:g} s for the whole notebook were used up."),
    "timeout": ("timeout", "{subject} did not finish within {cell_seconds:g} s; is there a loop that never ends?"),
    "slow": ("timeout", "{subject}: all calls of one check together took more than {check_seconds:g} s."),
    "memory": ("memory", "{subject} used more than {memory:g} GiB of memory."),
    "cpu": ("timeout", "{subject} used up the {cpu_seconds:g} s of processor time for the whole notebook."),
    "processes": ("crashed", "{subject} started more than {processes} processes."),
    "flood": ("memory", "{subject}: the answers of one check have sent more than {received} MiB."),
    "effort": ("timeout", "{subject}: checking what was returned took the grader more than {check_seconds:g} s."),
    "bulk": ("memory", "{subject}: checking what was returned took the grader more than {bulk} GiB of memory."),
    "tampered": (
        "tampered",
        "{subject}: what came from the notebook's process is not what an answer gives; does its code write into files "
        "that it has not opened, or replace parts of Python or torch?",
    ),
    CUT: ("crashed", "{subject} was ended from outside, several times; does it use up the machine's memory?"),
    "crashed": ("crashed", "{subject} ended the Python process; does it call exit, or crash in native code?"),
}
KEEPS_NOTHING = re.compile(r"\s*(%%(?:timeit|writefile|file|script|bash|sh|python3?|html|markdown))\b")
PRINTED = 4000
CUTS = 3  # times that an evaluation goes on after something outside has ended the learner's process
CUT_SECONDS = 0.2  # until then: what short memory made the kernel end may fit again
CELLS_FULL = 8  # all cells together may print as much as this many cells at their limit


class Evaluation:
    """Evaluates one job in one sandbox: ``verdict()`` returns the result, ``close()`` ends the session."""

    def __init__(self, sandbox: ColdSandbox, job: Job) -> None:
        self.sandbox, self.job = sandbox, job
        self.start = time.monotonic()
        self.budget = Budget(job.limits.total_seconds)
        self.caller: Caller | None = None  # to the learner's process, while there is one
        self.output_left = CELLS_FULL * job.limits.output
        self.namespace: dict[str, Any] = {"__name__": "__judge__"}
        self.cuts = 0  # times that the learner's process was ended from outside
        self.broken: dict[str, str] = {}  # cell or answer → how it failed; it is not run again
        self.incidents: set[Incident] = set()
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
        incidents = (incident for incident in get_args(Incident) if incident in self.incidents)
        status: Status = next(incidents, "ok" if passed else "failed")
        seconds = time.monotonic() - self.start
        return Verdict(status, self.job.seed, self.checks, self.cells, self.notes, seconds)

    def connect(self, position: int, cell: Cell) -> Caller:
        """Reaches the learner's process; a new one first runs the cells before ``cell``, which is at ``position``."""
        if not self.budget.left() or "tampered" in self.incidents:
            raise AnswerLost("spent", cell.name)
        if self.caller is None:
            client = AnswerClient(self.sandbox.open(), self.job.limits.cell_seconds, self.budget)
            self.caller = Caller(client)
            for before in self.job.cells[:position]:
                if before.kind == "code" and before.name not in self.broken:
                    self.budget.begin(self.seconds_of_a_cell)
                    with contextlib.suppress(AnswerError):  # its error was reported when it first ran
                        client.request(before.name, op="run", cell=before.name, source=before.source)
            self.budget.begin(self.seconds_of_a_cell)
        return self.caller

    @property
    def seconds_of_a_cell(self) -> float:
        """The limit for one cell with all calls that its check makes."""
        return CELLS * self.job.limits.cell_seconds

    def close(self) -> None:
        if self.caller is not None:
            self.caller.client.session.end()
            self.caller = None

    def run(self, position: int, cell: Cell) -> None:
        """Runs one of the learner's cells and keeps its outputs."""
        start = time.monotonic()
        self.budget.begin(self.seconds_of_a_cell)
        try:
            client = self.connect(position, cell).client
            try:
                reply = client.request(cell.name, op="run", cell=cell.name, source=cell.source)
            except AnswerError as failure:
                reply = {"error": {"kind": failure.kind, "detail": failure.detail, "line": failure.line}}
            self.explain(reply.get("error"), position)
            outputs, error = outputs_of(reply, min(self.job.limits.output, self.output_left))
            self.output_left -= sum(map(size_of, outputs))
            self.cells.append(CellResult(cell.name, "error" if error else "ok", outputs, time.monotonic() - start))
        except AnswerLost as breach:
            if self.may_retry(breach):
                return self.run(position, cell)
            message = self.record_breach(breach)
            incident, _ = BREACHES.get(breach.reason, BREACHES["crashed"])
            status: CellStatus = "crashed" if incident == "tampered" else incident
            status = "not run" if breach.reason == "spent" else status
            ended = {"output_type": "error", "ename": breach.reason, "evalue": message, "traceback": [message]}
            self.cells.append(CellResult(cell.name, status, [ended], time.monotonic() - start))

    def examine(self, position: int, cell: Cell) -> None:
        """Runs one check cell here, in the judge process; the answers stay in the sandbox."""
        draw.seed = self.job.seed
        self.budget.begin(self.seconds_of_a_cell)
        printed = io.StringIO()
        points, finding = 0.0, Finding()
        try:
            caller = self.connect(position, cell)
            with bounded(self.seconds_of_a_cell):
                names = self.fetched(caller, compiled(cell.source).names)
                with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                    points = execute(cell, self.namespace, names)
        except CheckFailed as failure:
            finding = failure.finding
        except AnswerError as error:
            line = f", at your line `{error.line}`" if error.line else ""
            finding = Finding(mistake=f"raised.{error.kind}", got=f"your answer raised {error}{line}.")
        except AnswerLost as breach:
            if self.may_retry(breach):
                return self.examine(position, cell)
            finding = Finding(mistake="stopped", got=self.record_breach(breach))
        except (Overrun, MemoryError) as error:  # perhaps in the middle of a message, so the client is unusable
            reason = "bulk" if isinstance(error, MemoryError) else "effort"
            points, finding = 0.0, Finding(mistake="stopped", got=self.break_off(cell, reason))
        except SandboxUnavailable:  # not the learner's fault: the whole submission is evaluated again
            raise
        except AssertionError as error:
            finding = Finding(mistake="assertion", got=str(error) or describe_assertion(cell.source, error))
        except Exception as error:
            got = f"the check could not use your answer: {type(error).__name__}: {error}"
            if "can't allocate memory" in got:  # torch raises its own kind of MemoryError
                got = self.break_off(cell, "bulk")
            finding = Finding(mistake="unfit", got=got)
        status: CheckStatus = (
            "passed" if points >= cell.max_points and not finding else "partial" if points > 0 else "failed"
        )
        if status == "partial":
            finding = Finding(got=printed.getvalue().strip() or f"{points:g} of {cell.max_points:g} points.")
        if why := cause(finding.got, self.sources(position)):
            finding = replace(finding, why=why) if finding.what else replace(finding, got=f"{finding.got} {why}")
        finding = finding.mapped(lambda text: printable(text, PRINTED))
        self.checks.append(CheckVerdict(cell.name, points, cell.max_points, status, finding))
        text = printable(printed.getvalue(), PRINTED)
        outputs = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        self.cells.append(CellResult(cell.name, "ok" if status == "passed" else "error", outputs))

    def sources(self, position: int) -> dict[str, str]:
        """The learner's cells up to this position."""
        return {cell.name: cell.source for cell in self.job.cells[: position + 1] if cell.kind == "code"}

    def explain(self, error: Any, position: int) -> None:
        """Completes the text of an error that a cell ended with; anything else is not of this form."""
        match error:
            case {"kind": str(kind), "detail": str(detail), "line": str(line)}:
                name = self.job.cells[position].name
                why = cause(f"{kind}: {detail}", self.sources(position), name, line)
                error["detail"] = f"{cited(detail, name)}. {why}" if why else cited(detail, name)

    def fetched(self, caller: Caller, read: frozenset[str]) -> dict[str, Any]:
        """The learner's values for the names that a check, or the code that the exercise gives, reads."""
        names = {}
        for name in sorted((read | read_outside(self.job.imports)) - set(self.namespace)):
            if name in self.broken and name in read:
                raise CheckFailed(name, f"not tried again: {self.broken[name]}", mistake="stopped")
            try:
                names[name] = caller.fetch(name)
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
        definition = re.compile(rf"^[ \t]*(?:async[ \t]+)?(?:def|class)[ \t]+{name}\b", re.MULTILINE)
        for result in self.cells:
            magic = KEEPS_NOTHING.match(sources[result.cell])
            if result.status == "ok" and magic and definition.search(sources[result.cell]):
                return f"its cell begins with `{magic[1]}`, which keeps nothing that it defines: take the line away."
            if result.status != "ok" and definition.search(sources[result.cell]):
                errors = [output for output in result.outputs if output["output_type"] == "error"]
                if not errors:
                    return "its cell failed"
                error, message = errors[-1]["ename"], errors[-1]["evalue"]
                version = "; Python {}.{} read it".format(*sys.version_info) if error == "SyntaxError" else ""
                return f"its cell ended with {error}: {message.rstrip('.')}{version}"
        return "is it defined under exactly this name, in a cell above?"

    def may_retry(self, breach: AnswerLost) -> bool:
        """Whether to try again: something outside ended the learner's process, through no fault of the learner's."""
        if breach.reason != CUT or self.cuts == CUTS:
            return False
        self.cuts, self.caller = self.cuts + 1, None
        time.sleep(CUT_SECONDS)
        return True

    def break_off(self, cell: Cell, reason: str) -> str:
        """Ends a check that the grader itself cannot finish; returns the message for the learner."""
        assert self.caller is not None
        return self.record_breach(self.caller.client.broken(cell.name, reason))

    def record_breach(self, breach: AnswerLost) -> str:
        """Records what happened and returns the message for the learner."""
        used_up = breach.reason == "timeout" and not self.budget.cell_left()
        self.budget.excuse(breach.waited)  # a busy machine must not cost later cells their time
        self.caller = None
        if "tampered" in self.incidents:
            return "not run: what came from the notebook's process before was not what an answer gives."
        subject = printable(breach.subject, 300)
        reason = ("slow" if used_up else breach.reason) if self.budget.left() else "spent"
        incident, words = BREACHES.get(reason, BREACHES["crashed"])
        limits = self.job.limits
        values = asdict(limits) | {"memory": limits.memory / 2**30, "check_seconds": self.seconds_of_a_cell}
        message = words.format(subject=subject, received=MAX_RECEIVED >> 20, bulk=MEMORY >> 30, **values)
        self.incidents.add(incident)
        self.broken[subject] = message
        if message not in self.notes:
            self.notes.append(message)
        return message

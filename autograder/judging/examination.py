"""One submission before the judge: the learner's cells run in the sandbox, the check cells here, in notebook order.

A cell or an answer that never returns, or takes its process down, costs its own points alone: a fresh fork runs
the other cells again, and the examination goes on.
"""

import ast
import builtins
import contextlib
import io
import math
import re
import time
from typing import Any

from autograder import expect
from autograder.expect import AnswerError, CheckFailed
from autograder.judging.ahead import Room
from autograder.judging.job import Cell, Job
from autograder.judging.remote import Link, LinkBroken
from autograder.judging.trust import MAX_RECEIVED, Allowance, spoken
from autograder.judging.verdict import CellResult, CellStatus, CheckVerdict, Status, Verdict
from autograder.sandbox.refusal import SandboxUnavailable

HIDDEN = re.compile(r"### BEGIN HIDDEN TESTS.*?### END HIDDEN TESTS", re.DOTALL)
INCIDENTS = ("tampered", "memory", "crashed", "timeout")  # the gravest first
ENDED: dict[str, CellStatus] = {
    "timeout": "timeout",
    "cpu": "timeout",
    "memory": "memory",
    "flood": "memory",
    "spent": "not run",
}
PRINTED = 4000
MAX_OUTPUTS = 1000  # of one cell
CELLS_FULL = 8  # all cells of a notebook together may print as much as so many that are full


class Examination:
    """Runs one job in one sandbox: ``verdict()`` says what came of it, ``hang_up()`` ends what is left of it."""

    def __init__(self, sandbox: Room, job: Job) -> None:
        self.sandbox, self.job = sandbox, job
        self.start = time.monotonic()
        self.end = self.start + job.limits.total_seconds
        self.link: Link | None = None
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
        exec(compile(self.job.imports, "<imports>", "exec"), self.namespace)
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
            self.link = Link(self.sandbox.open(), self.job.limits.cell_seconds, self.end, self.allowance)
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
        points, message = 0.0, ""
        try:
            if self.spent():
                raise LinkBroken("spent", cell.name)
            link = self.connect(position)
            names = {}
            for name in sorted(free_names(cell.source) - set(self.namespace)):
                if name in self.broken:
                    raise CheckFailed(name, f"not tried again: {self.broken[name]}")
                try:
                    names[name] = link.fetch(name)
                except AnswerError as error:
                    if error.kind != "NameError":
                        raise
                    raise CheckFailed(name, "not defined", "what this task asks for", self.why_missing(name)) from None
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(io.StringIO()):
                points = execute(cell, self.namespace, names)
        except CheckFailed as failure:
            message = str(failure)
        except AnswerError as error:
            line = f", at your line `{error.line}`" if error.line else ""
            message = f"your answer raised {error}{line}."
        except LinkBroken as breach:
            if self.excused(breach):
                return self.examine(position, cell)
            message = self.breach(breach)
        except SandboxUnavailable:  # no fault of the learner's: the whole submission is judged again
            raise
        except AssertionError as error:
            message = str(error) or missed(cell.source, error)
        except Exception as error:
            message = f"the check could not use your answer: {type(error).__name__}: {error}"
        status = "passed" if points >= cell.max_points and not message else "partial" if points > 0 else "failed"
        if status == "partial":
            message = printed.getvalue().strip() or f"{points:g} of {cell.max_points:g} points."
        self.checks.append(CheckVerdict(cell.name, points, cell.max_points, status, spoken(message, PRINTED)))
        text = spoken(printed.getvalue(), PRINTED)
        outputs = [{"output_type": "stream", "name": "stdout", "text": text}] if text else []
        self.cells.append(CellResult(cell.name, "ok" if status == "passed" else "error", outputs))

    def why_missing(self, name: str) -> str:
        """The error of the cell that would have defined the name, or a guess."""
        sources = {cell.name: cell.source for cell in self.job.cells}
        for result in self.cells:
            if result.status != "ok" and re.search(rf"^\s*(def|class)\s+{name}\b", sources[result.cell], re.MULTILINE):
                said = [output for output in result.outputs if output["output_type"] == "error"]
                return f"its cell ended with {said[-1]['ename']}: {said[-1]['evalue']}" if said else "its cell failed"
        return "is it defined under this very name, in a cell above?"

    def spent(self) -> bool:
        return time.monotonic() >= self.end or "tampered" in self.incidents or self.allowance.left < 0

    def excused(self, breach: LinkBroken) -> bool:
        """Something from outside killed the learner's process; it is tried again, once in an examination."""
        if breach.reason != "cut" or self.cut:
            return False
        self.cut, self.link = True, None
        return True

    def breach(self, breach: LinkBroken) -> str:
        """Takes down what happened and returns it in words for the learner."""
        self.link = None
        reason, subject, limits = breach.reason, spoken(breach.subject, 300), self.job.limits
        if "tampered" in self.incidents:
            return "not run: the answer process broke the rules of the wire before."
        if self.allowance.left < 0 and reason != "flood":
            return "not run: the answers had sent more than the grader takes in."
        if time.monotonic() >= self.end:
            said = f"not run: the {limits.total_seconds:g} s for the whole notebook were used up."
            incident = "timeout"
        elif reason == "timeout":
            said = f"{subject} did not finish within {limits.cell_seconds:g} s; is there a loop that never ends?"
            incident = "timeout"
        elif reason == "memory":
            said = f"{subject} used more than {limits.memory / 2**30:g} GiB of memory."
            incident = "memory"
        elif reason == "cpu":
            said = f"{subject} used up the {limits.cpu_seconds:g} s of processor time for the whole notebook."
            incident = "timeout"
        elif reason == "processes":
            said = f"{subject} started more than {limits.processes} processes."
            incident = "crashed"
        elif reason == "flood":
            said = f"{subject} brought what the answers sent to more than {MAX_RECEIVED >> 20} MiB."
            incident = "memory"
        elif reason == "tampered":
            said = f"{subject}: the answer process sent something that is not an answer."
            incident = "tampered"
        else:
            said = f"{subject} ended the Python process; does it call exit, or crash in native code?"
            incident = "crashed"
        self.incidents.add(incident)
        self.broken[subject] = said
        if said not in self.notes:
            self.notes.append(said)
        return said


def execute(cell: Cell, namespace: dict[str, Any], names: dict[str, Any]) -> float:
    """Runs a check cell and returns its points: all of them, or the number that its last expression gives."""
    tree = ast.parse(cell.source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    scope = namespace | names
    try:
        exec(compile(tree, "<check>", "exec"), scope)
        value = eval(compile(ast.Expression(last.value), "<check>", "eval"), scope) if last else None
    finally:  # what check cells define, later check cells may use; answers are fetched anew each time
        namespace.update({name: value for name, value in scope.items() if name not in names})
    if type(value) not in (int, float):
        return cell.max_points
    return min(max(0.0, float(value)), cell.max_points) if math.isfinite(value) else 0.0


def free_names(source: str) -> set[str]:
    """The names that a check cell reads and does not define itself: these alone are asked for in the sandbox."""
    loaded, stored = set(), set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.add(name)
            case ast.Name(id=name) | ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                stored.add(name)
            case ast.alias(name=name, asname=alias):
                stored.add(alias or name.split(".")[0])
            case ast.ExceptHandler(name=str(name)):
                stored.add(name)
    return loaded - stored - set(dir(builtins))


def missed(source: str, error: AssertionError) -> str:
    """An assertion without words: its own line, unless that line is hidden from learners."""
    number = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == "<check>":
            number = trace.tb_lineno
        trace = trace.tb_next
    for region in HIDDEN.finditer(source):
        if source[: region.start()].count("\n") < number <= source[: region.end()].count("\n") + 1:
            return "a hidden check does not hold."
    lines = source.splitlines()
    return f"does not hold: {lines[number - 1].strip()}" if 0 < number <= len(lines) else "an assertion does not hold."


def size_of(output: dict[str, Any]) -> int:
    return len(output.get("text", "")) + sum(map(len, output.get("data", {}).values()))


def outputs_of(reply: dict[str, Any], limit: int) -> tuple[list[dict[str, Any]], bool]:
    """A cell's outputs, rebuilt from what the sandbox said: streams, texts, pictures and one error, all of them cut."""
    outputs: list[dict[str, Any]] = []
    left = limit + 1000
    said = reply.get("outputs")
    for output in said[:MAX_OUTPUTS] if isinstance(said, list) else []:
        match output:
            case {"output_type": "stream", "name": "stdout" | "stderr" as name, "text": str(text)} if left > 0:
                outputs.append({"output_type": "stream", "name": name, "text": text[:left]})
                left -= len(text)
            case {"output_type": "display_data", "data": dict(data)}:
                shown = {
                    mime: text
                    for mime, text in data.items()
                    if mime in ("text/plain", "image/png") and isinstance(text, str) and len(text) <= left
                }
                if shown:
                    outputs.append({"output_type": "display_data", "data": shown, "metadata": {}})
                    left -= sum(map(len, shown.values()))
    error = reply.get("error")
    if isinstance(error, dict):
        kind, detail, line = (spoken(error.get(key)) for key in ("kind", "detail", "line"))
        trace = [*([f"at your line `{line}`"] if line else []), f"{kind}: {detail}"]
        outputs.append({"output_type": "error", "ename": kind, "evalue": detail, "traceback": trace})
    return outputs, isinstance(error, dict)

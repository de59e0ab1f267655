"""What each command does, says, and exits with."""

import argparse
import json
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from tqdm import tqdm

from autograder.grade import Graded, Run, UsageError
from autograder.summary import number, stopped_cells
from autograder.verdict import Verdict

OK, FAILED, USAGE, NO_SANDBOX, INTERRUPTED = 0, 1, 2, 3, 130


def run(options: argparse.Namespace) -> int:
    """Runs the command; every error becomes one line on stderr and an exit status."""
    from autograder.assignment import UnknownAssignment
    from autograder.sandbox import SandboxUnavailable
    from autograder.script import ScriptError

    try:
        return options.run(options)
    except (UsageError, UnknownAssignment, ScriptError) as error:
        return _say(options, error, USAGE)
    except SandboxUnavailable as error:
        print(f"{options.command}: {error}", file=sys.stderr)
        return NO_SANDBOX
    except KeyboardInterrupt:
        return _say(options, "interrupted; what was judged is kept, run the same command to go on.", INTERRUPTED)
    except BrokenPipeError:
        sys.stderr.close()
        return OK
    except Exception as error:
        if options.debug:
            traceback.print_exc()
        return _say(options, f"{type(error).__name__}: {error}", FAILED)


def _say(options: argparse.Namespace, message: object, status: int) -> int:
    line = " ".join(str(message).split())
    print(f"{options.command}: {line}", file=sys.stderr)
    return status


def build(options: argparse.Namespace) -> int:
    from autograder import build as building

    if options.check:
        lines = building.stale(options.root)
        for line in lines:
            print(line)
        return FAILED if lines else OK
    written = building.build(options.root)
    for path in written:
        print(f"wrote {path.relative_to(options.root)}")
    if not written:
        print("exercises/ is current")
    return OK


def grade(options: argparse.Namespace) -> int:
    if options.workers < 1:
        raise UsageError(f"--workers is {options.workers}, expected 1 or more.")
    if options.output.exists() and not options.output.is_dir():
        raise UsageError(f"--output {options.output} is a file, expected a folder.")
    bar = _Bar()
    job = Run(options.root, options.output, options.workers, options.seed, bar.step)
    try:
        graded = job.grade(options.folder, options.assignment)
    finally:
        bar.close()
    if job.skipped:
        print(f"grade: left out, being no assignment: {', '.join(job.skipped)}", file=sys.stderr)
    print(json.dumps(_record(graded, job), indent=1) if options.json else _table(graded, options.output))
    lost = [one.handed.student for one in graded if one.verdict.status == "infrastructure"]
    if lost:
        print(f"grade: not graded by a fault of the grader: {', '.join(lost)}; run it again.", file=sys.stderr)
    return FAILED if lost else OK


def check(options: argparse.Namespace) -> int:
    from autograder.assignment import load
    from autograder.judging import Bench
    from autograder.submission import Submission

    if not options.notebook.is_file():
        raise UsageError(f"there is no notebook {options.notebook}.")
    assignment = load(options.root, options.assignment or options.notebook.stem)
    submission = Submission.read(options.notebook.read_bytes(), assignment)
    if submission.unreadable:
        raise UsageError(submission.unreadable)
    with Bench(assignment, options.root) as bench:
        verdict = bench.verdict(submission, seed=0, hidden=False)
    for note in [*verdict.notes, *stopped_cells(verdict)]:
        print(f"· {note}")
    for one in verdict.checks:
        sign = "✓" if one.status == "passed" else "✗"
        print(f"{sign} {one.cell} {number(one.points)}/{number(one.max_points)} {one.message}".rstrip())
    hidden = sum(assignment.checks.values()) - verdict.max_points
    rest = f"; {number(hidden)} more are given by hidden checks" if hidden else ""
    print(f"{number(verdict.points)} of {number(verdict.max_points)} points{rest}")
    return OK if verdict.status == "ok" else FAILED


def doctor(options: argparse.Namespace) -> int:
    from autograder.sandbox import probe

    found = probe(options.root)
    for name, fit, cure in found:
        print(f"✓ {name}" if fit else f"✗ {name}\n  {cure}")
    return OK if all(fit for _, fit, _ in found) else NO_SANDBOX


class _Bar:
    """One progress bar after the other, on stderr."""

    def __init__(self) -> None:
        self.bar: tqdm | None = None

    def step(self, name: str, done: int, of: int) -> None:
        if self.bar is None or self.bar.desc != name:
            self.close()
            self.bar = tqdm(total=of, desc=name, unit="", file=sys.stderr, leave=True)
            self.bar.desc = name
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def _first_message(verdict: Verdict) -> str:
    lost = [f"{check.cell}: {check.message}" for check in verdict.checks if check.message and check.points == 0]
    if verdict.status in ("unreadable", "infrastructure"):
        lost = verdict.notes[-1:]
    return " ".join([*lost, *verdict.notes, *stopped_cells(verdict), ""][0].split())


def _table(graded: Sequence[Graded], output: Path, width: int = 72) -> str:
    rows = [("student", "assignment", "status", "points", "")]
    for one in graded:
        said = _first_message(one.verdict)
        said = said if len(said) <= width else said[: width - 1] + "…"
        points = f"{number(one.verdict.points)} / {number(one.verdict.max_points)}"
        rows.append((one.handed.student, one.handed.assignment, one.verdict.status, points, said))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    lines = []
    for row in rows:
        cells = [cell.ljust(size) for cell, size in zip(row[:3], widths, strict=False)]
        lines.append("  ".join([*cells, row[3].rjust(widths[3]), row[4]]).rstrip())
    lines.insert(1, "  ".join("─" * size for size in widths))
    reused = sum(one.reused for one in graded)
    lines += [
        "",
        f"{len(graded)} submissions, {len(graded) - reused} judged now, {reused} unchanged since an earlier run.",
        f"gradebook  {output / 'gradebook.db'}",
        f"feedback   {output / 'feedback'}/<student>/<assignment>/<assignment>.html",
    ]
    return "\n".join(lines)


def _record(graded: Sequence[Graded], job: Run) -> dict[str, object]:
    return {
        "output": str(job.output),
        "submissions": [
            {
                "student": one.handed.student,
                "assignment": one.handed.assignment,
                "status": one.verdict.status,
                "points": one.verdict.points,
                "max_points": one.verdict.max_points,
                "notes": one.verdict.notes,
                "checks": [
                    {"check": c.cell, "points": c.points, "max_points": c.max_points, "message": c.message}
                    for c in one.verdict.checks
                ],
            }
            for one in graded
        ],
    }

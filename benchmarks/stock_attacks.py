"""The attacks of tests/attacks against stock nbgrader and against this project's grader.

    .venv/bin/python -m benchmarks.stock_attacks             runs the missing attacks, then prints the table
    .venv/bin/python -m benchmarks.stock_attacks --table     prints the table of the stored results

Stock is ``nbgrader autograde`` with a plain configuration and a time-out of 15 s per cell, in its own sandbox: one
attack between an honest student graded before it and another graded after it. It takes about ten seconds per attack
and resumes where it stopped. Forged messages of our wire protocol are omitted: stock has no such protocol.
A dash in the table is an attack that has not been run against stock yet.
"""

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.stock_course import ROOT, SECRETS, attacked, template

sys.path.insert(0, str(ROOT / "tests"))
from attacks import catalogue
from attacks.notebooks import Attack
from attacks.replay import SEED, Replay, replay

COMMAND = ".venv/bin/python -m benchmarks.stock_attacks"
SLOW = ("network", "pages", "clock", "floods", "memory")  # run last: least informative, or run into time-outs
HONEST_TASK = 2  # points of the one right task in every poor notebook, which some attacks lose
RESULTS = Path(__file__).parent / "results" / "stock_attacks.json"


def here(run: Replay) -> Iterator[tuple[str, dict[str, Any]]]:
    """Attack → the outcome with this project's grader, all in one run."""
    harmed = [student for student, graded in run.graded.items() if "honest" in student and graded.verdict.points != 20]
    harmed += [path for path, digest in run.before.items() if run.after.get(path) != digest]
    for student, attack in catalogue.students().items():
        if attack is not None:
            verdict = run.graded[student].verdict
            text = json.dumps([[cell.outputs for cell in verdict.cells], verdict.notes], ensure_ascii=False)
            leaked = [secret for secret in (*SECRETS, str(SEED)) if secret in text]
            score = None if verdict.status == "infrastructure" else verdict.points
            yield attack.name, {"score": score, "ended": verdict.status, "harmed": harmed, "leaked": leaked}


def write(records: dict[str, Any]) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    report = {"command": COMMAND, "totals": totals(records), "attacks": records}
    RESULTS.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def totals(records: dict[str, Any]) -> dict[str, dict[str, int]]:
    """Side → how many attacks were run, got marks for nothing, harmed others or leaked; honest work punished."""
    sums = {}
    for side in ("stock", "ours"):
        there = [(record, record[side]) for record in records.values() if side in record]
        sums[side] = {
            "attacks": len(there),
            "marks for nothing": sum(
                (outcome["score"] or 0) > max(record["deserves"], HONEST_TASK) for record, outcome in there
            ),
            "others harmed": sum(bool(outcome["harmed"]) for _, outcome in there),
            "leaks": sum(bool(outcome["leaked"]) for _, outcome in there),
            "honest work": sum(record["honest"] for record, _ in there),
            "honest work punished": sum(
                record["honest"] and (outcome["score"] or 0) < record["deserves"] for record, outcome in there
            ),
        }
    return sums


def summary(record: dict[str, Any], side: str) -> str:
    outcome = record.get(side)
    if outcome is None:
        return "–"
    words = ["no score" if outcome["score"] is None else f"{outcome['score']:g} points"]
    words += ["stopped the batch"] if outcome.get("stopped") else []
    words += [word for word, there in (("harmed others", outcome["harmed"]), ("leaked", outcome["leaked"])) if there]
    return ", ".join(words)


def table(records: dict[str, Any]) -> str:
    lines = ["| class | attack | deserves | stock nbgrader | this grader |", "|---|---|--:|---|---|"]
    lines += [
        f"| {record['class']} | {name} | {record['deserves']:g} "
        f"| {summary(record, 'stock')} | {summary(record, 'ours')} |"
        for name, record in records.items()
    ]
    sums = totals(records)
    lines += ["", "| | stock nbgrader | this grader |", "|---|--:|--:|"]
    return "\n".join([*lines, *(f"| {key} | {sums['stock'][key]} | {sums['ours'][key]} |" for key in sums["stock"])])


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stock_attacks", description=__doc__.splitlines()[0])
    parser.add_argument("--table", action="store_true", help="run nothing; print the table of the committed results")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="sandboxes at a time (default: 2)")
    options = parser.parse_args()
    stored = json.loads(RESULTS.read_text(encoding="utf-8"))["attacks"] if RESULTS.exists() else {}
    records = {}
    for kind, group in catalogue.attacks().items():
        for attack in group:
            known = {
                side: outcome for side, outcome in stored.get(attack.name, {}).items() if side in ("stock", "ours")
            }
            records[attack.name] = {
                "class": kind,
                "wants": attack.wants,
                "deserves": attack.deserves,
                "honest": attack.honest,
            } | known
    if not options.table:
        with tempfile.TemporaryDirectory(prefix="stock", ignore_cleanup_errors=True) as place:
            measure(Path(place), records, options.workers)
    print(table(records))


def measure(place: Path, records: dict[str, Any], workers: int) -> None:
    """Runs the missing attacks and saves the results after each."""
    kinds = sorted(catalogue.attacks(), key=lambda kind: kind in SLOW)
    pending = [
        attack
        for kind in kinds
        for attack in catalogue.attacks()[kind]
        if kind != "forged" and "stock" not in records[attack.name]
    ]
    if pending:
        course = template(place)

    def with_outcome(attack: Attack) -> tuple[Attack, dict[str, Any]]:
        scratch = place / hashlib.sha256(attack.name.encode()).hexdigest()[:16]
        shutil.copytree(course, scratch)
        try:
            return attack, attacked(scratch, attack)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)

    with ThreadPoolExecutor(workers) as pool:
        for number, (attack, outcome) in enumerate(pool.map(with_outcome, pending), 1):
            records[attack.name]["stock"] = outcome
            write(records)
            print(
                f"{number}/{len(pending)} {attack.name}: {summary(records[attack.name], 'stock')}",
                file=sys.stderr,
                flush=True,
            )
    if any("ours" not in record for record in records.values()):
        (place / "ours").mkdir()
        for name, outcome in here(replay(place / "ours")):
            records[name]["ours"] = outcome
        write(records)


if __name__ == "__main__":
    main()

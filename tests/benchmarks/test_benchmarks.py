"""Every benchmark runs with its smallest setting and writes what its committed result has."""

import json
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks import class_of, decoding_speed, grading_speed, page_speed, reverse_speed, training_speed
from benchmarks.report import RESULTS
from benchmarks.stock_attacks import table, totals

ROOT = RESULTS.parents[1]
LONG = pytest.mark.long("every benchmark")
QUICK = [  # with which arguments
    pytest.param(training_speed, ["--quick", "--models", "luong_general"]),
    pytest.param(decoding_speed, ["--quick", "--models", "luong_general"]),
    pytest.param(reverse_speed, ["--seeds", "1"]),
    pytest.param(page_speed, ["--quick"], marks=[pytest.mark.browser, LONG]),
    pytest.param(grading_speed, ["--quick"], marks=[pytest.mark.sandbox, LONG]),
    pytest.param(
        class_of, ["2", "4", "--assignment", "04_lookup", "--workers", "1"], marks=[pytest.mark.sandbox, LONG]
    ),
]
JOEYNMT = """import json
for steps, bleu in ((250, 40.0), (500, 99.5)):
    print("a line of its log")
    print(json.dumps({"steps": steps, "cpu_seconds": steps / 100, "bleu": bleu, "parameters": 7}))
"""


def layout(report):
    """The keys of a report and, of each table in it, those of a row."""

    def columns(value):
        while value and isinstance(value, list | dict):
            rows = list(value.values()) if isinstance(value, dict) else value
            if isinstance(value, dict) and not all(isinstance(row, list | dict) for row in rows):
                return set(value)
            value = rows[0]
        return None

    return {key: columns(value) for key, value in report.items()}


@pytest.fixture
def joeynmt(tmp_path, monkeypatch):
    """A Python in the place of JoeyNMT's own, which reports two validations, and a task of seconds."""
    (tmp_path / "trainer.py").write_text(JOEYNMT)
    (tmp_path / "python").write_text(f'#!/bin/sh\nexec {sys.executable} {tmp_path / "trainer.py"} "$@"\n')
    (tmp_path / "python").chmod(0o755)
    monkeypatch.setattr(reverse_speed, "PYTHON", tmp_path / "python")
    monkeypatch.setattr(reverse_speed, "STEPS", (1,))
    monkeypatch.setattr(reverse_speed, "SETTINGS", reverse_speed.SETTINGS | {"training_pairs": 50, "test_pairs": 3})


@pytest.mark.parametrize(("benchmark", "arguments"), QUICK)
@pytest.mark.usefixtures("joeynmt")
def test_the_smallest_run_writes_what_the_committed_result_has(benchmark, arguments, tmp_path):
    path = tmp_path / "report.json"
    with ThreadPoolExecutor(1) as thread:  # in this one the loop of another test's browser may be running
        status = thread.submit(benchmark.main, [*arguments, "--json", str(path)]).result()
    assert status in ((0, 1) if benchmark is page_speed else (None, 0))  # a busy machine answers slowly
    report = json.loads(path.read_text())
    committed = json.loads((RESULTS / f"{benchmark.__name__.rpartition('.')[2]}.json").read_text())
    assert report["command"] == committed["command"] == benchmark.COMMAND
    assert layout(report) == layout(committed)


def test_every_committed_result_says_how_and_on_what_it_was_measured():
    lacking = []
    for path in RESULTS.glob("*.json"):
        report = json.loads(path.read_text())
        machine = {"name", "machine", "processor"} & report.keys() or "attacks" in report  # which measures no time
        torch = "torch" in report or "device" not in report
        if not (machine and torch and report["command"] == f"python -m benchmarks.{path.stem}"):
            lacking.append(path.name)
        if not (ROOT / "benchmarks" / f"{path.stem}.py").is_file():
            lacking.append(f"{path.name}: no such benchmark")
    assert lacking == []


def test_the_attacks_on_stock_nbgrader_are_counted_as_they_ended():
    report = json.loads((RESULTS / "stock_attacks.json").read_text())
    assert totals(report["attacks"]) == report["totals"]
    rows = [line for line in table(report["attacks"]).splitlines() if line.count("|") == 6]
    assert len(rows) >= len(report["attacks"])

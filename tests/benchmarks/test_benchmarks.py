"""Every benchmark runs with its smallest setting and writes what its committed result has."""

import json
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from benchmarks import (
    class_of,
    decoding_speed,
    grading_speed,
    multi30k_speed,
    page_speed,
    reverse_speed,
    training_speed,
)
from benchmarks import gpu as gpu_run
from benchmarks.report import RESULTS, markdown
from benchmarks.stock_attacks import table, totals
from seq2seq.experiments import multi30k

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


ON_A_GPU = [  # with which settings
    pytest.param(
        training_speed,
        {"words": 6, "sentences": {"cuda": 3}, "tokens_per_batch": {"cuda": 40}, "corpus_pairs": 60},
        marks=[LONG],
    ),
    pytest.param(decoding_speed, {"naive_every": 2, "training_pairs": 60, "max_length": 4}),
    pytest.param(reverse_speed, {"training_pairs": 20, "test_pairs": 2}),
    pytest.param(multi30k_speed, {}),
]


@pytest.mark.parametrize(("benchmark", "settings"), ON_A_GPU)
@pytest.mark.usefixtures("joeynmt")
def test_a_gpu_is_measured_with_and_without_replays(benchmark, settings, gpu, tmp_path, monkeypatch):
    if benchmark is multi30k_speed:
        monkeypatch.setattr(multi30k_speed, "data", lambda *given: few(multi30k.data(*given)))
        monkeypatch.delitem(multi30k_speed.WAYS, "replayed, bfloat16")  # the stand-in has no autocast
    else:
        small = "SETTINGS" if benchmark is reverse_speed else "QUICK"
        monkeypatch.setattr(benchmark, small, getattr(benchmark, small) | settings)
    models = ["--models", "luong_general_feeding"] if benchmark in (training_speed, decoding_speed) else []
    benchmark.main(["--quick", "--device", gpu.type, *models, "--json", str(tmp_path / "report.json")])
    if benchmark is not reverse_speed:  # whose smoke test writes nothing
        report = json.loads((tmp_path / "report.json").read_text())
        assert report["device"] == gpu.type
        assert "replayed" in str(report)


def few(prepared):
    """The first pairs of everything."""
    data, device = prepared
    sets = {name: pairs[:6] for name, pairs in data.sets.items()}
    return data._replace(training=data.training[:30], sets=sets), device


def test_what_runs_on_a_gpu_is_refused_without_one_and_each_part_ends_in_its_time(monkeypatch, capsys):
    if not torch.cuda.is_available():
        assert gpu_run.main([]) == 2
        assert "has no CUDA device; nothing was run" in capsys.readouterr().err
    parts = {"passes": ["this"], "fails": ["no_such_module"], "hangs": ["http.server", "0"]}
    monkeypatch.setattr(gpu_run, "SECONDS", {"passes": 600, "fails": 600, "hangs": 0.5})
    monkeypatch.setattr(gpu_run, "command", lambda part, chosen: parts[part])
    assert gpu_run.main(["--device", "cpu"]) == 1
    lines = [line for line in capsys.readouterr().out.splitlines() if line.startswith("==")]
    assert [line.split(": ")[1].split(" after")[0] for line in lines] == [
        *("passed", "failed with status 1", "ended, as its 0 s were over,"),
    ]


def test_a_table_has_a_column_for_each_number_that_some_rows_lack():
    rows = [{"model": "a", "seconds": 1.0}, {"model": "b", "kernels": 2.0, "seconds": 123.4}]
    assert markdown(rows).splitlines() == [
        "| model | seconds | kernels |",
        "|---|---|---|",
        "| a | 1.00 | – |",
        "| b | 123 | 2.00 |",
    ]


def test_every_test_of_the_library_that_asks_for_a_gpu_runs_on_one():
    asking = [
        f"{path.stem} {name}"
        for path in (ROOT / "tests/seq2seq").glob("test_*.py")
        for name, given in re.findall(r"def (test_\w+)\(([^)]*)\)", path.read_text())
        if {"gpu", "replaying"}.intersection(given.split(", "))
    ]
    assert len(asking) > 10
    assert [name for name in asking if not any(word in name for word in gpu_run.ON_A_GPU.split(" or "))] == []


def test_all_that_runs_on_a_gpu_is_over_in_ten_minutes():
    assert sum(gpu_run.SECONDS.values()) <= 600


@pytest.mark.long("every benchmark")
def test_what_runs_on_a_gpu_runs_on_a_cpu_too(capfd):
    assert gpu_run.main(["--quick", "--device", "cpu", "--parts", "tests", "decoding_speed", "multi30k_speed"]) == 0
    assert capfd.readouterr().out.count(": passed after") == 3


def test_every_committed_result_says_how_and_on_what_it_was_measured():
    lacking = []
    for path in RESULTS.glob("*.json"):
        report = json.loads(path.read_text())
        machine = {"name", "machine", "processor"} & report.keys() or "attacks" in report  # which measures no time
        version = "torch" in report or "device" not in report
        benchmark = path.stem.removesuffix("_cuda")
        if not (machine and version and report["command"] == f"python -m benchmarks.{benchmark}"):
            lacking.append(path.name)
        if not (ROOT / "benchmarks" / f"{benchmark}.py").is_file():
            lacking.append(f"{path.name}: no such benchmark")
    assert lacking == []


def test_the_attacks_on_stock_nbgrader_are_counted_as_they_ended():
    report = json.loads((RESULTS / "stock_attacks.json").read_text())
    assert totals(report["attacks"]) == report["totals"]
    rows = [line for line in table(report["attacks"]).splitlines() if line.count("|") == 6]
    assert len(rows) >= len(report["attacks"])

"""Two tiers of tests and no other selection: what is marked `long`, and the rest, which `make test` runs whole."""

import re
import subprocess
from collections import Counter
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
KIND = re.compile(r"^\| (?P<kind>[^|]+?) \| .* \|$", re.MULTILINE)


@pytest.fixture(scope="module")
def collected(request, left_out):
    """All tests, and those that pytest left out, of a run of the whole suite."""
    options = request.config.option
    if options.file_or_dir or options.keyword or options.markexpr not in ("", "not long"):
        pytest.skip("a part of the suite was asked for")
    return [*request.session.items, *left_out], left_out


def test_make_test_which_every_change_runs_selects_by_the_mark_and_make_test_long_every_night_does_not_select():
    for target, selection in (("test", ' -m "not long"'), ("test-long", "")):
        done = subprocess.run(["make", "--dry-run", target], cwd=ROOT, capture_output=True, text=True, check=True)
        lines = [line.strip() for line in done.stdout.splitlines() if "pytest" in line]
        assert lines == [f".venv/bin/python -m pytest -n auto --dist worksteal{selection}"]
    assert (ROOT / ".ci" / "run").read_text("utf-8").splitlines()[-1].endswith(" test")
    workflow = yaml.load((ROOT / ".github" / "workflows" / "test.yml").read_text("utf-8"), Loader=yaml.BaseLoader)
    assert set(workflow["on"]) >= {"push", "pull_request", "schedule"}
    commands = [step.get("run", "") for step in workflow["jobs"]["course"]["steps"]]
    assert {"make course", "make test"} <= set(commands)
    nightly = workflow["jobs"]["every-test"]
    assert nightly["if"] == "github.event_name == 'schedule'"
    assert "make test-long" in [step.get("run", "") for step in nightly["steps"]]


def test_no_test_is_left_out_but_those_marked_long(request, collected):
    tests, left_out = collected
    assert [item.nodeid for item in left_out if item.get_closest_marker("long") is None] == []
    files = {path for path in (ROOT / "tests").rglob("test_*.py") if "answers" not in path.parts}
    assert sorted(map(str, files - {item.path for item in tests})) == [], "no test of these files was collected"
    assert not request.config.option.ignore
    assert not request.config.option.deselect


def test_what_is_long_is_of_a_listed_kind_and_at_most_a_tenth(collected):
    tests, _ = collected
    marks = [mark for item in tests if (mark := item.get_closest_marker("long"))]
    kinds = Counter(mark.args[0] for mark in marks)
    section = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("### What is long")[2].partition("\n## ")[0]
    listed = set(KIND.findall(section)) - {"kind", "---"}
    assert set(kinds) == listed
    assert len(marks) <= len(tests) / 10, kinds

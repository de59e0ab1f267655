"""A round on a JupyterHub, as `make hub` starts it, from release to grades, as its users click through it."""

import csv
import json
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import hubs
import pytest
from hub_users import NAME, TASK, Instructor, Learner
from hubs import Hub
from jupyter_servers import replace
from playwright.sync_api import Browser, expect

from autograder.folders import TABLE
from autograder.hub.faults import ASPECTS

pytestmark = [pytest.mark.sandbox, pytest.mark.long("the hub"), pytest.mark.timeout(1800)]

CLASS = f"""
time_zone = "Europe/Berlin"
late = 100
[exercises]
{NAME} = {{weight = 1}}
"""
RIGHT = f"""def {TASK}(weights, values):
    context = values.new_zeros(values.shape[0], values.shape[2])
    for row in range(values.shape[0]):
        for j in range(values.shape[1]):
            context[row] += weights[row, j] * values[row, j]
    return context"""
WRONG, DIAGNOSIS = RIGHT.replace("+=", "="), "only the last key arrives"
WORDS, COMMENT = "Each score moves by its *weight*.", "And a wrong key that has nearly all of it?"
# What a learner tries: to look at what is another's, to hand in for another, and to have another's work handed in.
TRIES = """
import json, os, pathlib
home, inbound = pathlib.Path({home!r}), pathlib.Path({exchange!r}, "attention", "inbound")
def tried(look):
    try:
        return str(look())
    except OSError as error:
        return type(error).__name__
def at(name, text):
    folder = inbound / f"{{name}}+{name}+2099-01-01 00:00:00.000000 UTC+x"
    folder.mkdir()
    (folder / "{name}.ipynb").write_text(text)
    (folder / "of_another.txt").symlink_to(home / {instructor!r} / "course" / "grades" / "gradebook.db")
at({victim!r}, "forged")
programs = [path.read_bytes() for path in pathlib.Path("/proc").glob("[0-9]*/cmdline")]
print(json.dumps({{
    "homes": [tried(lambda: os.listdir(home / name)) for name in ({instructor!r}, {victim!r})],
    "handed in": tried(lambda: os.listdir(inbound)),
    "given back": tried(lambda: os.listdir(inbound.parent / "feedback")),
    "taken away": tried(lambda: os.rename(inbound.parent, inbound.parent.with_name("other"))),
    "hub": tried(lambda: open({state!r})),
    "passwords": sum({password!r}.encode() in line for line in programs),
}}))
"""


@contextmanager
def started(is_of_root: bool) -> Iterator[Hub]:
    folder = Path(tempfile.mkdtemp(prefix="hub-"))  # pytest's own are closed to other accounts
    folder.chmod(0o755)
    root = folder / "class"
    root.mkdir()
    (root / TABLE).write_text(CLASS, encoding="utf-8")
    try:
        with hubs.started(root, folder / "hub", is_of_root) as hub:
            yield hub
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def hub() -> Iterator[Hub]:
    with started(is_of_root=True) as hub:
        yield hub


@pytest.fixture
def hub_of_one_account() -> Iterator[Hub]:
    with started(is_of_root=False) as hub:
        yield hub


def test_a_round_in_which_a_learner_of_the_hub_sees_nothing_of_others_and_hands_in_for_none(browser: Browser, hub: Hub):
    assert "✗" not in (seen := hub.doctor())
    assert seen.count("✓") == len(ASPECTS)
    teacher = Instructor(hub, browser)
    assert "Success" in teacher.press("release")
    ada, ben, eve = (Learner(hub, browser, name) for name in hub.trial.learners)
    ada.sees_the_assignment_list_and_nothing_of_formgrader()
    for learner in (ada, ben, eve):
        learner.fetch()
    ada.writes(WRONG, DIAGNOSIS)
    ada.writes(RIGHT, "✓")
    ada.answers(WORDS)
    ada.submit()
    teacher.sets_due_date_now()
    ben.writes(RIGHT, "✓")
    ben.submit()
    if hub.has_accounts:
        sees_nothing_of_others(eve, ada)
    collected = teacher.press("collect")
    assert (f"is {eve.name}'s, whatever its name says" in collected) == hub.has_accounts
    assert [path.name for path in (hub.course / "submitted").rglob("of_another.txt")] == []
    for learner in (ada, ben):
        assert "Success" in teacher.autogrades(learner.name)
    expect(teacher.manages(ada.name).locator(".status")).to_have_text("needs manual grading")
    teacher.grades_by_hand(ada.name, 1.5, COMMENT)
    expect(teacher.manages(ada.name).locator(".status")).to_have_text("graded")
    for button in ("generate-feedback", "release-feedback"):
        assert "Success" in teacher.press(button)
    feedback = ada.reads_feedback()
    for words in ("3.5 of 12 points.", COMMENT):
        expect(feedback).to_contain_text(words)
    expect(ben.reads_feedback()).to_contain_text("0 of 12 points. 2 less a late penalty")
    rows = csv.DictReader(teacher.exports().splitlines())
    assert {row["student_id"]: float(row["score"]) for row in rows if row["timestamp"]} == {ada.name: 3.5, ben.name: 0}


def test_started_by_an_ordinary_account_it_serves_everybody_from_a_home_of_their_own(
    browser: Browser, hub_of_one_account: Hub
):
    hub = hub_of_one_account
    teacher = Instructor(hub, browser)
    assert "Success" in teacher.press("release")
    for name in hub.trial.learners[:2]:
        learner = Learner(hub, browser, name)
        learner.sees_the_assignment_list_and_nothing_of_formgrader()
        learner.fetch()
        learner.writes(RIGHT, "✓")
        learner.submit()
        work = hub.trial.homes / name / NAME / f"{NAME}.ipynb"
        assert work.stat().st_uid == hub.trial.folder.stat().st_uid != 0
    assert "Success" in teacher.press("collect")
    assert sorted(path.name for path in (hub.course / "submitted").iterdir()) == hub.trial.learners[:2]
    assert "Success" in teacher.autogrades(name)


def sees_nothing_of_others(learner: Learner, other: Learner) -> None:
    hub = learner.hub
    known = {
        "home": str(hub.trial.homes),
        "exchange": str(hub.trial.exchange),
        "name": NAME,
        "instructor": hub.trial.instructor,
        "victim": other.name,
        "state": str(hub.trial.folder / hubs.FILE),
        "password": hub.password,
    }
    learner.opens()
    replace(learner.page, f"def {TASK}", TRIES.format(**known))
    output = learner.runs(TASK).locator(".jp-OutputArea")
    expect(output).to_contain_text("}")  # the number of a cell may stand there before what it prints
    printed = json.loads(output.inner_text())
    denied = "PermissionError"
    refused = dict.fromkeys(("handed in", "given back", "taken away", "hub"), denied)
    assert printed == {"homes": [denied, denied], **refused, "passwords": 0}

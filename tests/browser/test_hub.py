"""A round on a JupyterHub, as `make hub` starts it, from release to autograde, by clicks on nbgrader's own buttons."""

import datetime
import json
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import hubs
import pytest
import small_course
from hubs import Hub
from jupyter_servers import replace, run_cell
from playwright.sync_api import Browser, Locator, Response, expect
from visits import ROOT

from autograder.assignments import build
from autograder.hub.faults import ASPECTS

pytestmark = [pytest.mark.sandbox, pytest.mark.long("the hub"), pytest.mark.timeout(1800)]

NAME = small_course.NAME
QUESTION = """
# %% [markdown]
# Why by two?

# %% [markdown] question="why" points=2
# **Model answer.** Twice is two times.
#
# **Rubric.** 2 points: two.
"""
RIGHT, WRONG = "def double(x):\n    return x + x", "def double(x):\n    return x"
WORDS = "Because twice is *two* times."
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


@pytest.fixture
def hub() -> Iterator[Hub]:
    folder = Path(tempfile.mkdtemp(prefix="hub-"))  # pytest's own are closed to other accounts
    folder.chmod(0o755)
    course = small_course.make(folder / "course")
    (course / "solutions" / f"{NAME}.py").write_text(small_course.SCRIPT + QUESTION, encoding="utf-8")
    build.build(course)
    config = (ROOT / "nbgrader_config.py").read_text("utf-8")
    (course / "nbgrader_config.py").write_text(config.replace('method = "none"', 'method = "zero"'), encoding="utf-8")
    try:
        with hubs.started(course, folder / "hub") as hub:
            yield hub
    finally:
        shutil.rmtree(folder)


def test_a_round_in_which_a_learner_of_the_hub_sees_nothing_of_others_and_hands_in_for_none(browser: Browser, hub: Hub):
    assert "✗" not in (seen := hub.doctor())
    assert seen.count("✓") == len(ASPECTS)
    teacher = Instructor(hub, browser)
    assert "Success" in teacher.press("release")
    ada, ben, eve = (Learner(hub, browser, name) for name in hub.trial.learners)
    ada.sees_the_assignment_list_and_nothing_of_formgrader()
    for learner in (ada, ben, eve):
        learner.fetch()
    ada.writes(WRONG, fails="double: not twice.")
    ada.writes(RIGHT)
    ada.answers(WORDS)
    ada.submit()
    teacher.sets_due_date_now()
    ben.writes(RIGHT)
    ben.submit()
    if hub.has_accounts:
        eve.sees_nothing_of(ada)
    collected = teacher.press("collect")
    assert (f"is {eve.name}'s, whatever its name says" in collected) == hub.has_accounts
    assert [path.name for path in (teacher.course / "submitted").rglob("of_another.txt")] == []
    for learner in (ada, ben):
        assert "Success" in teacher.autogrades(learner.name)


def puts(path: str) -> Callable[[Response], bool]:
    return lambda answer: path in answer.url and answer.request.method == "PUT"


class Instructor:
    def __init__(self, hub: Hub, browser: Browser) -> None:
        self.hub, self.page = hub, hub.open(browser, hub.trial.instructor)
        self.formgrader = f"{hub.address}/user/{hub.trial.instructor}/formgrader"
        self.course = hub.trial.homes / hub.trial.instructor / "course"

    def press(self, button: str, page: str = "manage_assignments", row: str = NAME) -> str:
        """Presses a button in a line of a table; returns what the dialog then says."""
        self.page.goto(f"{self.formgrader}/{page}")
        self.page.click(f"tr:has-text('{row}') .{button} a")
        dialog = self.page.locator(".modal-dialog:visible")
        dialog.locator("text=/Success|Error/").first.wait_for()
        words = dialog.inner_text()
        dialog.locator("button:has-text('OK')").click()
        return " ".join(words.split())

    def autogrades(self, learner: str) -> str:
        return self.press("autograde", f"manage_submissions/{NAME}", learner)

    def sets_due_date_now(self) -> None:
        """By whole milliseconds, which is as exact as the field is."""
        self.page.goto(f"{self.formgrader}/manage_assignments")
        self.page.click(f"tr:has-text('{NAME}') .edit a")
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")
        self.page.fill("input.modal-duedate", now.removesuffix("+00:00"))
        self.page.click(".modal-dialog:visible button.save")
        expect(self.page.locator(f"tr:has-text('{NAME}') .duedate")).not_to_have_text("None")


class Learner:
    def __init__(self, hub: Hub, browser: Browser, name: str) -> None:
        self.hub, self.name, self.page = hub, name, hub.open(browser, name)
        self.address = f"{hub.address}/user/{name}"
        released = hub.trial.root / "exercises" / NAME / f"{NAME}.ipynb"
        self.cells = [cell["id"] for cell in json.loads(released.read_text("utf-8"))["cells"]]

    def sees_the_assignment_list_and_nothing_of_formgrader(self) -> None:
        self.page.get_by_role("menuitem", name="Nbgrader").click()
        expect(self.page.locator(".lm-Menu-itemLabel:visible")).to_have_text(["Assignment List"])
        self.page.keyboard.press("Escape")
        assert self.page.request.get(f"{self.address}/formgrader/manage_assignments").status == 404

    def assignments(self) -> None:
        """Opens the list, fresh."""
        self.page.goto(f"{self.address}/lab?reset")
        self.page.get_by_role("menuitem", name="Nbgrader").click()
        self.page.locator(".lm-Menu-itemLabel:visible", has_text="Assignment List").click()

    def part(self, name: str) -> Locator:
        return self.page.locator(f"#{name}_assignments_list")

    def fetch(self) -> None:
        self.assignments()
        self.part("released").get_by_role("button", name="Fetch").click()
        self.part("fetched").get_by_text(NAME).first.wait_for()

    def submit(self) -> None:
        self.assignments()
        self.part("fetched").get_by_role("button", name="Submit").click()
        self.part("submitted").get_by_text(NAME).first.wait_for()

    def opens(self) -> None:
        if not self.page.url.endswith(".ipynb"):
            self.page.goto(f"{self.address}/lab/tree/{NAME}/{NAME}.ipynb?reset")
            self.page.wait_for_selector(".jp-Notebook .jp-CodeCell")
            self.page.wait_for_selector("text=Python 3 (ipykernel) | Idle")

    def runs(self, cell: str) -> Locator:
        return run_cell(self.page, self.cells.index(cell))

    def saves(self) -> None:
        with self.page.expect_response(puts("/api/contents/")):
            self.page.keyboard.press("Control+s")

    def writes(self, double: str, fails: str = "") -> None:
        """The answer to the first task; what the check below it then says."""
        self.opens()
        replace(self.page, "def double", double)
        for cell in ("setup", "double"):
            self.runs(cell)
        output = self.runs("double_right").locator(".jp-OutputArea")
        expect(output).to_contain_text(fails) if fails else expect(output).to_have_text("")
        self.saves()

    def answers(self, words: str) -> None:
        self.opens()
        cell = self.page.locator(".jp-Notebook .jp-Cell").nth(self.cells.index("why"))
        cell.locator(".jp-RenderedMarkdown").dblclick()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(words)
        expect(cell.locator(".cm-content")).to_have_text(words)
        self.saves()

    def sees_nothing_of(self, other: "Learner") -> None:
        trial = self.hub.trial
        known = {
            "home": str(trial.homes),
            "exchange": str(trial.exchange),
            "name": NAME,
            "instructor": trial.instructor,
            "victim": other.name,
            "state": str(trial.folder / hubs.FILE),
            "password": self.hub.password,
        }
        self.opens()
        replace(self.page, "def double", TRIES.format(**known))
        output = self.runs("double").locator(".jp-OutputArea")
        expect(output).to_contain_text("}")  # the number of a cell may stand there before what it prints
        printed = json.loads(output.inner_text())
        denied = "PermissionError"
        refused = dict.fromkeys(("handed in", "given back", "taken away", "hub"), denied)
        assert printed == {"homes": [denied, denied], **refused, "passwords": 0}

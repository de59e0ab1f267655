"""What users of a hub do in the browser, by clicks on nbgrader's own buttons and on JupyterLab's."""

import datetime
import json
from collections.abc import Callable

from hubs import Hub
from jupyter_servers import replace, run_cell
from playwright.sync_api import Browser, Locator, Response, expect

NAME, TASK, QUESTION = "04_lookup", "weighted_sum_loop", "why_weight"  # of the exercise, what the learners answer


def puts(path: str) -> Callable[[Response], bool]:
    return lambda answer: path in answer.url and answer.request.method == "PUT"


class Instructor:
    def __init__(self, hub: Hub, browser: Browser) -> None:
        self.hub, self.page = hub, hub.open(browser, hub.trial.instructor)
        self.formgrader = f"{hub.address}/user/{hub.trial.instructor}/formgrader"

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

    def manages(self, learner: str) -> Locator:
        """The learner's line of "Manage Submissions"."""
        self.page.goto(f"{self.formgrader}/manage_submissions/{NAME}")
        return self.page.locator("tr", has_text=learner)

    def grades_by_hand(self, learner: str, points: float, comment: str) -> None:
        """The words, on the page of the notebook; once it listens, the fields have a colour and a placeholder."""
        self.manages(learner).locator(".student-name a").click()
        self.page.locator("table tbody").get_by_role("link", name=NAME).click()
        fields = {"grade": f"input.score.needs_manual_grade#{QUESTION}", "comment": f"#{QUESTION}-comment[placeholder]"}
        for kind, text in (("grade", f"{points}"), ("comment", comment)):
            field = self.page.locator(fields[kind])
            with self.page.expect_response(puts(f"/api/{kind}/")):
                field.fill(text)
                field.press("Tab")

    def exports(self) -> str:
        """The table that the command writes, run in JupyterLab's terminal, whose text is a picture to a browser."""
        self.page.goto(f"{self.hub.address}/user/{self.hub.trial.instructor}/lab?reset")
        self.page.locator(".jp-LauncherCard", has_text="Terminal").click()
        command = "cd course && python -m autograder export --to csv && touch ~/exported\n"
        self.page.locator(".xterm-helper-textarea").press_sequentially(command)
        self.page.locator(".jp-DirListing-item", has_text="exported").wait_for()
        return (self.hub.course / "grades" / "exports" / "grades.csv").read_text("utf-8")

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
        released = hub.course / "exercises" / NAME / f"{NAME}.ipynb"
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

    def writes(self, answer: str, says: str) -> None:
        """The answer to the task; what the check below it then says."""
        self.opens()
        replace(self.page, f"def {TASK}", answer)
        for cell in ("setup", TASK):
            self.runs(cell)
        expect(self.runs(f"{TASK}_visible").locator(".jp-OutputArea")).to_contain_text(says)
        self.saves()

    def answers(self, words: str) -> None:
        self.opens()
        cell = self.page.locator(".jp-Notebook .jp-Cell").nth(self.cells.index(QUESTION))
        cell.scroll_into_view_if_needed()
        cell.locator(".jp-RenderedMarkdown").dblclick()
        cell.locator(".cm-content").click()
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(words)
        expect(cell.locator(".cm-content")).to_have_text(words)
        self.saves()

    def reads_feedback(self) -> Locator:
        """Fetched and opened as nbgrader's list has it; what stands on the page."""
        self.assignments()
        self.part("submitted").get_by_role("button", name="Fetch Feedback").click()
        self.part("submitted").get_by_text("(view feedback)").click()
        self.page.locator(".jp-DirListing-item", has_text=f"{NAME}.html").dblclick()
        return self.page.frame_locator(".jp-HTMLViewer iframe").locator("body")

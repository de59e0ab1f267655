"""What learners use in JupyterLab: checks with progress below them, by mouse or keyboard, and the Validate button."""

import json
from collections.abc import Iterator

import pytest
from jupyter_lab import MINUTE, ROOT, THEMES, Lab, run_cell
from playwright.sync_api import Browser, Locator, Page
from visits import violations

from autograder.authoring.assignment import load

NAME = "01_batches"
PROGRESS = "[aria-label='Your progress']"


def notebook(*kept: str) -> dict:
    """The release with a right answer in the first task and a wrong one in the second; of its cells, those kept."""
    release = json.loads((ROOT / "exercises" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    answers = load(ROOT, NAME).cells
    for cell in release["cells"]:
        if cell["id"] == "vocabulary":
            cell["source"] = answers["vocabulary"].source
        if cell["id"] == "length_mask":
            cell["source"] = answers["length_mask"].source.replace("< lengths", "<= lengths")
    release["cells"] = [
        cell
        for cell in release["cells"]
        if cell["id"] in kept or (cell["cell_type"], cell["metadata"]) == ("markdown", {})
    ]
    return release


KEPT = ("setup", "vocabulary", "vocabulary_visible", "length_mask", "length_mask_visible")


@pytest.fixture(params=THEMES)
def page(request: pytest.FixtureRequest, browser: Browser, lab: Lab) -> Iterator[Page]:
    """A fresh copy of the notebook, opened in one of the themes; its kernel is ready."""
    page = lab.open(browser, notebook(*KEPT), request.param)
    yield page
    page.context.close()


def run(page: Page, name: str) -> Locator:
    """The cell, after it has run."""
    return run_cell(page, [cell["id"] for cell in notebook(*KEPT)["cells"]].index(name))


def validate(page: Page) -> str:
    """What the Validate button of nbgrader's extension says."""
    page.get_by_text("Validate", exact=True).first.click()
    dialog = page.locator(".jp-Dialog")
    dialog.wait_for(timeout=3 * MINUTE)
    said = dialog.inner_text()
    dialog.get_by_role("button").last.click()
    return said


@pytest.mark.timeout(900)
def test_wrong_then_right_by_check_and_by_the_validate_button(page: Page):
    for name in ("setup", "vocabulary"):
        run(page, name)
    first = run(page, "vocabulary_visible")
    first.locator(PROGRESS).wait_for(timeout=MINUTE)
    assert "1 of 2 tasks done, 1 of 2 points" in first.locator(PROGRESS).inner_text()

    run(page, "length_mask")
    second = run(page, "length_mask_visible")
    second.locator(PROGRESS).wait_for(timeout=MINUTE)
    said = second.locator(".jp-OutputArea").inner_text()
    assert said.index("✗ mask") < said.index("Next: Task 2: the mask (not right yet).")
    page.wait_for_function(f'() => document.querySelectorAll("{PROGRESS}").length === 1', timeout=MINUTE)

    second.locator("details summary").focus()
    page.keyboard.press("Enter")
    assert second.locator("details").evaluate("element => element.open")
    assert "Task 2: the mask: not right yet, 0 of 1" in second.locator("details").inner_text()
    assert [one for one in violations(page) if "progress" in one.lower()] == []
    said = validate(page)
    assert "✗ mask" in said
    assert "Traceback" not in said

    cell = page.locator(".jp-Notebook .jp-Cell", has_text="def length_mask")
    cell.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(load(ROOT, NAME).cells["length_mask"].source)
    run(page, "length_mask")
    second = run(page, "length_mask_visible")
    second.get_by_text("2 of 2 tasks done, 2 of 2 points").wait_for(timeout=MINUTE)
    assert "All checks that you can run have passed." in second.locator(".jp-OutputArea").inner_text()
    assert "Success" in validate(page)

"""What learners use in JupyterLab: checks with progress below them, by mouse or keyboard, and the Validate button."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page
from visits import violations

from autograder.authoring.assignment import load

ROOT = Path(__file__).resolve().parents[2]
NAME, TOKEN = "16_capstone", "of-this-test"
PROGRESS = "[aria-label='Your progress']"
MINUTE = 60_000


def notebook(*kept: str) -> dict:
    """The release with a right answer in the first task and a wrong one in the second; of its cells, those kept."""
    release = json.loads((ROOT / "exercises" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))
    answers = load(ROOT, NAME).cells
    for cell in release["cells"]:
        if cell["id"] == "pad":
            cell["source"] = answers["pad"].source
        if cell["id"] == "length_mask":
            cell["source"] = answers["length_mask"].source.replace("< lengths", "<= lengths")
    release["cells"] = [
        cell
        for cell in release["cells"]
        if cell["id"] in kept or (cell["cell_type"], cell["metadata"]) == ("markdown", {})
    ]
    return release


KEPT = ("setup", "pad", "pad_visible", "length_mask", "length_mask_visible")
THEMES = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path, Path]]:
    """A JupyterLab of its own: its address with a place for the notebook's name, its home, its notebooks."""
    home, folder = tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("notebooks")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    options = [f"--port={port}", f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={folder}"]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--LabApp.news_url=", *options],
        env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/api/status?token={TOKEN}")
        yield f"http://127.0.0.1:{port}/lab/workspaces/{{0}}/tree/{{0}}.ipynb?token={TOKEN}", home, folder
    finally:
        server.terminate()
        server.wait(60)


def _wait_for(address: str) -> None:
    until = time.monotonic() + 120
    while True:
        try:
            urllib.request.urlopen(address).close()
            return
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)


@pytest.fixture(params=THEMES)
def page(request: pytest.FixtureRequest, browser: Browser, lab: tuple[str, Path, Path]) -> Iterator[Page]:
    """A fresh copy of the notebook, opened in one of the themes; its kernel is ready."""
    address, home, folder = lab
    (folder / f"{request.param}.ipynb").write_text(json.dumps(notebook(*KEPT)), encoding="utf-8")
    for kind, settings in (
        ("notebook-extension/tracker", {"windowingMode": "none"}),
        ("apputils-extension/notification", {"fetchNews": "false", "checkForUpdates": False}),
        ("apputils-extension/themes", {"theme": THEMES[request.param]}),
    ):
        place = home / ".jupyter/lab/user-settings/@jupyterlab" / f"{kind}.jupyterlab-settings"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(settings))
    context = browser.new_context(viewport={"width": 1200, "height": 900}, color_scheme=request.param)
    page = context.new_page()
    page.goto(address.format(request.param), timeout=2 * MINUTE)
    page.wait_for_selector(".jp-Notebook .jp-CodeCell", timeout=2 * MINUTE)
    page.wait_for_selector("text=Python 3 (ipykernel) | Idle", timeout=2 * MINUTE)
    is_light = page.evaluate("() => document.body.dataset.jpThemeLight")
    assert is_light == str(request.param == "light").lower()
    yield page
    context.close()


def run(page: Page, name: str) -> Locator:
    """The cell, after it has run."""
    place = [cell["id"] for cell in notebook(*KEPT)["cells"]].index(name)
    cell = page.locator(".jp-Notebook .jp-Cell").nth(place)
    cell.scroll_into_view_if_needed()
    prompt = cell.locator(".jp-InputPrompt").first
    before = prompt.inner_text()
    prompt.click()
    page.keyboard.press("Control+Enter")
    page.wait_for_function(
        "([element, before]) => /\\[\\d+\\]/.test(element.innerText) && element.innerText !== before",
        arg=[prompt.element_handle(), before],
        timeout=2 * MINUTE,
    )
    return cell


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
    for name in ("setup", "pad"):
        run(page, name)
    first = run(page, "pad_visible")
    first.locator(PROGRESS).wait_for(timeout=MINUTE)
    assert "1 of 2 tasks done, 1 of 2 points" in first.locator(PROGRESS).inner_text()

    run(page, "length_mask")
    second = run(page, "length_mask_visible")
    second.locator(PROGRESS).wait_for(timeout=MINUTE)
    said = second.locator(".jp-OutputArea").inner_text()
    assert said.index("✗ mask") < said.index("Next: Task 2: the mask of real tokens (not right yet).")
    page.wait_for_function(f'() => document.querySelectorAll("{PROGRESS}").length === 1', timeout=MINUTE)

    second.locator("details summary").focus()
    page.keyboard.press("Enter")
    assert second.locator("details").evaluate("element => element.open")
    assert "Task 2: the mask of real tokens: not right yet, 0 of 1" in second.locator("details").inner_text()
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

"""A learner's way on a machine without the course: from the book's page to a zip, and to the same points."""

import json
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from bare import ROOT, Bare, made, solved
from jupyter_lab import MINUTE, run_cell, started
from playwright.sync_api import Browser, Page

from autograder.authoring.wheel import wheel_address, wheel_name

NAME, TASK = "01_batches", "length_mask"
WRONG = "import torch\n\n\ndef length_mask(lengths, longest):\n    return torch.arange(longest) <= lengths.unsqueeze(1)"


def replace(page: Page, held: str, text: str) -> None:
    """Replaces the source of the cell that holds these words."""
    cell = page.locator(".jp-Notebook .jp-Cell", has_text=held).first
    cell.locator(".cm-content").first.click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def autograder(*arguments: object) -> subprocess.CompletedProcess[str]:
    line = [sys.executable, "-m", "autograder", *map(str, arguments)]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True)


@pytest.fixture
def machine(server: str, tmp_path: Path) -> Bare:
    """It has JupyterLab and PyTorch, but nothing of the course."""
    return made(tmp_path / "env", ROOT / "_build" / "html" / wheel_name(ROOT), extra="lab")


@pytest.mark.timeout(900)
def test_from_the_published_book_to_the_same_points(server: str, machine: Bare, browser: Browser, tmp_path: Path):
    release = urllib.request.urlopen(f"{server}/exercises/{NAME}.ipynb").read().decode()
    notebook = json.loads(release.replace(wheel_address(ROOT), f"{server}/{wheel_name(ROOT)}"))
    right = {cell["id"]: cell["source"] for cell in solved(NAME)["cells"]}
    places = {cell["id"]: place for place, cell in enumerate(notebook["cells"])}
    home, folder = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    folder.mkdir()
    with started(home, folder, machine.python, "") as lab:
        page = lab.open(browser, notebook, "light")
        assert f"Installed {wheel_name(ROOT)}" in run_cell(page, places["install"]).inner_text()
        run_cell(page, places["setup"])
        replace(page, f"def {TASK}", WRONG)
        run_cell(page, places[TASK])
        check = run_cell(page, places[f"{TASK}_visible"])
        assert "✗ mask" in check.inner_text()
        hint = page.locator(".jp-MarkdownCell details", has_text="Hint 1").nth(1)
        hint.locator("summary").click()
        assert hint.evaluate("element => element.open")
        replace(page, f"def {TASK}", "".join(right[TASK]))
        run_cell(page, places[TASK])
        check = run_cell(page, places[f"{TASK}_visible"])
        check.get_by_text("1 of 5 tasks done, 1 of 5 points").wait_for(timeout=MINUTE)
        page.keyboard.press("Control+s")
        page.wait_for_function("() => !document.querySelector('.jp-mod-dirty')", timeout=MINUTE)
        page.context.close()
    done = machine.run("-m", "learn", "submit", "light.ipynb", "--anyway", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 5 tasks done, 1 of 5 points." in done.stdout
    download, submitted = tmp_path / "download", tmp_path / "submitted"
    download.mkdir()
    (folder / f"{NAME}.zip").rename(download / f"ada_17_42_{NAME}.zip")  # as Canvas names it
    autograder("collect", download, "--from", "canvas", "--to", submitted)
    graded = autograder("grade", submitted, "--output", tmp_path / "grades", "--json")
    (row,) = json.loads(graded.stdout)["submissions"]
    visible = {one["check"]: one["points"] for one in row["checks"] if one["check"].endswith("_visible")}
    assert sum(visible.values()) == visible[f"{TASK}_visible"] == 1

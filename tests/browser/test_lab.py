"""What learners meet in JupyterLab: checks with progress below them, the Validate button, and the player with a kernel.

And a learner's way on a machine without the course: from the book's page to a zip, and to the same points.
"""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bare import made, solved
from jupyter_servers import THEMES, TOKEN, Lab, replace, run_cell, started
from nbformat.v4 import new_code_cell
from playwright.sync_api import Browser, Locator, Page, expect
from visits import ROOT, violations

from autograder.assignments.assignment import load
from autograder.assignments.wheel import requirement, wheel_name
from autograder.report.classwork import classwork
from seq2seq.demos import capstone

pytestmark = pytest.mark.timeout(900)

NAME, TASK = "01_batches", "length_mask"
KEPT = ("setup", "vocabulary", "vocabulary_visible", "length_mask", "length_mask_visible")
PROGRESS = "[aria-label='Your progress']"
WRONG = "import torch\n\n\ndef length_mask(lengths, longest):\n    return torch.arange(longest) <= lengths.unsqueeze(1)"

themes = [pytest.param(theme, marks=pytest.mark.long("JupyterLab")) for theme in THEMES]
in_every_theme = pytest.mark.parametrize("theme", themes)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with started(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("notebooks")) as lab:
        yield lab


@pytest.fixture
def opened(browser: Browser, lab: Lab) -> Iterator[Callable[[dict, str], Page]]:
    pages: list[Page] = []

    def open_notebook(notebook: dict, theme: str) -> Page:
        pages.append(lab.open(browser, notebook, theme))
        return pages[-1]

    yield open_notebook
    for page in pages:
        page.context.close()


def exercise() -> dict:
    """The release with a right answer in the first task and a wrong one in the second, and few other cells."""
    notebook = solved(NAME, tasks={"vocabulary", TASK})
    text = ("markdown", {})
    cells = [cell for cell in notebook["cells"] if cell["id"] in KEPT or (cell["cell_type"], cell["metadata"]) == text]
    for cell in cells:
        source = "".join(cell["source"])
        cell["source"] = source.replace("< lengths", "<= lengths") if cell["id"] == TASK else source
    return {**notebook, "cells": cells}


def run(page: Page, name: str) -> Locator:
    return run_cell(page, [cell["id"] for cell in exercise()["cells"]].index(name))


def validate(page: Page) -> str:
    page.get_by_text("Validate", exact=True).first.click()
    dialog = page.locator(".jp-Dialog")
    dialog.wait_for()
    words = dialog.inner_text()
    dialog.get_by_role("button").last.click()
    return words


def test_the_lab_stands_and_its_validate_button_says_what_is_wrong(lab: Lab):
    (lab.folder / "mine.ipynb").write_text(json.dumps(exercise()), encoding="utf-8")
    assert "jupyter-config-data" in urllib.request.urlopen(f"{lab.address}/lab?token={TOKEN}").read().decode()
    button, path = f"{lab.address}/assignments/validate?token={TOKEN}", json.dumps({"path": "mine.ipynb"})
    (failed,) = json.load(urllib.request.urlopen(button, data=path.encode()))["value"]["failed"]
    assert "✗ mask" in failed["error"]


@in_every_theme
def test_wrong_then_right_by_check_and_by_the_validate_button(opened: Callable[[dict, str], Page], theme: str):
    page = opened(exercise(), theme)
    for name in ("setup", "vocabulary", "vocabulary_visible", TASK):
        run(page, name)
    check = run(page, f"{TASK}_visible")
    check.locator(PROGRESS).wait_for()
    output = check.locator(".jp-OutputArea").inner_text()
    assert output.index("✗ mask") < output.index("Next: Task 2: the mask (not right yet).")
    expect(page.locator(PROGRESS)).to_have_count(1)
    check.locator("details summary").focus()
    page.keyboard.press("Enter")
    assert check.locator("details").evaluate("element => element.open")
    assert "Task 2: the mask: not right yet, 0 of 1" in check.locator("details").inner_text()
    assert [violation for violation in violations(page) if "progress" in violation.lower()] == []
    words = validate(page)
    assert "✗ mask" in words
    assert "Traceback" not in words
    replace(page, f"def {TASK}", load(ROOT, NAME).cells[TASK].source)
    run(page, TASK)
    check = run(page, f"{TASK}_visible")
    check.get_by_text("2 of 2 tasks done, 2 of 2 points").wait_for()
    assert "All checks that you can run have passed." in check.locator(".jp-OutputArea").inner_text()
    assert "Success" in validate(page)


def capstone_notebook() -> dict:
    """The capstone with every answer right: what makes up the system in one cell, the cell with the player below."""
    notebook, answers = solved("16_capstone"), load(ROOT, "16_capstone").cells
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    graded = [cell for cell in code if cell["metadata"].get("nbgrader", {}).get("grade")]
    sources = {cell["id"]: "".join(cell["source"]) for cell in code if cell not in graded}
    system = [source for name, source in sources.items() if name in answers or "def assembled" in source]
    player = [source for source in sources.values() if "my_sentence =" in source or "watch(" in source]
    assert len(player) == 2, player
    return {**notebook, "cells": [new_code_cell(source) for source in ("\n\n\n".join(system), *player)]}


def type_sentence(player: Locator, text: str) -> None:
    player.get_by_label("Your sentence").fill(text)
    player.get_by_label("Your sentence").press("Enter")


@in_every_theme
def test_typed_sentences_are_translated_by_the_learners_system(opened: Callable[[dict, str], Page], theme: str):
    page = opened(capstone_notebook(), theme)
    for place in (0, 1):
        run_cell(page, place)
    player = run_cell(page, 2).locator(".cw")
    player.wait_for()
    assert player.locator(".pl-said li:visible").count() == 1
    pair = next(pair for pair in capstone.unseen_pairs() if len(pair.source) > 5)
    type_sentence(player, " ".join(pair.source).removesuffix(" .").capitalize())
    chosen = player.get_by_label("Sentence", exact=True)
    expect(chosen.locator("option")).to_have_count(2)
    assert chosen.locator("option:checked").inner_text() == " ".join(pair.source)
    steps = player.locator(".pl-label").all_text_contents()
    assert steps[-1] == "<eos>"  # the whole table stands there at once
    assert player.locator(".pl-cell").count() == len(steps) * len(pair.source)
    assert player.locator(".pl-said li:visible").count() == len(steps)
    note = player.get_by_role("status").first
    type_sentence(player, "the zebra sleeps")
    expect(note).to_have_text("Not known, read as <unk>: zebra.")
    assert "not known" in player.locator(".pl-source li").nth(1).inner_text()
    type_sentence(player, "...")
    expect(note).to_contain_text("Type a few English words")
    expect(chosen.locator("option")).to_have_count(3)
    player.get_by_role("slider", name="Step", exact=True).press("Home")
    assert player.locator(".pl-label").count() == 1
    page.keyboard.press("ArrowRight")
    assert player.locator(".pl-label").count() == 2
    assert [violation for violation in violations(page) if "cw-" in violation or "pl-" in violation] == []


@pytest.mark.long("JupyterLab")
def test_from_the_published_book_to_the_same_points(server: str, browser: Browser, tmp_path: Path):
    """On a machine that has JupyterLab and PyTorch, but nothing of the course."""
    machine = made(tmp_path / "env", ROOT / "_build" / "html" / wheel_name(ROOT), "lab")
    release = urllib.request.urlopen(f"{server}/exercises/{NAME}.ipynb").read().decode()
    notebook = json.loads(release.replace(requirement(ROOT), f"{server}/{wheel_name(ROOT)}"))
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
        assert "✗ mask" in run_cell(page, places[f"{TASK}_visible"]).inner_text()
        hint = page.locator(".jp-MarkdownCell details", has_text="Hint 1").nth(1)
        hint.locator("summary").click()
        assert hint.evaluate("element => element.open")
        replace(page, f"def {TASK}", "".join(right[TASK]))
        run_cell(page, places[TASK])
        check = run_cell(page, places[f"{TASK}_visible"])
        check.get_by_text("1 of 5 tasks done, 1 of 5 points").wait_for()
        page.keyboard.press("Control+s")
        page.wait_for_function("() => !document.querySelector('.jp-mod-dirty')")
        page.context.close()
    done = machine.run("-m", "learn", "submit", "light.ipynb", "--anyway", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 of 5 tasks done, 1 of 5 points." in done.stdout
    download, submitted, grades = (tmp_path / name for name in ("download", "submitted", "grades"))
    download.mkdir()
    (folder / f"{NAME}.zip").rename(download / f"ada_17_42_{NAME}.zip")  # as Canvas names it
    grader = [sys.executable, "-m", "autograder"]
    subprocess.run([*grader, "collect", download, "--from", "canvas", "--to", submitted], cwd=ROOT)
    subprocess.run([*grader, "grade", submitted, "--output", grades], cwd=ROOT)
    (work,) = classwork(grades, NAME).works
    visible = {check.cell: check.points for check in work.verdict.checks if check.cell.endswith("_visible")}
    assert sum(visible.values()) == visible[f"{TASK}_visible"] == 1

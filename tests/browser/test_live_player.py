"""The player in JupyterLab, where a kernel listens: sentences are typed and translated, by the learner's own system."""

import json
from collections.abc import Iterator

import pytest
from jupyter_lab import MINUTE, ROOT, THEMES, Lab, run_cell
from playwright.sync_api import Browser, Locator, Page, expect
from visits import violations

from autograder.authoring.assignment import load
from seq2seq.demos import capstone

NAME = "16_capstone"


def notebook() -> dict:
    """The capstone with every answer right: what makes up the system in one cell, the cell with the player below."""
    cells = json.loads((ROOT / "exercises" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8"))["cells"]
    answers = load(ROOT, NAME).cells
    parts, after = [], []
    for cell in cells:
        source, settings = "".join(cell["source"]), cell["metadata"].get("nbgrader", {})
        if cell["cell_type"] != "code" or settings.get("grade"):
            continue
        if cell["id"] in answers:
            parts.append(answers[cell["id"]].source)
        elif "def assembled" in source:
            parts.append(source)
        elif "my_sentence =" in source or "watch(" in source:
            after.append(source)
    sources = ["\n\n\n".join(parts), *after]
    assert len(sources) == 3, [source[:80] for source in sources]
    made = [
        {"cell_type": "code", "id": f"cell-{place}", "metadata": {}, "source": source, "outputs": []}
        | {"execution_count": None}
        for place, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3 (ipykernel)", "language": "python"}
    return {"nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": kernel}, "cells": made}


@pytest.fixture(params=THEMES)
def page(request: pytest.FixtureRequest, browser: Browser, lab: Lab) -> Iterator[Page]:
    page = lab.open(browser, notebook(), request.param)
    yield page
    page.context.close()


def type_sentence(player: Locator, text: str) -> None:
    field = player.get_by_label("Your sentence")
    field.fill(text)
    field.press("Enter")


@pytest.mark.timeout(900)
def test_typed_sentences_are_translated_by_the_learners_system(page: Page):
    for place in (0, 1):
        run_cell(page, place)
    player = run_cell(page, 2).locator(".cw")
    player.wait_for(timeout=MINUTE)
    assert player.locator(".pl-said li:visible").count() == 1

    pair = next(pair for pair in capstone.unseen_pairs() if len(pair.source) > 5)
    type_sentence(player, " ".join(pair.source).removesuffix(" .").capitalize())
    chosen = player.get_by_label("Sentence", exact=True)
    expect(chosen.locator("option")).to_have_count(2, timeout=MINUTE)
    assert chosen.locator("option:checked").inner_text() == " ".join(pair.source)
    steps = player.locator(".pl-label").all_text_contents()
    assert steps[-1] == "<eos>"  # the whole table stands there at once
    assert player.locator(".pl-cell").count() == len(steps) * len(pair.source)
    assert player.locator(".pl-said li:visible").count() == len(steps)

    type_sentence(player, "the zebra sleeps")
    expect(player.get_by_role("status").first).to_have_text("Not known, read as <unk>: zebra.", timeout=MINUTE)
    assert "not known" in player.locator(".pl-source li").nth(1).inner_text()
    type_sentence(player, "...")
    expect(player.get_by_role("status").first).to_contain_text("Type a few English words", timeout=MINUTE)
    expect(chosen.locator("option")).to_have_count(3)

    slider = player.get_by_role("slider", name="Step", exact=True)
    slider.press("Home")
    assert player.locator(".pl-label").count() == 1
    page.keyboard.press("ArrowRight")
    assert player.locator(".pl-label").count() == 2
    assert [one for one in violations(page) if "cw-" in one or "pl-" in one] == []

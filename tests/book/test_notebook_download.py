"""Pages as notebooks: what is taken along is whole, plain, and runs."""

import json
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from prose import ROOT

HTML = ROOT / "_build" / "html"
CHAPTERS = sorted(path.stem for path in (ROOT / "book").glob("[01]*_*.md"))
CELL = re.compile(r"^```\{code-cell\}.*?\n(?:---\n.*?\n---\n|(?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)


def taken(name: str) -> nbformat.NotebookNode:
    path = HTML / "_sources" / "book" / f"{name}.ipynb"
    assert path.is_file(), f"{path} is missing; build the book with `make book`."
    return nbformat.read(path, as_version=4)


@pytest.mark.parametrize("name", CHAPTERS)
def test_every_cell_of_the_page_is_there_in_its_order(name: str) -> None:
    page = (ROOT / "book" / f"{name}.md").read_text(encoding="utf-8")
    cells = [cell.source.strip() for cell in taken(name).cells if cell.cell_type == "code"]
    assert cells[1:] == [text.strip() for text in CELL.findall(page)]
    assert cells[0].startswith("# Run this first.")


@pytest.mark.parametrize("name", CHAPTERS)
def test_its_text_is_plain_markdown_with_numbers(name: str) -> None:
    notebook = taken(name)
    nbformat.validate(notebook)
    text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert not re.findall(
        r"\{(?:term|result|glue:text|cite:?\w*|eq|numref|doc|ref)\}`[^`]*`|^`{3,}\{[\w-]+\}.*$", text, re.M
    )
    assert f"# {(ROOT / 'book' / f'{name}.md').read_text('utf-8').split('# ', 1)[1].splitlines()[0]}" in text
    assert all(cell.get("outputs", []) == [] for cell in notebook.cells)


def test_a_notebook_runs(tmp_path: Path) -> None:
    notebook = taken("04_attention")
    NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(ROOT / "book")}}).execute()
    assert any(
        "image/" in json.dumps(cell.get("outputs", [])) or "<svg" in json.dumps(cell.get("outputs", []))
        for cell in notebook.cells
    )


def test_launch_buttons_lead_to_the_notebook() -> None:
    page = (HTML / "book" / "05_scorers.html").read_text(encoding="utf-8")
    addresses = re.findall(r'href="(https://[^"]*05_scorers\.ipynb[^"]*)"', page)
    assert [re.match(r"https://([\w.]+)", one)[1] for one in addresses] == [
        *("mybinder.org", "hub.example.org", "colab.research.google.com"),  # of the page
        *("kaggle.com", "colab.research.google.com", "mybinder.org", "hub.example.org"),  # of the exercise
    ]
    assert (HTML / "binder" / "postBuild").read_text().startswith("#!/bin/sh")

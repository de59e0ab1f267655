"""Pages as notebooks: what is taken along is whole, plain, and runs."""

import json
import re
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from prose import ROOT

HTML = ROOT / "_build" / "html"
CHAPTERS = sorted(path.stem for path in (ROOT / "book").glob("[01]*_*.md"))
CELL = re.compile(r"^```\{code-cell\}.*?\n(?:---\n.*?\n---\n|(?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)
ROLES = r"\{(?:term|result|glue:text|cite:?\w*|eq|numref|doc|ref)\}`[^`]*`"
MARKUP = re.compile(rf"{ROLES}|^`{{3,}}\{{[\w-]+\}}.*$", re.MULTILINE)


def taken(name: str) -> nbformat.NotebookNode:
    path = HTML / "_sources" / "book" / f"{name}.ipynb"
    assert path.is_file(), f"{path} is missing; build the book with `make book`."
    return nbformat.read(path, as_version=4)


def test_every_cell_of_a_page_is_there_in_its_order_and_its_text_is_plain_markdown_with_numbers() -> None:
    wrong = []
    for name in CHAPTERS:
        page, notebook = (ROOT / "book" / f"{name}.md").read_text(encoding="utf-8"), taken(name)
        nbformat.validate(notebook)
        code = [cell.source.strip() for cell in notebook.cells if cell.cell_type == "code"]
        if code[1:] != [text.strip() for text in CELL.findall(page)] or not code[0].startswith("# Run this first."):
            wrong.append(f"{name}: other cells")
        text = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
        wrong += [f"{name}: {markup}" for markup in MARKUP.findall(text)]
        if f"# {page.split('# ', 1)[1].splitlines()[0]}" not in text:
            wrong.append(f"{name}: no title")
        if any(cell.get("outputs", []) for cell in notebook.cells):
            wrong.append(f"{name}: outputs")
    assert wrong == []


def test_a_notebook_runs(tmp_path: Path) -> None:
    notebook = taken("04_attention")
    NotebookClient(notebook, timeout=None, resources={"metadata": {"path": str(ROOT / "book")}}).execute()
    outputs = [json.dumps(cell.get("outputs", [])) for cell in notebook.cells]
    assert any("image/" in text or "<svg" in text for text in outputs)


def test_launch_buttons_lead_to_the_notebook() -> None:
    page = (HTML / "book" / "05_scorers.html").read_text(encoding="utf-8")
    addresses = re.findall(r'href="(https://[^"]*05_scorers\.ipynb[^"]*)"', page)
    assert [re.match(r"https://([\w.]+)", address)[1] for address in addresses] == [
        *("mybinder.org", "hub.example.org", "colab.research.google.com"),  # of the page
        *("kaggle.com", "colab.research.google.com", "mybinder.org", "hub.example.org"),  # of the exercise
    ]
    assert (HTML / "binder" / "postBuild").read_text().startswith("#!/bin/sh")
    assert re.fullmatch(r"python-3\.1[1-9]\n", (HTML / "binder" / "runtime.txt").read_text())

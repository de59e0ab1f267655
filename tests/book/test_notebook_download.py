"""Pages as notebooks: what is taken along is whole, plain, and runs."""

import json
import re
import sys
from pathlib import Path

import nbformat
import pytest
from docutils import nodes
from nbclient import NotebookClient
from prose import ROOT

sys.path.insert(0, str(ROOT / "book" / "_ext"))

from course.markdown import Markdown

HTML = ROOT / "_build" / "html"
CHAPTERS = sorted(path.stem for path in (ROOT / "book").glob("[01]*_*.md"))
CELL = re.compile(r"^```\{code-cell\}.*?\n(?:---\n.*?\n---\n|(?::[^\n]*\n)*)(.*?)^```$", re.MULTILINE | re.DOTALL)


def taken(name: str) -> nbformat.NotebookNode:
    path = HTML / "_sources" / "book" / f"{name}.ipynb"
    assert path.is_file(), f"{path} is missing; build the book with `make book`."
    return nbformat.read(path, as_version=4)


def plain(node: nodes.Node) -> str:
    return Markdown(lambda target: f"https://book/{target}", lambda node: "5.1").block(node)


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


def test_formulas_keep_their_number() -> None:
    assert plain(nodes.math_block("e = mc^2", "e = mc^2")) == "$$\ne = mc^2 \\tag{5.1}\n$$"


def test_a_box_becomes_a_quotation() -> None:
    box = nodes.admonition("", nodes.title("", "Often said"), nodes.paragraph("", "No."), nodes.paragraph("", "Yes."))
    assert plain(box) == "> **Often said**\n>\n> No.\n>\n> Yes."


def test_a_bar_does_not_end_the_cell_of_a_table() -> None:
    entries = [nodes.entry("", nodes.paragraph("", text)) for text in ("p(y|x)", "2")]
    table = nodes.table("", nodes.tgroup("", nodes.tbody("", nodes.row("", *entries), cols=2)))
    assert plain(table).splitlines()[0] == r"| p(y\|x) | 2 |"


def test_links_lead_there_from_anywhere() -> None:
    paragraph = nodes.paragraph("", "", nodes.reference("", "mask", refuri="06_masking.html"))
    assert plain(paragraph) == "[mask](https://book/06_masking.html)"

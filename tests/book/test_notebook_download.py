"""Pages as notebooks: what is taken along is whole, plain, and runs."""

import json
import os
import re
import subprocess
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote

import nbformat
import yaml
from course.launch import launchers
from course.notebook_download import LAUNCH, launched, write_binder
from nbclient import NotebookClient
from packaging.requirements import Requirement

from autograder.assignments.publication import is_public
from autograder.assignments.wheel import wheel_name
from book.prose import ROOT

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


def configured(address: str) -> SimpleNamespace:
    """What the book's configuration tells Sphinx, with this address."""
    settings = yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["sphinx"]["config"]["html_theme_options"]
    settings["launch_buttons"]["jupyterhub_url"] = "https://hub.ada.org"
    return SimpleNamespace(html_baseurl=address, html_theme_options=settings)


def test_launch_buttons_lead_to_the_notebook() -> None:
    config = configured("https://ada.github.io/course/")
    links = launchers(config, "05_scorers")
    assert {name: re.match(r"https://([\w.]+)", link)[1] for name, link in links.items()} == {
        **{"Kaggle": "kaggle.com", "Colab": "colab.research.google.com"},
        **{"Binder": "mybinder.org", "JupyterHub": "hub.ada.org"},
    }
    assert all("exercises/05_scorers.ipynb" in unquote(link) for link in links.values())
    groups = [{"label": LAUNCH, "buttons": [{"url": "https://mybinder.org/v2/gh/a/b/c?urlpath=lab/tree/book/x.md"}]}]
    groups += [{"label": "download-buttons", "buttons": []}]
    (launch, download) = launched(groups, "book/x.md", "_sources/book/x.ipynb", config)
    assert launch["buttons"][0]["url"].endswith("lab/tree/_sources/book/x.ipynb")
    assert launched(groups, "", "", configured("https://learning-to-align.example.org/")) == [download]


def test_a_book_without_an_address_of_its_own_has_no_button_that_leads_nowhere() -> None:
    address = str(yaml.safe_load((ROOT / "_config.yml").read_text("utf-8"))["html"]["baseurl"])
    page = (HTML / "book" / "05_scorers.html").read_text(encoding="utf-8")
    links = re.findall(r'href="(https://[^"]*05_scorers\.ipynb[^"]*)"', page)
    assert bool(links) == is_public(address)
    assert launchers(configured("https://learning-to-align.example.org/"), "05_scorers") == {}


def test_binder_installs_the_package_that_lies_with_the_book_as_it_is_pinned(tmp_path: Path) -> None:
    """For repo2docker, which takes Python from the one file and runs the other in the folder of the book."""
    write_binder(tmp_path / "binder", ROOT)
    assert re.fullmatch(r"python-3\.1[1-4]\n", (tmp_path / "binder" / "runtime.txt").read_text())
    lines = (tmp_path / "binder" / "constraints.txt").read_text().splitlines()
    pins = [Requirement(line.partition(" #")[0]) for line in lines]
    assert {"torch", "numpy", "myst-nb", "ipywidgets"} <= {pin.name for pin in pins}
    assert all(str(pin.specifier).startswith("==") for pin in pins)
    (tmp_path / wheel_name(ROOT)).touch()
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "pip").write_text('#!/bin/sh\nprintf "%s\\n" "$@" > asked\n')
    (tmp_path / "bin" / "pip").chmod(0o755)
    search = {"PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}"}
    subprocess.run([tmp_path / "binder" / "postBuild"], cwd=tmp_path, env=os.environ | search, check=True)
    asked = (tmp_path / "asked").read_text().split()
    assert asked[0] == "install"
    assert {f"./{wheel_name(ROOT)}", "myst-nb", "binder/constraints.txt"} <= set(asked)

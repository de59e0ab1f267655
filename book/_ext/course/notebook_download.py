"""Every page with code can be downloaded as a notebook, and opened on Binder, Colab or a JupyterHub.

The theme makes the buttons from ``launch_buttons``, ``repository_url`` and ``repository_branch``, which are set under
``html_theme_options`` in ``_config.yml``.
The theme alone would offer the page's source, whose directives notebooks do not support. This module converts the
finished page: its text with all numbers resolved, and its cells after one that sets up the course.
"""

import posixpath
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin, urlsplit

from docutils import nodes
from myst_nb.core.read import read_myst_markdown_notebook
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, writes_json
from sphinx.application import Sphinx
from sphinx.config import Config

from autograder.assignments.publication import is_public
from course.markdown import Markdown
from course.parallel_execution import runs

PACKAGES = "sacrebleu|ipywidgets|anywidget|tqdm|myst-nb"  # missing on Colab, or there in another version

FETCH = """\
# Run this first. It downloads the course if it is not installed, as on Colab.
import os
import sys
from pathlib import Path

if not Path("../seq2seq").is_dir():
    if not Path("{name}").is_dir():
        !git clone --quiet --depth 1 {repository} {name}
    !cat {name}/requirements.txt {name}/constraints.txt | grep -E "^({packages})==" | xargs pip install --quiet
    os.chdir("{name}/book")
sys.path.insert(0, str(Path("..").resolve()))"""

# In the folder of the published book, whose pages need MyST-NB beside the package that lies there.
BINDER = """\
#!/bin/sh
set -e
pip install --no-cache-dir --constraint binder/constraints.txt --extra-index-url https://download.pytorch.org/whl/cpu \\
  ./*.whl myst-nb
"""
PINS = ("constraints.txt", "requirements.txt")  # that of torch is in the second

LAUNCH = "launch-buttons"  # the theme's name for them
KERNEL = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}


def code_cells(page: Path) -> list[NotebookNode]:
    """All cells of the source, including text, so that their indices match those of the page's nodes."""
    read = read_myst_markdown_notebook(page.read_text(encoding="utf-8"), path=page)
    return read.cells


def notebook_of(doctree: nodes.document, page: Path, markdown: Markdown, address: str, repository: str) -> NotebookNode:
    """The finished page as a notebook without outputs."""
    source = code_cells(page)
    name = posixpath.basename(urlsplit(repository).path) or "course"
    cells = [new_code_cell(FETCH.format(name=name, repository=repository, packages=PACKAGES))]
    text: list[str] = [f"*This is the page [{address}]({address}) as a notebook.*"]
    done = 0

    def run_until(place: int) -> Iterator[NotebookNode]:
        """The code cells up to ``place``; those hidden on the page precede the next visible one."""
        nonlocal done
        for cell in source[done:place]:
            if cell.cell_type == "code":
                yield new_code_cell(cell.source, metadata={"tags": cell.metadata.get("tags", [])})
        done = place

    def say() -> Iterator[NotebookNode]:
        if prose := "\n\n".join(filter(None, text)):
            yield new_markdown_cell(prose)
        text.clear()

    def walk(node: nodes.Node, depth: int) -> None:
        for child in node.children:
            if isinstance(child, nodes.section):
                walk(child, depth + 1)
            elif isinstance(child, nodes.container) and child.get("nb_element") == "cell_code":
                cells.extend(say())
                cells.extend(run_until(child["cell_index"] + 1))
                text.extend(markdown.block(figure) for figure in child.findall(nodes.figure))
            else:
                text.append(markdown.block(child, depth))

    walk(doctree, 0)
    cells.extend(say())
    cells.extend(run_until(len(source)))
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    return new_notebook(cells=cells, metadata=KERNEL)


def number_of(app: Sphinx, pagename: str, node: nodes.Element) -> str:
    """The number that the page shows, such as 5.3."""
    kind = {"figure": "figure", "table": "table", "math_block": "displaymath"}[type(node).__name__]
    numbers = app.env.toc_fignumbers.get(pagename, {}).get(kind, {})
    ids = list(node["ids"])
    if label := node.get("label"):
        ids.append(nodes.make_id(f"equation-{label}"))
    return next((".".join(map(str, numbers[node_id])) for node_id in ids if node_id in numbers), "")


def name_address(app: Sphinx, config: Config) -> None:
    config.ogp_site_url = config.html_baseurl


def write_notebook(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Write the page's notebook where the theme's buttons expect it, and point the launch buttons to it."""
    if doctree is None or app.builder.name != "html" or not runs(page := Path(app.env.doc2path(pagename))):
        return
    here = urljoin(app.config.html_baseurl, f"{pagename}.html")
    repository = app.config.html_theme_options.get("repository_url", "")
    markdown = Markdown(lambda target: urljoin(here, target), lambda node: number_of(app, pagename, node))
    notebook = notebook_of(doctree, page, markdown, here, repository)
    target = Path(app.outdir, "_sources", f"{pagename}.ipynb")
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(writes_json(notebook) + "\n", "utf-8")
    context["header_buttons"] = launched(
        context.get("header_buttons", []), f"{pagename}{page.suffix}", f"_sources/{pagename}.ipynb", app.config
    )


def launched(groups: list[dict[str, Any]], page: str, notebook: str, config: Config) -> list[dict[str, Any]]:
    """The page's buttons, of which those that launch lead to the notebook, or are left out where they lead nowhere."""
    for group in groups:
        for button in group["buttons"] if group.get("label") == LAUNCH else ():
            button["url"] = button["url"].replace(page, notebook)
    return [group for group in groups if group.get("label") != LAUNCH or is_public(config.html_baseurl)]


def prepare_binder(app: Sphinx, error: Exception | None) -> None:
    """Write Binder's set-up for the published branch, which has pages and notebooks but not the course."""
    if error is None and app.builder.name == "html" and is_public(app.config.html_baseurl):
        write_binder(Path(app.outdir, "binder"), Path(app.srcdir))


def write_binder(folder: Path, root: Path) -> None:
    """The pins need the Python that the book is built with; without ``runtime.txt`` repo2docker takes an older one."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "runtime.txt").write_text(f"python-{sys.version_info[0]}.{sys.version_info[1]}\n", "ascii")
    lines = [line for name in PINS for line in (root / name).read_text("utf-8").splitlines() if "==" in line]
    (folder / "constraints.txt").write_text("\n".join(lines) + "\n", "utf-8")
    (folder / "postBuild").write_text(BINDER, "utf-8")
    (folder / "postBuild").chmod(0o755)


def setup(app: Sphinx) -> None:
    app.connect("config-inited", name_address)
    app.connect("html-page-context", write_notebook, priority=900)
    app.connect("build-finished", prepare_binder)

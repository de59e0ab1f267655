"""Keeps printed output as it was printed.

On a busy machine a line may arrive in pieces, and myst-nb begins a new line with each. Pieces are joined before that.
"""

from myst_nb.core import render, utils
from nbformat import NotebookNode
from sphinx.application import Sphinx


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs with all text of each stream joined into its first piece."""
    first: dict[str, NotebookNode] = {}
    shown: list[NotebookNode] = []
    for output in outputs or ():
        if output["output_type"] == "stream" and output["name"] in first:
            first[output["name"]]["text"] += output["text"]
            continue
        if output["output_type"] == "stream":
            first[output["name"]] = output
        shown.append(output)
    return utils.coalesce_streams(shown)


def setup(app: Sphinx) -> None:
    render.coalesce_streams = joined

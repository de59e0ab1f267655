"""Lets the heading of a group of rows, a bold first cell with nothing beside it, go across the whole table."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform


class SpanRowGroups(SphinxPostTransform):
    default_priority = 900

    def run(self, **_: Any) -> None:
        for row in self.document.findall(nodes.row):
            first, *others = row.findall(nodes.entry)
            if others and is_heading(first) and not any(other.astext() for other in others):
                first["morecols"] = len(others)
                first["classes"].append("row-group")
                row.children = [first]


def is_heading(cell: nodes.entry) -> bool:
    """Whether the cell says something, and all of it is bold."""
    return cell.astext() != "" and cell.astext() == "".join(bold.astext() for bold in cell.findall(nodes.strong))


def setup(app: Sphinx) -> None:
    app.add_post_transform(SpanRowGroups)

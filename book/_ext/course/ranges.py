"""Keeps a range of numbers, such as 4–10, on one line of a table's narrow column."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

DASH = re.compile(r"(?:^|(?<=\d))–(?=\d|$)")  # at an end of the text when a number beside it is a result
JOINED = "\N{WORD JOINER}–\N{WORD JOINER}"


class KeepRanges(SphinxPostTransform):
    default_priority = 900

    def run(self, **_: Any) -> None:
        for table in self.document.findall(nodes.table):
            for text in list(table.findall(nodes.Text)):
                if len(text.parent) > 1 or text != "–":  # a cell with a dash alone has no value
                    text.parent.replace(text, nodes.Text(DASH.sub(JOINED, text)))


def setup(app: Sphinx) -> None:
    app.add_post_transform(KeepRanges)

"""Keeps on one line what must not break: a range, 4–10, in a table's narrow column, *chapter 7*, *20 minutes*."""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

DASH = re.compile(r"(?:^|(?<=\d))–(?=\d|$)")  # at an end of the text when a number beside it is a result
JOINED = "\N{WORD JOINER}–\N{WORD JOINER}"
NAMED = re.compile(r"\b((?i:chapter|equation|exercise|figure|section|study|table)) (?=\d|[A-Z]\b)")
COUNTED = re.compile(r"(?<=\d) (?=(?:hours|minutes|seconds)\b)")
HELD = r"\1" + "\N{NO-BREAK SPACE}"
VERBATIM = (nodes.FixedTextElement, nodes.literal, nodes.math, nodes.math_block, nodes.raw)


class KeepTogether(SphinxPostTransform):
    default_priority = 900

    def run(self, **_: Any) -> None:
        for table in self.document.findall(nodes.table):
            for text in list(table.findall(nodes.Text)):
                if len(text.parent) > 1 or text != "–":  # a cell with a dash alone has no value
                    text.parent.replace(text, nodes.Text(DASH.sub(JOINED, text)))
        for text in list(self.document.findall(nodes.Text)):
            held = COUNTED.sub("\N{NO-BREAK SPACE}", NAMED.sub(HELD, text))
            if held != text and not isinstance(text.parent, VERBATIM):
                text.parent.replace(text, nodes.Text(held))


def setup(app: Sphinx) -> None:
    app.add_post_transform(KeepTogether)

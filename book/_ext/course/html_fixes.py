"""Corrects invalid HTML of other extensions before a page is written, and marks what a browser breaks badly."""

import re

from docutils import nodes
from sphinx.application import Sphinx

SUMMARY = re.compile(r"(<summary[^>]*>)(.*?)(</summary>)", re.DOTALL)
PARAGRAPH = re.compile(r"(</?)p\b")
SAME_ID = re.compile(r' id="(?:exercise|solution)-content"')  # on every exercise of a page
OPTION = re.compile(r'<span class="pre">(?=--?\w)')


def tidy(body: str) -> str:
    """Removes paragraphs within summaries, and repeated ids; an option of a command, ``--help``, gets a class."""
    body = SUMMARY.sub(lambda match: match[1] + PARAGRAPH.sub(r"\1span", match[2]) + match[3], body)
    return OPTION.sub('<span class="pre option">', SAME_ID.sub("", body))


def tidy_page(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    if doctree is not None:
        context["body"] = tidy(str(context["body"]))


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", tidy_page, priority=400)  # before anything copies parts of the page

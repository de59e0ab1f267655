"""Corrects invalid HTML of other extensions before a page is written, and marks what breaks badly or shows nothing."""

import re

from docutils import nodes
from sphinx.application import Sphinx

SUMMARY = re.compile(r"(<summary[^>]*>)(.*?)(</summary>)", re.DOTALL)
PARAGRAPH = re.compile(r"(</?)p\b")
SAME_ID = re.compile(r' id="(?:exercise|solution)-content"')  # on every exercise of a page
VIEW = re.compile(r'<script type="application/vnd\.jupyter\.widget-view\+json">.*?</script>', re.DOTALL)
WITHOUT = "<noscript><p>This picture needs JavaScript, which is switched off here.</p></noscript>"
EMPTY_HEAD = re.compile(r'<th class="(head[^"]*)">\s*(?:<p></p>)?\s*</th>')  # over the names of rows
OPTION = re.compile(r'<span class="pre">(?=--?\w)')


def tidy(body: str) -> str:
    """Removes paragraphs within summaries, repeated ids and heads of nothing; marks options of commands, ``--help``.

    A picture that a script draws says so where no script runs.
    """
    body = SUMMARY.sub(lambda match: match[1] + PARAGRAPH.sub(r"\1span", match[2]) + match[3], body)
    body = EMPTY_HEAD.sub(r'<td class="\1"></td>', body)
    body = VIEW.sub(lambda match: match[0] + WITHOUT, body)
    return OPTION.sub('<span class="pre option">', SAME_ID.sub("", body))


def tidy_page(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    if doctree is not None:
        context["body"] = tidy(str(context["body"]))


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", tidy_page, priority=400)  # before anything copies parts of the page

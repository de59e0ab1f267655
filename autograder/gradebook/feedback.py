"""nbgrader's feedback page, without hidden tests and without anything that a learner could make it run."""

from typing import Any

from bleach import clean
from jinja2 import pass_context
from nbconvert.exporters import HTMLExporter
from nbconvert.preprocessors import CSSHTMLHeaderPreprocessor
from nbformat import NotebookNode
from nbgrader.preprocessors import ClearHiddenTests
from traitlets import Bool

from autograder.authoring.assignment import is_check
from autograder.submissions.outputs import safe_outputs

TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "code", "del", "div", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i"),
    *("img", "li", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th"),
    *("thead", "tr", "u", "ul", "details", "summary", "dl", "dt", "dd"),
}
ATTRIBUTES = {"a": ["href", "title"], "img": ["src", "alt", "title"], "*": ["class", "align"]}


CSS = """
#toc, a.anchor-link { display: none; }
div.rendered_html table { margin: 1em 0; }
div.rendered_html th, div.rendered_html td { padding: 0.3em 1.2em 0.3em 0; text-align: left; vertical-align: top; }
div.rendered_html tr { border-bottom: 1px solid #ddd; }
div.output_error pre, div.output_text pre, div.output_stream pre { white-space: pre-wrap; }
"""


class Style(CSSHTMLHeaderPreprocessor):
    """The page's looks: the summary at its top takes the place of nbgrader's list of test cells."""

    enabled = Bool(True).tag(config=True)

    def preprocess(self, nb: NotebookNode, resources: Any) -> tuple[NotebookNode, Any]:
        nb, resources = super().preprocess(nb, resources)
        resources["inlining"]["css"] = [*resources["inlining"]["css"], CSS]
        return nb, resources


class HideTests(ClearHiddenTests):
    """Hidden tests leave the page; a learner's own cells are left alone, whatever markers they carry."""

    def preprocess_cell(self, cell: NotebookNode, resources: Any, cell_index: int) -> tuple[NotebookNode, Any]:
        if is_check(cell):
            return super().preprocess_cell(cell, resources, cell_index)
        if cell.cell_type == "code":
            cell.outputs = safe_outputs(cell.outputs)
        return cell, resources


class FeedbackExporter(HTMLExporter):
    """HTML in which text written by learners is only ever text."""

    @pass_context
    def markdown2html(self, context: Any, source: str) -> str:
        rendered = super().markdown2html(context, source)
        return clean(rendered, tags=TAGS, attributes=ATTRIBUTES, protocols={"http", "https", "mailto", "data"})

"""A figure that a script of the page brings to life: ``{live-translation}`` and ``{wiring}`` are its kinds."""

from collections.abc import Collection
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective


class Interactive(SphinxDirective):
    """What its names stand for, side by side; the last paragraph of its content is the caption."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {"name": directives.unchanged_required}

    def names(self, known: Collection[str], kind: str) -> list[str]:
        names = self.arguments[0].split()
        if unknown := [name for name in names if name not in known]:
            raise self.error(f"{self.name}: got {unknown}, expected names of {kind}: {list(known)}.")
        return names

    def figure(self, element: nodes.Element, *classes: str) -> list[nodes.Node]:
        """The script's element, in it what stands before the caption."""
        self.state.nested_parse(self.content, self.content_offset, element)
        text = element.children.pop() if element.children else None
        if not isinstance(text, nodes.paragraph):
            raise self.error(f"{self.name}: expected a paragraph at the end of the content, the caption.")
        figure = nodes.figure("", element, classes=["interactive", *classes])
        caption = nodes.caption(text.rawsource, "", *text.children)
        for part in (figure, caption):
            self.set_source_info(part)
        self.add_name(figure)
        figure += caption
        return [figure]


def load_where(app: Sphinx, kind: type[nodes.Element], script: str, style: str = "") -> None:
    """Only pages with a node of this kind load its script and its style; the PDF needs no script."""

    def add(
        app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
    ) -> None:
        if doctree is None or next(doctree.findall(kind), None) is None:
            return
        if style:
            app.add_css_file(style)
        if app.builder.name != "singlehtml":
            app.add_js_file(script, loading_method="defer")

    app.connect("html-page-context", add)

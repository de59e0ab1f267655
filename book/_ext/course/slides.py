"""Each page of the short way as slides: ``slides.js`` cuts them from the page itself, at its address with ``?slides``.

A button of the page leads there, and so does the role ``{slides}`03_bottleneck` ``.
"""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxRole

from book.contents import short_way


class slides(nodes.Inline, nodes.Element):
    """A link to the slides of a page, before it is known what is built."""


class SlidesRole(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        page = f"book/{self.text}"
        if page not in short_way():
            message = self.inliner.reporter.error(f"slides: {self.text} is not on the short way.", line=self.lineno)
            return [nodes.problematic(self.rawtext, self.rawtext)], [message]
        return [slides(docname=self.env.docname, page=page)], []


class LinkSlides(SphinxPostTransform):
    default_priority = 4

    def run(self, **_: Any) -> None:
        for node in list(self.document.findall(slides)):
            page, builder = node["page"], self.app.builder
            there = f"{self.config.html_baseurl}{page}.html"  # a book in one piece has no slides: the web has
            if builder.name == "html":
                there = builder.get_relative_uri(node["docname"], page)
            words = f"slides {int(page[5:7])}"
            node.replace_self(nodes.reference("", words, refuri=f"{there}?slides", internal=builder.name == "html"))


def add_button(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    if app.builder.name == "html" and pagename in short_way():
        address = f"{pagename.rpartition('/')[2]}.html?slides"
        button = {"type": "link", "url": address, "icon": "fas fa-chalkboard", "label": "slides", "tooltip": "Slides"}
        context.setdefault("header_buttons", []).insert(0, button)


def setup(app: Sphinx) -> None:
    app.add_node(slides)
    app.add_role("slides", SlidesRole())
    app.add_post_transform(LinkSlides)
    app.connect("html-page-context", add_button, priority=901)  # after the buttons of notebook_download

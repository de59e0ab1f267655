"""The whole book as one page, from which the PDF is printed.

sphinx-exercise registers handlers for this builder by name, and Sphinx then ignores those registered for "html".
Sphinx puts each page inside the last section of the one before, with headings one level too low, and forgets of a link
to a place in a page which page that is, although places of several pages have the same name.
MyST-NB adds the widgets of the first page alone.
"""

import re

from docutils import nodes
from myst_nb.sphinx_ import NbMetadataCollector
from sphinx import addnodes
from sphinx.application import Sphinx

PLACE = re.compile(r"(#document-[^#]+)#(.+)")


def share_handlers(app: Sphinx) -> None:
    handlers = app.registry.translation_handlers
    if app.builder.name == "singlehtml":
        handlers["singlehtml"] = {**handlers.get("html", {}), **handlers.get("singlehtml", {})}


def part_pages(app: Sphinx, tree: nodes.document, docname: str) -> None:
    """Sets all pages side by side; a link to a place of another page becomes ``#document-<page>/<place>``."""
    if app.builder.name != "singlehtml":
        return
    pages = list(tree.findall(addnodes.start_of_file))
    for page in pages:
        page.parent.remove(page)
    first = addnodes.start_of_file("", *tree.children, docname=docname)
    tree.clear()
    for page in [first, *pages]:
        page.children = [nodes.container("", *page.children, classes=["book-page"])]
        tree += page
    for link in tree.findall(nodes.reference):
        if place := PLACE.fullmatch(link.get("refuri", "")):
            link["refuri"] = "/".join(place.groups())


def add_widgets(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    if app.builder.name != "singlehtml" or doctree is None:
        return
    for name in sorted(app.env.all_docs):
        for path, attributes in NbMetadataCollector.get_js_files(app.env, name).values():
            app.add_js_file(path, **attributes)


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", share_handlers)
    app.connect("doctree-resolved", part_pages)
    app.connect("html-page-context", add_widgets)

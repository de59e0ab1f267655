"""The whole book as one page, from which the PDF is printed.

sphinx-exercise registers handlers for this builder by name, and Sphinx then ignores those registered for "html".
"""

from sphinx.application import Sphinx


def share_handlers(app: Sphinx) -> None:
    handlers = app.registry.translation_handlers
    if app.builder.name == "singlehtml":
        handlers["singlehtml"] = {**handlers.get("html", {}), **handlers.get("singlehtml", {})}


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", share_handlers)

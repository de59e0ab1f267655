"""The whole book as one page, from which the PDF is printed.

sphinx-exercise names handlers for this builder alone, and Sphinx then looks for all others under that name too.
"""

from sphinx.application import Sphinx


def share_handlers(app: Sphinx) -> None:
    handlers = app.registry.translation_handlers
    if app.builder.name == "singlehtml":
        handlers["singlehtml"] = {**handlers.get("html", {}), **handlers.get("singlehtml", {})}


def setup(app: Sphinx) -> None:
    app.connect("builder-inited", share_handlers)

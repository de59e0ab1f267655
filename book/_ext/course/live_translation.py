"""``{live-translation} every_step bahdanau``: the reader's own sentence, translated in the page by trained models.

A figure: the last paragraph of its content is the caption, and what stands before it is a still picture.
In the page stands an element that ``seq2seq/live/`` brings to life; without JavaScript, and in the PDF, the still
picture and a sentence.
"""

from html import escape
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from seq2seq.live import bundle
from seq2seq.live.examples import GROWING

MODELS = Path("book") / "_static" / "live"
WITHOUT = "On the book's web pages, with JavaScript, models in your browser translate any sentence that you type."


class live_translation(nodes.General, nodes.Element):
    """The place of a live translation."""


class LiveTranslation(SphinxDirective):
    """The models by the names of their files in book/_static/live, in the order in which they stand side by side."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar = {
        "name": directives.unchanged_required,
        "sentence": directives.unchanged_required,
        "forms": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        names = self.arguments[0].split()
        known = sorted(path.stem for path in (Path(self.env.srcdir) / MODELS).glob("*.js"))
        if unknown := [name for name in names if name not in known]:
            raise self.error(f"live-translation: got {unknown}, expected names of files in {MODELS}: {known}.")
        body = nodes.Element()
        self.state.nested_parse(self.content, self.content_offset, body)
        text = body.children[-1] if body.children else None
        if not isinstance(text, nodes.paragraph):
            raise self.error("live-translation: expected a paragraph at the end of the content, the caption.")
        still = body.children[:-1]
        element = live_translation(
            "",
            *still,
            models=" ".join(names),
            sentence=self.options.get("sentence", GROWING[0][0]),
            forms="forms" in self.options,
        )
        figure = nodes.figure("", element, classes=["interactive"])
        self.set_source_info(figure)
        self.add_name(figure)
        caption = nodes.caption(text.rawsource, "", *text.children)
        self.set_source_info(caption)
        figure += caption
        return [figure]


def visit(translator: HTML5Translator, node: live_translation) -> None:
    if translator.builder.name == "singlehtml":  # the PDF
        return
    forms = " forms" if node["forms"] else ""
    room = f"--models: {len(node['models'].split())}; --words: {len(node['sentence'].split()) + 1}"  # and a full stop
    shown = f'models="{node["models"]}" sentence="{escape(node["sentence"])}"'
    translator.body.append(f'<live-translation {shown}{forms} style="{room}"><noscript>')


def depart(translator: HTML5Translator, node: live_translation) -> None:
    is_pdf = translator.builder.name == "singlehtml"
    translator.body.append(f"<p>{WITHOUT}</p>{'' if is_pdf else '</noscript></live-translation>'}\n")


def add_script(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    """Only pages with a live translation load the script that waits for it."""
    if doctree is not None and next(doctree.findall(live_translation), None) and app.builder.name != "singlehtml":
        app.add_js_file("live/start.js", loading_method="defer")


def copy_scripts(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        bundle.write(Path(app.outdir) / "_static" / "live")


def setup(app: Sphinx) -> None:
    app.add_node(live_translation, html=(visit, depart))
    app.add_directive("live-translation", LiveTranslation)
    app.connect("html-page-context", add_script)
    app.connect("build-finished", copy_scripts)

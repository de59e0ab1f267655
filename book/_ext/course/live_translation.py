"""``{live-translation} every_step bahdanau``: the reader's own sentence, translated in the page by trained models.

What stands before the caption is a still picture.
In the page stands an element that ``seq2seq/live/`` brings to life; without JavaScript, and in the PDF, the still
picture and a sentence.
"""

from html import escape
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from course.interactive import Interactive, load_where
from seq2seq.live import bundle
from seq2seq.live.examples import GROWING

MODELS = Path("book") / "_static" / "live"
WITHOUT = "On the book's web pages, with JavaScript, models in your browser translate any sentence that you type."


class live_translation(nodes.General, nodes.Element):
    """The place of a live translation."""


class LiveTranslation(Interactive):
    """The models by the names of their files in book/_static/live, in the order in which they stand side by side."""

    option_spec: ClassVar = Interactive.option_spec | {
        "sentence": directives.unchanged_required,
        "forms": directives.flag,
    }

    def run(self) -> list[nodes.Node]:
        known = sorted(path.stem for path in (Path(self.env.srcdir) / MODELS).glob("*.js"))
        models = " ".join(self.names(known, f"files in {MODELS}"))
        sentence = self.options.get("sentence", GROWING[0][0])
        return self.figure(live_translation(models=models, sentence=sentence, forms="forms" in self.options))


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


def copy_scripts(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.format == "html":
        bundle.write(Path(app.outdir) / "_static" / "live")


def setup(app: Sphinx) -> None:
    app.add_node(live_translation, html=(visit, depart))
    app.add_directive("live-translation", LiveTranslation)
    load_where(app, live_translation, "live/start.js")
    app.connect("build-finished", copy_scripts)

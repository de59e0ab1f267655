"""``{predict}``: a question with options, each of which opens to say why it is right or wrong.

Its list begins each option with ``[x]``, if it is right, or ``[ ]``; the indented lines below an option are its reason.
An option is a ``<details>``, so that questions work without a script, by keyboard and in print; ``progress.js``
keeps which was chosen first.
"""

import re

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

from course.blocks import Block

MARK = re.compile(r"\[([ x])\]\s+")


class choice(nodes.General, nodes.Element):
    """The claim, a ``nodes.inline``, and what is said of it; ``right``: whether it holds."""


class Predict(Block):
    kind = "predict"
    required_arguments, optional_arguments = 1, 0
    option_spec = {"label": directives.unchanged_required}  # noqa: RUF012  (as docutils declares it)

    def title(self) -> str:
        return self.arguments[0]

    def run(self) -> list[nodes.Node]:
        title, box = self.title(), self.box()
        if not isinstance(box[-1], nodes.bullet_list):
            raise self.error(f"predict: {title!r} ends with no list of options.")
        items = box.children.pop()
        options = [self.option(item) for item in items.children]
        if [each["right"] for each in options].count(True) != 1:
            raise self.error(f"predict: {title!r} has not exactly one option that begins with [x].")
        box += nodes.container("", *options, classes=["predict-options"])
        target = nodes.target("", "", names=[self.options["label"]])
        self.state.document.note_explicit_target(target)
        return [target, box]

    def option(self, item: nodes.Node) -> choice:
        """An item of the list: its first line is the claim, what follows the reason."""
        parts = list(item.children[0].children)
        end = next((place for place, part in enumerate(parts) if part.astext() == "\n"), len(parts))
        mark = MARK.match(parts[0].astext())
        reason = [*([nodes.paragraph("", "", *parts[end + 1 :])] if parts[end + 1 :] else []), *item.children[1:]]
        if not mark or not reason:
            raise self.error("predict: each option begins with [x] or [ ], and the lines below it say why.")
        parts[0] = nodes.Text(MARK.sub("", parts[0].astext(), count=1))
        return choice("", nodes.inline("", "", *parts[:end]), *reason, right=mark[1] == "x")


def visit(translator: HTML5Translator, node: choice) -> None:
    verdict = "right" if node["right"] else "wrong"
    translator.body.append(f'<details class="predict-option" data-verdict="{verdict}"><summary>')
    node[0].walkabout(translator)
    translator.body.append(f'</summary><div><span class="predict-verdict">{verdict.capitalize()}.</span>')
    for reason in node.children[1:]:
        reason.walkabout(translator)
    translator.body.append("</div></details>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> None:
    app.add_directive("predict", Predict)
    app.add_node(choice, html=(visit, None))

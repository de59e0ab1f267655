"""``{troubles}``: what can go wrong on a learner's machine, from ``learn.troubles``; ``{install}``: how to install."""

from pathlib import Path

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import learn.troubles
from autograder.assignments.wheel import requirement


class Troubles(SphinxDirective):
    """A section for each trouble: how it shows, why, and what helps."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(learn.troubles.__file__))
        sections: list[nodes.Node] = []
        for trouble in learn.troubles.TROUBLES:
            section = nodes.section(ids=[f"trouble-{trouble.id}"], names=[trouble.id])
            self.state.document.note_explicit_target(section)
            section += nodes.title(trouble.title, trouble.title)
            self.state.nested_parse(StringList([trouble.why, "", trouble.cure], "learn/troubles.py"), 0, section)
            sections.append(section)
        return sections


class Install(SphinxDirective):
    """The commands that install the package, and begin."""

    def run(self) -> list[nodes.Node]:
        text = f'pip install "{requirement(Path(self.env.srcdir), "lab")}"\nlearn start 02'
        return [nodes.literal_block(text, text, language="console")]


def setup(app: Sphinx) -> None:
    app.add_directive("install", Install)
    app.add_directive("troubles", Troubles)

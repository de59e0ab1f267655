"""The boxes that every chapter has, each with its own colour and fixed place in the text."""

from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.contents import place
from book.prose import Reading
from course.launch import launchers


class Block(SphinxDirective):
    """A titled box; subclasses define its kind and title."""

    has_content = True
    optional_arguments = 1
    final_argument_whitespace = True
    kind = ""

    def title(self) -> str:
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        return [self.box()]

    def box(self) -> nodes.admonition:
        box = nodes.admonition("", classes=["admonition", f"course-{self.kind}"])
        self.set_source_info(box)
        children, messages = self.state.inline_text(self.title(), self.lineno)
        box += [nodes.title(self.title(), "", *children), *messages]
        self.state.nested_parse(self.content, self.content_offset, box)
        return box


class Goals(Block):
    """``{goals}``: what the reader will learn, how long it takes, and whether it may wait."""

    kind = "goals"
    optional_arguments = 0

    def title(self) -> str:
        reading = Reading(Path(self.env.srcdir, f"{self.env.docname}.md"))
        tasks, more = reading.exercise
        doing = f", and {more} for {tasks} of the exercise" if tasks else ""
        self.env.note_dependency("_toc.yml")
        return f"What you will learn · {reading.minutes} minutes{doing} · {place(self.env.docname)}"


class Misconception(Block):
    """``{misconception} The claim.``: a common false claim; the content corrects it."""

    kind = "misconception"
    required_arguments, optional_arguments = 1, 0

    def title(self) -> str:
        return f"Often said: “{self.arguments[0]}”"


class Deviation(Block):
    """``{deviation}``: where popular code deviates, with a link to the public thread."""

    kind = "deviation"

    def title(self) -> str:
        return self.arguments[0] if self.arguments else "Where popular code deviates"


class AssignmentBlock(Block):
    """``{assignment} 05_scorers``: the chapter's graded notebook as a download."""

    kind = "assignment"
    required_arguments, optional_arguments = 1, 0

    def title(self) -> str:
        return "Your turn: the graded exercise"

    def run(self) -> list[nodes.Node]:
        name = self.arguments[0]
        file = f"exercises/{name}/{name}.ipynb"
        if not (Path(self.env.srcdir) / file).is_file():
            return [self.state.document.reporter.error(f"assignment: {file} does not exist.", line=self.lineno)]
        box = self.box()
        download = addnodes.download_reference("", "", reftarget=f"/{file}", refdoc=self.env.docname)
        download += nodes.inline("", f"Download {name}.ipynb")
        line = nodes.paragraph("", "", download, classes=["assignment-links"])
        for where, address in launchers(self.config, name).items():
            line += [nodes.Text(" · "), nodes.reference("", f"Open in {where}", refuri=address)]
        command = f"learn start {name.partition('_')[0]}"
        line += [nodes.Text(" · or, on your own machine, "), nodes.literal(command, command)]
        box += line
        label = f"exercise-{name}"  # where the folds of its answers lead
        target = nodes.target("", "", names=[label])
        self.state.document.note_explicit_target(target)
        return [target, box]


def setup(app: Sphinx) -> None:
    for directive in (Goals, Misconception, Deviation, AssignmentBlock):
        app.add_directive(directive.kind, directive)

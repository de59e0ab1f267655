"""``{source}``: shows code from the one place where it is defined.

The arguments are dotted names of modules, classes, methods or functions of this repository.
Docstrings are omitted unless ``:docstring:`` is given, as the chapter says the same in prose.
Answers to graded tasks are folded, "try first, then look"; the build for a class, ``python -m book.build
--without-answers``, leaves them out.
"""

import ast
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from autograder.assignments.script import given_away

Named = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.Module | Named


class SourceError(LookupError):
    """The name has no definition; the message says which part was not found."""


def locate(root: Path, name: str) -> tuple[Path, list[str]]:
    """The file that a dotted name begins with, and the remaining parts inside that file."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        path = root.joinpath(*parts[:length]).with_suffix(".py")
        if path.is_file():
            return path, parts[length:]
    raise SourceError(f"source: {name!r} begins with no module of this repository, expected e.g. seq2seq.scorers.…")


def definition(tree: ast.Module, inside: list[str], name: str) -> Definition:
    """The module, class or function that the remaining parts name."""
    node: Definition = tree
    for part in inside:
        named = [child for child in node.body if isinstance(child, Named) and child.name == part]
        if not named:
            raise SourceError(f"source: {name!r} not found: there is no {part!r} in the file.")
        node = named[-1]
    return node


def docstring_lines(node: ast.AST) -> set[int]:
    """The lines of the docstrings in this node."""
    lines: set[int] = set()
    for child in ast.walk(node):
        if not isinstance(child, Definition) or ast.get_docstring(child) is None or len(child.body) < 2:
            continue
        first = child.body[0]
        lines.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return lines


def excerpt(path: Path, inside: list[str], name: str, docstring: bool) -> str:
    """The source of a definition with its decorators, dedented."""
    text = path.read_text(encoding="utf-8")
    node = definition(ast.parse(text), inside, name)
    lines = text.splitlines()
    if isinstance(node, ast.Module):
        first, last = 1, len(lines)
    else:
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        last = node.end_lineno or len(lines)
    hidden = set() if docstring else docstring_lines(node)
    shown: list[str] = []
    for number in range(first, last + 1):
        blank = not lines[number - 1].strip()
        if number in hidden or (blank and number - 1 in hidden):
            continue
        shown.append(lines[number - 1])
    return textwrap.dedent("\n".join(shown)).strip("\n")


def listed(words: Sequence[str]) -> str:
    """``a, b and c``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


class SourceDirective(SphinxDirective):
    required_arguments = 1
    optional_arguments = 20
    option_spec: ClassVar = {
        "docstring": directives.flag,
        "emphasize-lines": directives.unchanged,
        "name": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        answers = {name: given for name in self.arguments if (given := given_away(root, name))}
        shown = self.listing([name for name in self.arguments if name not in answers])
        exercises = dict.fromkeys(exercise for given in answers.values() for exercise in given.values())
        return shown + ([self.fold(list(answers), list(exercises))] if answers else [])

    def fold(self, names: list[str], exercises: list[str]) -> nodes.Element:
        """The code that the reader writes, folded under a line that says where; the line alone in a class's build."""
        text, messages = self.state.inline_text(self.invitation(names, exercises), self.lineno)
        if not self.config.course_answers:
            return nodes.paragraph("", "", *text, *messages, classes=["source-withheld"])
        fold = nodes.admonition("", classes=["admonition", "dropdown", "source-answer"])
        fold += [nodes.title("", "", *text), *messages, *self.listing(names)]
        return fold

    def invitation(self, names: list[str], exercises: list[str]) -> str:
        owned = [name.split(".")[-2:] for name in names]
        shown = [".".join(parts) if parts[0][:1].isupper() else parts[-1] for parts in owned]
        numbers = [f"{{ref}}`exercise {int(name.partition('_')[0])} <exercise-{name}>`" for name in exercises]
        line = f"You write {listed([f'`{name}`' for name in shown])} in {listed(numbers)}"
        return f"{line}: try first, then look" if self.config.course_answers else f"{line}."

    def listing(self, names: list[str]) -> list[nodes.Node]:
        """The definitions in one block."""
        if not names:
            return []
        root = Path(self.env.srcdir)
        pieces: list[str] = []
        places: dict[Path, list[str]] = {}
        for name in names:
            try:
                path, inside = locate(root, name)
                pieces.append(excerpt(path, inside, name, "docstring" in self.options))
            except SourceError as error:
                return [self.state.document.reporter.error(str(error), line=self.lineno)]
            places.setdefault(path, []).append(".".join(inside))
            self.env.note_dependency(str(path))
        code = nodes.literal_block("\n\n".join(pieces), "\n\n".join(pieces), language="python")
        if "emphasize-lines" in self.options:
            code["highlight_args"] = {"hl_lines": [int(line) for line in self.options["emphasize-lines"].split(",")]}
        self.set_source_info(code)
        block = nodes.container("", self.caption(root, places), code, classes=["source-excerpt"])
        self.add_name(block)
        return [block]

    def caption(self, root: Path, places: dict[Path, list[str]]) -> nodes.paragraph:
        """The files, as links, and the names shown from each."""
        line = nodes.paragraph(classes=["source-place"])
        for path, names in places.items():
            file = path.relative_to(root).as_posix()
            module = file.removesuffix(".py").replace("/", ".")
            if self.config.course_answers or not given_away(root, module):
                link: nodes.Element = addnodes.download_reference("", "", reftarget=f"/{file}", refdoc=self.env.docname)
                link += nodes.literal(file, file)
            else:  # the file contains answers
                link = nodes.literal(file, file)
            if line.children:
                line += nodes.Text("; ")
            line += [link, nodes.inline("", " · " + ", ".join(filter(None, names)), classes=["source-names"])]
        return line


def setup(app: Sphinx) -> None:
    app.add_directive("source", SourceDirective)

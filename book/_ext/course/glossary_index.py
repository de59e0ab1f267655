"""``{terms}``: the index, which lists the sections that use each term of the glossary.

A section uses a term if it links it by ``{term}``; there are no separate index marks.
"""

import re
from collections.abc import Iterator

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

# term → page → section, in page order → its enclosing sections
Uses = dict[str, dict[str, dict[str, list[str]]]]
CHAPTER = re.compile(r".*/(\d+|[A-Z])_")


class terms(nodes.General, nodes.Element):
    """A placeholder until all pages are known."""


class TermsDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        return [terms()]


def uses(env: BuildEnvironment) -> Uses:
    return vars(env).setdefault("course_terms", {})


def sections_of(node: nodes.Node) -> list[str]:
    """The sections that contain a node, innermost first."""
    ids = []
    while node.parent is not None:
        node = node.parent
        if isinstance(node, nodes.section):
            ids.append(node["ids"][0])
    return ids


def collect(app: Sphinx, doctree: nodes.document) -> None:
    docname = app.env.docname
    if not CHAPTER.match(docname):
        return
    for link in doctree.findall(addnodes.pending_xref):
        if link.get("reftype") == "term":
            pages = uses(app.env).setdefault(link["reftarget"].lower(), {})
            innermost, *outer = sections_of(link) or [""]
            pages.setdefault(docname, {})[innermost] = outer


def purge(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    for pages in uses(env).values():
        pages.pop(docname, None)


class FillTerms(SphinxPostTransform):
    """Replace the node by the terms, grouped by letter."""

    default_priority = 4

    def run(self, **kwargs: object) -> None:
        for node in list(self.document.findall(terms)):
            node.replace_self(list(self.letters()))

    def letters(self) -> Iterator[nodes.Node]:
        domain = self.env.domains["std"]
        letter, words = "", nodes.bullet_list()
        for word, (docname, target) in sorted(glossary(domain).items(), key=lambda entry: entry[0].lower()):
            if word[0].upper() != letter:
                letter, words = word[0].upper(), nodes.bullet_list(classes=["course-terms"])
                yield nodes.rubric("", letter)
                yield words
            definition = make_refnode(self.app.builder, self.env.docname, docname, target, nodes.inline("", word))
            places = list(self.places(word))
            line = nodes.paragraph("", "", definition)
            for number, place in enumerate(places):
                line += [nodes.Text(", " if number else ": "), place]
            words += nodes.list_item("", line)

    def places(self, word: str) -> Iterator[nodes.reference]:
        """A link for each numbered section that uses the term, to its first use there."""
        pages = uses(self.env).get(word.lower(), {})
        for docname in sorted(pages):
            numbers = self.env.toc_secnumbers.get(docname, {})
            shown = set()
            for section, outer in pages[docname].items():
                known = (numbers.get(f"#{name}") for name in (section, *outer))
                number = next(filter(None, known), None) or numbers.get("") or ()
                if number not in shown:
                    shown.add(number)
                    text = nodes.inline("", ".".join(map(str, number)))
                    yield make_refnode(self.app.builder, self.env.docname, docname, section, text)


def glossary(domain: StandardDomain) -> dict[str, tuple[str, str]]:
    return {name: place for (kind, name), place in domain.objects.items() if kind == "term"}


def setup(app: Sphinx) -> None:
    app.add_node(terms)
    app.add_directive("terms", TermsDirective)
    app.connect("doctree-read", collect)
    app.connect("env-purge-doc", purge)
    app.add_post_transform(FillTerms)

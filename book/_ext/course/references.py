"""``{references}``: the sources that this page cites; the bibliography page lists all of them."""

from dataclasses import dataclass, field

import sphinxcontrib.bibtex.plugin
from docutils import nodes
from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style
from pybtex_docutils import Backend
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode
from sphinxcontrib.bibtex.domain import BibtexDomain, Citation
from sphinxcontrib.bibtex.style.referencing import BracketStyle
from sphinxcontrib.bibtex.style.referencing.author_year import AuthorYearReferenceStyle


def round_brackets() -> BracketStyle:
    return BracketStyle(left="(", right=")")


@dataclass
class RoundReferenceStyle(AuthorYearReferenceStyle):
    """Bahdanau et al. (2015) in the text, (Bahdanau et al., 2015) in brackets."""

    bracket_parenthetical: BracketStyle = field(default_factory=round_brackets)
    bracket_textual: BracketStyle = field(default_factory=round_brackets)
    bracket_author: BracketStyle = field(default_factory=round_brackets)
    bracket_label: BracketStyle = field(default_factory=round_brackets)
    bracket_year: BracketStyle = field(default_factory=round_brackets)


class CourseStyle(Style):
    """Entries sorted by author, then by year."""

    default_sorting_style = "author_year_title"


class references(nodes.General, nodes.Element):
    """A placeholder until the bibliography is known."""


class ReferencesDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        return [references(docname=self.env.docname)]


class FillReferences(SphinxPostTransform):
    """Replace the node by the entries that this page cites, linked to the bibliography."""

    default_priority = 4

    def run(self, **kwargs: object) -> None:
        domain = self.env.get_domain("cite")
        assert isinstance(domain, BibtexDomain)
        for node in list(self.document.findall(references)):
            docname = node["docname"]  # of its own page, also where all pages are one
            uses = [use for use in domain.citation_refs if use.docname == docname]
            cited = {target.key for use in uses for target in use.targets}
            entries = nodes.bullet_list(classes=["references"])
            for citation in domain.citations:
                if citation.key in cited:
                    entries += nodes.list_item("", self.entry(citation, docname))
            node.replace_self([entries] if entries.children else [])

    def entry(self, citation: Citation, docname: str) -> nodes.paragraph:
        line = nodes.paragraph("", "", *citation.formatted_entry.text.render(Backend()))
        there = make_refnode(
            self.app.builder,
            docname,
            citation.bibliography_key.docname,
            citation.citation_id,
            nodes.inline("", "↗"),
        )
        there["classes"].append("to-bibliography")
        there["reftitle"] = "in the bibliography"
        line += [nodes.Text(" "), there]
        return line


def setup(app: Sphinx) -> None:
    register_plugin("pybtex.style.formatting", "course", CourseStyle)
    sphinxcontrib.bibtex.plugin.register_plugin("sphinxcontrib.bibtex.style.referencing", "course", RoundReferenceStyle)
    app.add_node(references)
    app.add_directive("references", ReferencesDirective)
    app.add_post_transform(FillReferences)

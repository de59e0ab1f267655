"""``{references}``: what this page cites, at its end; every entry also stands on the page of the bibliography."""

from docutils import nodes
from pybtex.plugin import register_plugin
from pybtex.style.formatting.unsrt import Style
from pybtex_docutils import Backend
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode


class CourseStyle(Style):
    """Entries in the order of their authors' names, then of their years."""

    default_sorting_style = "author_year_title"


class references(nodes.General, nodes.Element):
    """Stands in the page until the bibliography is known."""


class ReferencesDirective(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        return [references()]


class FillReferences(SphinxPostTransform):
    """Put each entry that this page cites in place of the node, linked to the bibliography."""

    default_priority = 4

    def run(self, **kwargs: object) -> None:
        domain = self.env.get_domain("cite")
        docname = self.env.docname
        for node in list(self.document.findall(references)):
            uses = [use for use in domain.citation_refs if use.docname == docname]
            cited = {target.key for use in uses for target in use.targets}
            entries = nodes.bullet_list(classes=["references"])
            for citation in domain.citations:
                if citation.key in cited:
                    entries += nodes.list_item("", self.entry(citation))
            node.replace_self([entries] if entries.children else [])

    def entry(self, citation: object) -> nodes.paragraph:
        line = nodes.paragraph("", "", *citation.formatted_entry.text.render(Backend()))
        there = make_refnode(
            self.app.builder,
            self.env.docname,
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
    app.add_node(references)
    app.add_directive("references", ReferencesDirective)
    app.add_post_transform(FillReferences)

"""Converts a finished page to plain Markdown for a notebook: references become numbers, terms link to the book."""

import re
from collections.abc import Callable

from docutils import nodes
from sphinx import addnodes

Address = Callable[[str], str]
Number = Callable[[nodes.Element], str]
CALLOUT = "> "


class Markdown:
    """Converts nodes of a resolved page to Markdown; what needs a browser is left out.

    ``address`` makes a link of the page absolute; ``number`` returns the number of a figure, a table or an equation,
    or "".
    """

    def __init__(self, address: Address, number: Number) -> None:
        self.address = address
        self.number = number

    def block(self, node: nodes.Node, depth: int = 1) -> str:
        """A block node; types without a rule give their contents."""
        rule = getattr(self, f"block_{type(node).__name__}", None)
        return rule(node, depth) if rule else self.blocks(node, depth)

    def blocks(self, node: nodes.Node, depth: int = 1) -> str:
        if not node.children or all(isinstance(child, nodes.Text | nodes.Inline) for child in node.children):
            return self.line(node)
        return "\n\n".join(filter(None, (self.block(child, depth) for child in node.children)))

    def block_title(self, node: nodes.title, depth: int) -> str:
        return f"{'#' * depth} {self.line(node)}"

    def block_paragraph(self, node: nodes.paragraph, depth: int) -> str:
        return self.line(node)

    def block_literal_block(self, node: nodes.literal_block, depth: int) -> str:
        return f"```{node.get('language', '')}\n{node.astext()}\n```"

    def block_math_block(self, node: nodes.math_block, depth: int) -> str:
        number = self.number(node)
        tag = rf" \tag{{{number}}}" if number else ""
        return f"$$\n{node.astext().strip()}{tag}\n$$"

    def block_bullet_list(self, node: nodes.bullet_list, depth: int) -> str:
        return self.items(node, lambda place: "- ")

    def block_enumerated_list(self, node: nodes.enumerated_list, depth: int) -> str:
        return self.items(node, lambda place: f"{place}. ")

    def items(self, node: nodes.Node, mark: Callable[[int], str]) -> str:
        lines = []
        for place, item in enumerate(node.children, start=1):
            first = mark(place)
            lines.append(first + indent(self.blocks(item), " " * len(first)).lstrip())
        return "\n".join(lines)

    def block_definition_list(self, node: nodes.definition_list, depth: int) -> str:
        pairs = []
        for item in node.children:
            terms = ", ".join(self.line(child) for child in item.children if isinstance(child, nodes.term))
            texts = [self.blocks(child) for child in item.children if isinstance(child, nodes.definition)]
            pairs.append(f"**{terms}**: " + " ".join(texts))
        return "\n\n".join(pairs)

    def block_admonition(self, node: nodes.Element, depth: int) -> str:
        return self.callout(node)

    block_note = block_tip = block_warning = block_attention = block_admonition
    block_exercise_node = block_exercise_enumerable_node = block_solution_node = block_admonition

    def callout(self, node: nodes.Element) -> str:
        children = list(node.children)
        title = self.line(children.pop(0)) if children and isinstance(children[0], nodes.title) else ""
        text = "\n\n".join(filter(None, [f"**{title}**" if title else "", *(self.block(child) for child in children)]))
        return indent(text, CALLOUT, always=True)

    def block_figure(self, node: nodes.figure, depth: int) -> str:
        captions = [self.line(child) for child in node.children if isinstance(child, nodes.caption)]
        return "\n\n".join(f"**Figure {self.number(node)}.** {caption}" for caption in captions if caption)

    def block_table(self, node: nodes.table, depth: int) -> str:
        titles = [
            f"**Table {self.number(node)}.** {self.line(child)}"
            for child in node.children
            if isinstance(child, nodes.title)
        ]
        rows = [[cell(self.blocks(entry)) for entry in row.children] for row in node.findall(nodes.row)]
        if not rows:
            return ""
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        lines.insert(1, "|" + "---|" * len(rows[0]))
        return "\n\n".join([*titles, "\n".join(lines)])

    def block_comment(self, node: nodes.Node, depth: int) -> str:
        return ""

    block_target = block_index = block_substitution_definition = block_raw = block_comment

    def line(self, node: nodes.Node) -> str:
        """The node's contents as inline text."""
        return "".join(self.inline(child) for child in node.children).strip() if node.children else node.astext()

    def inline(self, node: nodes.Node) -> str:
        if isinstance(node, nodes.Text):
            return node.astext().replace("\n", " ")
        inner = "".join(self.inline(child) for child in node.children)
        match node:
            case nodes.math():
                return f"${node.astext()}$"
            case nodes.literal():
                return f"`{node.astext()}`"
            case nodes.strong():
                return f"**{inner}**"
            case nodes.emphasis() | nodes.title_reference():
                return f"*{inner}*"
            case addnodes.download_reference():
                return inner
            case nodes.reference():
                target = node.get("refuri") or (f"#{node['refid']}" if node.get("refid") else "")
                return f"[{inner}]({self.address(target)})" if target and inner else inner
            case nodes.raw() | nodes.system_message():
                return ""
            case _:
                return inner


def indent(text: str, mark: str, always: bool = False) -> str:
    """Prefixes every line with ``mark``; empty ones only if ``always``."""
    return "\n".join((mark + line).rstrip() if line or always else line for line in text.split("\n"))


def cell(text: str) -> str:
    """The text of a table cell: on one line and with bars escaped."""
    return re.sub(r"\s*\n\s*", " ", text).replace("|", r"\|")

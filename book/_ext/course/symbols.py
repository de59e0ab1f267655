"""A symbol touched in a displayed equation lights its name in the code, its box in a figure, its row in a table.

What a symbol is called, its shape and its meaning are read from the tables of the page of notation; a page that keeps
the letters of a paper has a table whose last columns are headed "here…" and "elsewhere".

Which letters are symbols is decided in the browser, by ``symbols.js`` on MathJax's own tree: there an index, an accent,
an exponent and the letters of a function's name are nodes, so TeX need not be parsed a second time; and the TeX stays
as it was written for readers without JavaScript, for notebooks, previews and the PDF.
"""

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx

from book.contents import short_way

NOTATION = "book/notation"
FORM = re.compile(r"(?:\\(bar|tilde) )?\\?([A-Za-z]+)(?:_\{?([^{}]*)\}?)?")
RANGE = re.compile(r"(.)_1 \\dots \1_(.)")
MATHJAX = {"alpha": "α", "tau": "τ", "bar": "\N{MACRON}", "tilde": "~", "-": "\N{MINUS SIGN}"}
COUNTED = {"n": "j", "T": "i"}  # the index that runs to this length
OTHERS = {"j": "l", "ij": "il"}  # what a sum or a maximum runs over
BEFORE = "i\N{MINUS SIGN}1"


class Form(NamedTuple):
    """A letter and its index, as MathJax has them: ``h¯`` and ``s`` for ``\\bar h_s``."""

    letter: str
    below: str

    @property
    def key(self) -> str:
        return f"{self.letter}_{self.below}" if self.below else self.letter


def form(tex: str) -> Form:
    if spread := RANGE.fullmatch(tex):
        return Form(spread[1], COUNTED[spread[2]])
    accent, letter, below = FORM.fullmatch(tex).groups(default="")  # type: ignore[union-attr]
    return Form(
        MATHJAX.get(letter, letter) + MATHJAX.get(accent, ""),
        "".join(MATHJAX.get(character, character) for character in below),
    )


def rows(document: nodes.document, *heads: str) -> Iterator[list[nodes.entry]]:
    """The rows of all tables whose last columns are headed so, or so and more."""
    for table in document.findall(nodes.table):
        head, *body = ([*row.findall(nodes.entry)] for row in table.findall(nodes.row))
        if all(entry.astext().startswith(words) for entry, words in zip(head[-len(heads) :], heads, strict=False)):
            yield from body


def forms(entry: nodes.entry) -> list[Form]:
    return [form(math.astext()) for math in entry.findall(nodes.math)]


def symbols(notation: nodes.document, page: nodes.document) -> dict[str, dict[str, object]]:
    """What ``symbols.js`` reads: keys of symbols → names, names → lines of notation, letters of boxes → names."""
    letters: dict[str, str] = {}  # letters and indices elsewhere → here
    indices: dict[str, str] = {}
    for row in rows(page, "here", "elsewhere"):
        for here, there in zip(*map(forms, row[-2:]), strict=False):
            if there.below:
                letters[there.letter] = here.letter
            else:
                indices[there.letter] = here.letter

    def local(elsewhere: Form) -> str:
        below = "".join(indices.get(letter, letter) for letter in elsewhere.below)
        return Form(letters.get(elsewhere.letter, elsewhere.letter), below).key

    def words(entry: nodes.entry) -> str:
        leaves = ((leaf.astext(), isinstance(leaf.parent, nodes.math)) for leaf in entry.findall(nodes.Text))
        return "".join(indices.get(text, text) if is_index else text for text, is_index in leaves)

    names: dict[Form, str] = {}
    lines: dict[str, object] = {}
    for first, what, code in rows(notation, "symbol", "what it is", "in the code, and"):
        name = next(code.findall(nodes.literal)).astext()
        names |= dict.fromkeys(forms(first), name)
        symbol = local(forms(first)[0]).replace("\N{MACRON}", "\N{COMBINING MACRON}")
        lines[name] = [symbol, words(code), words(what)]
    for indexed, name in list(names.items()):
        if indexed.below in OTHERS:
            names.setdefault(Form(indexed.letter, OTHERS[indexed.below]), name)
        if indexed.below == "i":
            names[Form(indexed.letter, "0")] = names.setdefault(Form(indexed.letter, BEFORE), name)
    return {
        "keys": {local(indexed): name for indexed, name in names.items()},
        "lines": lines,
        "letters": {indexed.letter: name for indexed, name in names.items()},
    }


def add_script(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], doctree: nodes.document | None
) -> None:
    if doctree is None or pagename not in short_way() or app.builder.name == "singlehtml":
        return
    if next(doctree.findall(nodes.math_block), None):
        table = symbols(app.env.get_doctree(NOTATION), doctree)
        app.add_css_file("symbols.css")
        app.add_js_file(None, body=f"window.SYMBOLS = {json.dumps(table, ensure_ascii=False)}")
        app.add_js_file("symbols.js", loading_method="defer", priority=400)  # before MathJax, which it sets up


def setup(app: Sphinx) -> None:
    app.connect("html-page-context", add_script)

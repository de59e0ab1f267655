"""A notebook's Markdown and code → HTML in which text written by learners cannot become active content."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape

from bleach.sanitizer import Cleaner
from docutils.utils.math import latex2mathml
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath

from autograder.gradebook.syntax import coloured
from autograder.submissions.safe_outputs import safe_pictures

TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "code", "del", "div", "em", "h3", "h4", "h5", "h6", "hr", "i"),
    *("img", "li", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th"),
    *("thead", "tr", "u", "ul", "details", "summary", "dl", "dt", "dd"),
}
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+")
LINK = re.compile(r"https?://|mailto:", re.I)
# Markdown parsing takes quadratic time on crafted text: longer cells are shown unrendered.
LONGEST_PROSE, LONGEST_CODE = 5_000, 20_000  # characters
PLACEHOLDER = re.compile("\ue000(\\d+)\ue001")  # stands for a piece of our own HTML
PRIVATE = str.maketrans("", "", "\ue000\ue001")
LONGEST_FORMULA = 4_000  # characters of one formula; longer ones are shown as TeX
SIMPLER = (  # unsupported TeX → an equivalent, except for the size of symbols
    (re.compile(r"\\[dt]frac(?![a-zA-Z])"), r"\\frac"),
    (re.compile(r"\\dots(?![a-zA-Z])"), r"\\ldots"),
    (re.compile(r"\\(?:[bB]igg?[lrm]?|middle)(?![a-zA-Z])\s*"), ""),
    (re.compile(r"\\!"), ""),
    (re.compile(r"\\frac\s*(\d)\s*(\d)"), r"\\frac{\1}{\2}"),
    (re.compile(r"(?<!\\left)\\(lceil|lfloor)(?![a-zA-Z])"), r" \\left\\\1"),
    (re.compile(r"(?<!\\right)\\(rceil|rfloor)(?![a-zA-Z])"), r" \\right\\\1"),
)


def _allowed(tag: str, name: str, value: str) -> bool:
    if name in ("title", "align"):
        return tag in ("a", "abbr", "img", "td", "th")
    if tag == "img":
        return name == "alt" or (name == "src" and bool(PICTURE.fullmatch(value)))
    return tag == "a" and name == "href" and bool(LINK.match(value))


cleaner = Cleaner(tags=TAGS, attributes=_allowed, protocols={"http", "https", "mailto", "data"})


class Renderer(IPythonRenderer):
    """Puts headings two levels down, below the page's own; keeps our formulas and code from the cleaner."""

    def __init__(self, attachments: Mapping[str, Mapping[str, str]], escape: bool) -> None:
        safe = {name: safe_pictures(bundle) for name, bundle in attachments.items()}
        super().__init__(escape=escape, exclude_anchor_links=True, attachments={k: v for k, v in safe.items() if v})
        self.pieces: list[str] = []

    def keep(self, html: str) -> str:
        self.pieces.append(html)
        return f"\ue000{len(self.pieces) - 1}\ue001"

    def heading(self, text: str, level: int, **attributes: object) -> str:
        level = min(level + 2, 6)
        return f"<h{level}>{text}</h{level}>\n"

    def block_math(self, body: str) -> str:
        return self.keep(f'<div class="formula">{mathml(body, True)}</div>')

    def inline_math(self, body: str) -> str:
        return self.keep(mathml(body, False))

    def latex_environment(self, name: str, body: str) -> str:
        return self.block_math(f"\\begin{{{name}}}{body}\\end{{{name}}}")

    def block_code(self, code: str, info: str | None = None) -> str:
        python = (info or "").strip().lower() in ("python", "py", "python3", "ipython3")
        inner = str(code_to_html(code)) if python else escape(code)
        return self.keep(f"<pre><code>{inner}</code></pre>")


def prose_to_html(
    source: str, attachments: Mapping[str, Mapping[str, str]] | None = None, escape: bool = False
) -> Markup:
    """Markdown as safe HTML; Markdown that is too long or cannot be parsed is shown unrendered.

    ``escape``: tags in it are text.
    """
    renderer = Renderer(attachments or {}, escape)
    try:
        if len(source) > LONGEST_PROSE:
            raise ValueError("too long")
        html = cleaner.clean(MarkdownWithMath(renderer=renderer).render(source.translate(PRIVATE)))
    except Exception:  # the libraries raise various errors for missing attachments or deep nesting
        return Markup("<pre>{}</pre>").format(source)
    html = _with_alt_text(html).replace("<th>", '<th scope="col">')
    return Markup(PLACEHOLDER.sub(lambda match: renderer.pieces[int(match[1])], html))


def code_to_html(source: str) -> Markup:
    """Python with syntax highlighting; plain if too long."""
    return Markup(coloured(source) if len(source) <= LONGEST_CODE else escape(source))


@lru_cache(maxsize=4096)
def mathml(tex: str, block: bool) -> str:
    """A formula as a ``<math>`` element, on a line of its own if ``block``; never raises, whatever ``tex`` is.

    Browsers and screen readers support MathML natively; what docutils cannot convert is shown as TeX.
    """
    tex = tex.strip()
    try:
        if len(tex) > LONGEST_FORMULA:
            raise ValueError("too long")
        known = tex
        for pattern, equivalent in SIMPLER:
            known = pattern.sub(equivalent, known)
        element = latex2mathml.tex2mathml(known, as_block=block)
    except Exception:  # on hostile TeX the converter can raise anything, RecursionError included
        return f"<pre><code>{escape(tex)}</code></pre>" if block else f"<code>{escape(tex)}</code>"
    element = element.replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "")  # HTML does not need it
    return "".join(line.strip() for line in element.splitlines())


def _with_alt_text(html: str) -> str:
    """Give every picture an alternative text; remove external pictures."""
    first, *parts = html.split("<img")  # a pattern for whole tags takes quadratic time where they never close
    safe = [first]
    for part in parts:
        tag, end, rest = part.partition(">")
        if "src=" not in tag:
            safe.append(f"<em>(an external picture was left out)</em>{rest}")
        else:
            described = tag if "alt=" in tag else f' alt="picture without a description"{tag}'
            safe.append(f"<img{described}{end}{rest}")
    return "".join(safe)


def prepare(_: str) -> None:
    """Warm up: make the libraries compile what every text needs."""
    prose_to_html("# `x`\n\n$$\\frac{a}{b}$$\n\n```python\nx = 1\n```")


def answer(_: None, request: bytes) -> list[str]:
    """The HTML of pieces of a notebook; ``request`` has the kind, source and attachments of each."""
    makers = {
        "prose": prose_to_html,
        "comment": lambda source, _: prose_to_html(source, escape=True),
        "code": lambda source, _: code_to_html(source),
    }
    return [str(makers[kind](source, attachments)) for kind, source, attachments in json.loads(request)]

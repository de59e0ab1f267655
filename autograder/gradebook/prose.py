"""Markdown and code of a notebook → HTML in which text written by learners is only ever text."""

import re
from collections.abc import Mapping
from functools import lru_cache
from html import escape

from bleach.sanitizer import Cleaner
from markupsafe import Markup
from nbconvert.filters.markdown_mistune import IPythonRenderer, MarkdownWithMath
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer

from autograder.gradebook.formulas import mathml
from autograder.submissions.outputs import safe_pictures

TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "code", "del", "div", "em", "h3", "h4", "h5", "h6", "hr", "i"),
    *("img", "li", "ol", "p", "pre", "s", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "th"),
    *("thead", "tr", "u", "ul", "details", "summary", "dl", "dt", "dd"),
}
PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]+")
LINK = re.compile(r"https?://|mailto:", re.I)
# Markdown's rules take quadratic time on text that is made for it: longer cells are shown as they were written.
LONGEST_PROSE, LONGEST_CODE = 5_000, 20_000  # characters
LONGEST_KEPT = 4_000  # a class has most of its cells in common; what a learner adds shall not fill the memory
KEPT = re.compile("\ue000(\\d+)\ue001")  # stands for a piece that is HTML of ours already
PRIVATE = str.maketrans("", "", "\ue000\ue001")

light = HtmlFormatter(style="a11y-high-contrast-light", nowrap=True)
dark = HtmlFormatter(style="a11y-high-contrast-dark", nowrap=True)


def _allowed(tag: str, name: str, value: str) -> bool:
    if name in ("title", "align"):
        return tag in ("a", "abbr", "img", "td", "th")
    if tag == "img":
        return name == "alt" or (name == "src" and bool(PICTURE.fullmatch(value)))
    return tag == "a" and name == "href" and bool(LINK.match(value))


cleaner = Cleaner(tags=TAGS, attributes=_allowed, protocols={"http", "https", "mailto", "data"})


class Renderer(IPythonRenderer):
    """Headings two levels down, below the page's own; formulas and code kept from the cleaner as they are ours."""

    def __init__(self, attachments: Mapping[str, Mapping[str, str]]) -> None:
        safe = {name: safe_pictures(bundle) for name, bundle in attachments.items()}
        super().__init__(escape=False, exclude_anchor_links=True, attachments={k: v for k, v in safe.items() if v})
        self.kept: list[str] = []

    def keep(self, html: str) -> str:
        self.kept.append(html)
        return f"\ue000{len(self.kept) - 1}\ue001"

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


def prose_to_html(source: str, attachments: Mapping[str, Mapping[str, str]] | None = None) -> Markup:
    """Markdown as safe HTML; Markdown that cannot be read is shown as it was written."""
    if len(source) > LONGEST_PROSE:
        return as_written(source)
    return _render(source, attachments or {}) if attachments or len(source) > LONGEST_KEPT else _kept_prose(source)


def code_to_html(source: str) -> Markup:
    """Python with its syntax marked; text too long to be worth it stays plain."""
    if len(source) > LONGEST_CODE:
        return Markup("{}").format(source)
    return _highlight(source) if len(source) > LONGEST_KEPT else _kept_code(source)


def as_written(source: str) -> Markup:
    """Text of any kind, as nothing but text."""
    return Markup("<pre>{}</pre>").format(source)


def _render(source: str, attachments: Mapping[str, Mapping[str, str]]) -> Markup:
    renderer = Renderer(attachments)
    try:
        html = cleaner.clean(MarkdownWithMath(renderer=renderer).render(source.translate(PRIVATE)))
    except Exception:  # a missing attachment, nesting without end: what the libraries raise there is not fixed
        return as_written(source)
    html = re.sub(r"<img(?![^>]*\bsrc=)[^>]*>", "<em>(a picture from elsewhere was left out)</em>", html)
    html = re.sub(r"<img(?![^>]*\balt=)", '<img alt="picture without a description"', html)
    html = html.replace("<th>", '<th scope="col">')
    return Markup(KEPT.sub(lambda found: renderer.kept[int(found[1])], html))


def _highlight(source: str) -> Markup:
    return Markup(highlight(source, PythonLexer(stripnl=False), light).rstrip("\n"))


@lru_cache(maxsize=512)
def _kept_prose(source: str) -> Markup:
    return _render(source, {})


@lru_cache(maxsize=512)
def _kept_code(source: str) -> Markup:
    return _highlight(source)

"""Python syntax highlighting: a CSS class per colour, none for black, which is half of every page."""

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from pygments.styles import get_style_by_name
from pygments.token import STANDARD_TYPES, Name, Operator, _TokenType

STYLES = [get_style_by_name(f"a11y-high-contrast-{kind}") for kind in ("light", "dark")]


def _colours(token: _TokenType) -> tuple[str, ...]:
    return tuple(style.style_for_token(token)["color"] or "" for style in STYLES)


BLACK = {_colours(Name), ("", "")}
COLOURS = sorted({_colours(token) for token in STANDARD_TYPES} - BLACK)
CLASSES = {pair: chr(ord("a") + number) for number, pair in enumerate(COLOURS)}


class _Formatter(HtmlFormatter):
    def _get_css_classes(self, token: _TokenType) -> str:
        return "" if token is Operator else CLASSES.get(_colours(token), "")


FORMATTER = _Formatter(nowrap=True)


def coloured(source: str) -> str:
    """The source as HTML; never raises, even for invalid Python."""
    return highlight(source, PythonLexer(stripnl=False), FORMATTER).rstrip("\n")


def rules() -> str:
    """The style sheet for light and dark pages."""
    light, dark = (
        "\n".join(f"code .{name} {{ color: #{pair[which]} }}" for pair, name in CLASSES.items()) for which in (0, 1)
    )
    return f"{light}\n@media (prefers-color-scheme: dark) {{\n{dark}\n}}\n"

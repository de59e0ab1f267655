"""One HTML file with trained models and all that runs them, to open from disk or to send to somebody."""

from collections.abc import Sequence
from html import escape
from pathlib import Path
from string import Template

from seq2seq.live import bundle
from seq2seq.live.packing import Packed

TEMPLATE = Path(__file__).parent / "page.html"


def page(models: Sequence[Packed], title: str, introduction: str, sentence: str) -> str:
    """The text of a page on which these models, side by side, translate what its reader types.

    It begins with ``sentence``, and loads nothing from elsewhere.

    Raises:
        ValueError: there are no models.
    """
    if not models:
        raise ValueError("models: got none, expected one at least.")
    names = [f"model{number}" for number in range(len(models))]
    scripts = [model.script(name) for name, model in zip(names, models, strict=True)]
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        title=escape(title),
        introduction=escape(introduction),
        sentence=escape(sentence),
        names=" ".join(names),
        models="".join(scripts).replace("<", "\\x3c"),  # all stand in quotes; "</script" would end the script
        script=bundle.script(),
        style=bundle.style(),
    )

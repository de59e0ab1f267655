"""What every widget shares: its script and its looks are joined from files beside this one, and text stands in for it.

``common.js`` and ``common.css`` are the shared part; a widget's own part is ``<name>.js`` and, if it needs one,
``<name>.css``.
The script has no imports: it must run from a page on disk.
"""

from pathlib import Path
from typing import Any

import anywidget
import traitlets

HERE = Path(__file__).parent


class Widget(anywidget.AnyWidget):
    """A widget whose script is named by its class: ``class Player(Widget, script="player")``.

    ``label`` is the name by which assistive technology calls the whole; :meth:`text` is what stands where no widget
    can be shown, so say in it what the picture says at first.
    """

    label = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, script: str = "", **options: Any) -> None:
        if script:  # anywidget makes a nameless subclass of each widget's class, which has its script already
            cls._esm = _joined("js", script)
            cls._css = _joined("css", script)
        super().__init_subclass__(**options)

    def text(self) -> str:
        return self.label

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**options)
        if bundle is not None:
            bundle[0]["text/plain"] = self.text()
        return bundle


def _joined(kind: str, name: str) -> str:
    """The shared part and the widget's own, in this order; a widget needs no style sheet of its own."""
    parts = [HERE / f"common.{kind}", HERE / f"{name}.{kind}"]
    if kind == "js" and not parts[1].is_file():
        raise FileNotFoundError(f"script: got {name!r}, expected the name of a file {parts[1]}.")
    return "\n".join(part.read_text(encoding="utf-8") for part in parts if part.is_file())

"""The base class of all widgets: joins script and style from files beside this one, and provides text as a fallback.

The scripts of ``SHARED``, ``pictures.js``, ``frame.js`` and ``common.css`` are shared by all; a widget's own part is
``<name>.js`` and, if it needs one, ``<name>.css``.
The script has no imports, so that it runs from a page on disk.
"""

from typing import Any

import anywidget
import traitlets

from seq2seq.widgets import FOLDER, SHARED

BEFORE = {"js": (*SHARED, "pictures", "frame"), "css": ("common",)}  # what a widget's own part follows


class Widget(anywidget.AnyWidget):
    """A widget whose script is named by its class: ``class Player(Widget, script="player")``.

    ``label`` is the widget's accessible name; :meth:`text` is shown where no widget can be, so it should say what the
    initial picture says.
    """

    label = traitlets.Unicode().tag(sync=True)

    def __init_subclass__(cls, script: str = "", **options: Any) -> None:
        if script:  # anywidget subclasses each widget's class without a script; the subclass inherits it
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
    """The shared parts and the widget's own, in this order; a style sheet of its own is optional."""
    parts = [FOLDER / f"{part}.{kind}" for part in (*BEFORE[kind], name)]
    if kind == "js" and not parts[-1].is_file():
        raise FileNotFoundError(f"script: got {name!r}, expected the name of a file {parts[-1]}.")
    return "\n".join(part.read_text(encoding="utf-8") for part in parts if part.is_file())

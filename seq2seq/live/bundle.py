"""The script and the style of live translations, joined from the files beside this one and what all widgets share."""

import json
from pathlib import Path

from seq2seq.live.examples import EXAMPLES, GROWING
from seq2seq.widgets import FOLDER as WIDGETS
from seq2seq.widgets import SHARED

FOLDER = Path(__file__).parent
PARTS = (
    *("messages", "unpacking", "engine", "search", "entry", "near_words", "field", "remarks"),
    *("search_row", "weights_table", "step_view", "panel", "translation", "live"),
)


def script() -> str:
    """One script without imports, so that a page on disk can load it; its names stay its own."""
    parts = [*(WIDGETS / f"{part}.js" for part in SHARED), *(FOLDER / f"{part}.js" for part in PARTS)]
    lists = {"EXAMPLES": EXAMPLES, "GROWING": GROWING}
    sentences = [f"const {name} = {json.dumps(pairs, ensure_ascii=False)};" for name, pairs in lists.items()]
    texts = [*sentences, *(part.read_text(encoding="utf-8") for part in parts)]
    return "\n".join(["(() => {", '"use strict";', *texts, "})();", ""])


def style() -> str:
    return "\n".join(part.read_text(encoding="utf-8") for part in (WIDGETS / "common.css", FOLDER / "live.css"))


def write(folder: Path) -> None:
    """``live.js``, ``live.css``, and ``start.js``, which adds the other two to a page when they are needed."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "live.js").write_text(script(), encoding="utf-8")
    (folder / "live.css").write_text(style(), encoding="utf-8")
    (folder / "start.js").write_text((FOLDER / "start.js").read_text(encoding="utf-8"), encoding="utf-8")

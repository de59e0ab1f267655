"""Pages with nothing but interactive figures: no theme, no text, no formulas, so that a visit is short.

A chapter's figures stand in such a page as the book's build wrote them, with the chapter's own values; scripts and
styles are those of the working tree.
"""

import json
import re
import shutil
from pathlib import Path

from traitlets import import_item
from visits import HTML, ROOT

from seq2seq.live import bundle

STATIC = ROOT / "book" / "_static"
STATES = re.compile(r'<script type="application/vnd.jupyter.widget-state\+json">(.*?)</script>', re.DOTALL)
VIEW = r'<script type="application/vnd.jupyter.widget-view\+json">.*?</script>'
FIGURES = re.compile(rf'<figure class="interactive.*?</figure>|{VIEW}', re.DOTALL)
PAGE = """<!doctype html>
<html lang="en" data-theme="light" data-mode="auto">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Figures</title>
<link rel="stylesheet" href="course.css">
<link rel="stylesheet" href="wiring.css">
<style>
  body {{ margin: 0; color: var(--pst-color-text-base); background: var(--pst-color-background); }}
  main {{ max-width: 42rem; margin: 0 auto; padding: 1rem 1.15rem; }}
  figure {{ margin: 1rem 0; }}
</style>
<script>
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
</script>
{scripts}
</head>
<body><main class="bd-article"><h1>Figures</h1>
{figures}
</main></body></html>
"""


def write_figures(folder: Path, name: str) -> Path:
    """A page with all widgets and wirings of a built chapter."""
    chapter = (HTML / f"{name}.html").read_text(encoding="utf-8")
    states = [
        f'<script type="application/vnd.jupyter.widget-state+json">{with_current_scripts(states)}</script>'
        for states in STATES.findall(chapter)
    ]
    figures = [figure for figure in FIGURES.findall(chapter) if "<live-translation" not in figure]
    scripts = ['<script src="widgets.js"></script>', '<script defer src="wiring.js"></script>']
    return _write(folder, f"{Path(name).name}.html", [*states, *scripts], figures)


def write_live(folder: Path, *models: str, above: int = 0, sentence: str = "the old cat sleeps") -> Path:
    """A page with a live translation of these models, ``above`` pixels down."""
    live = folder / "live"
    if not live.exists():
        bundle.write(live)
        for model in (STATIC / "live").glob("*.js"):
            shutil.copy(model, live)
    element = f'<live-translation models="{" ".join(models)}" sentence="{sentence}"><p>Not yet.</p></live-translation>'
    figures = [f'<div style="height: {above}px"></div>', element]
    return _write(folder, f"{'-'.join(models)}-{above}.html", ['<script defer src="live/start.js"></script>'], figures)


def with_current_scripts(states: str) -> str:
    document = json.loads(states)
    for model in document["state"].values():
        if name := model["state"].get("_anywidget_id"):
            widget = import_item(name)
            model["state"] |= {"_esm": widget._esm, "_css": widget._css}
    return json.dumps(document).replace("</", "<\\/")


def _write(folder: Path, name: str, scripts: list[str], figures: list[str]) -> Path:
    beside = (STATIC / file for file in ("course.css", "wiring.css", "widgets.js", "wiring.js"))
    for target in (*beside, HTML / "_static" / "vendor"):
        if not (folder / target.name).is_symlink():
            (folder / target.name).symlink_to(target)
    page = folder / name
    page.write_text(PAGE.format(scripts="\n".join(scripts), figures="\n".join(figures)), encoding="utf-8")
    return page

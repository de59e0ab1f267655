"""A page of its own for live translations: the book's colours, the scripts and the committed models, read from disk."""

import shutil
from pathlib import Path

from visits import ROOT

from seq2seq.live import bundle

FOLDER = ROOT / "book" / "_static" / "live"
PAGE = """<!doctype html>
<html lang="en" data-theme="light" data-mode="auto">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>Live translations</title>
<link rel="stylesheet" href="course.css">
<style>
  body {{ margin: 0; color: var(--pst-color-text-base); background: var(--pst-color-background); }}
  main {{ max-width: 42rem; margin: 0 auto; padding: 1rem 1.15rem; }}
</style>
<script defer src="live/start.js"></script>
<script>
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
</script>
</head>
<body><main class="bd-article"><h1>Live translations</h1>
{content}
</main></body></html>
"""


def write_page(folder: Path, *models: str, above: int = 0, sentence: str = "the old cat sleeps") -> Path:
    """A page with a live translation of these models, ``above`` pixels down."""
    live = folder / "live"
    bundle.write(live)
    for model in FOLDER.glob("*.js"):
        if not (live / model.name).exists():
            shutil.copy(model, live)
    style = (ROOT / "book" / "_static" / "course.css").read_text(encoding="utf-8")
    own = [line for line in style.splitlines() if not line.startswith("@font-face")]  # the type is not vendored here
    (folder / "course.css").write_text("\n".join(own), encoding="utf-8")
    element = f'<live-translation models="{" ".join(models)}" sentence="{sentence}"><p>Not yet.</p></live-translation>'
    page = folder / f"{'-'.join(models)}-{above}.html"
    page.write_text(PAGE.format(content=f'<div style="height: {above}px"></div>\n{element}'), encoding="utf-8")
    return page

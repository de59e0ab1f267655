"""What comes before the printed book: its cover, from CITATION.cff and a trained model, and the names of its parts."""

import subprocess
from datetime import date
from html import escape
from pathlib import Path

import yaml
from matplotlib import pyplot as plt

from book import figures
from book.card import draw_weights

ROOT = Path(__file__).resolve().parents[1]
ALT = "Attention weights of a trained model: each word of a French translation looks at the English words it renders."


def changed() -> date | None:
    """The day of the last commit; None where the project is no git repository."""
    command = ["git", "log", "-1", "--format=%cs"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return date.fromisoformat(done.stdout.strip()) if done.returncode == 0 and done.stdout.strip() else None


def cover() -> str:
    """The cover as HTML."""
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    title, _, subtitle = cited["title"].partition(": ")
    day = changed()
    lines = [
        " and ".join(author["name"] for author in cited["authors"]),
        f"Version {cited['version']}" + (f", {day.day} {day:%B %Y}" if day else ""),
        f"{cited['license']} licence",
    ]
    figures.use_style()
    figure, axes = plt.subplots(figsize=(5.4, 4.8))
    draw_weights(axes, 11)
    picture = figures.svg(figure, ALT)
    plt.close(figure)
    return (
        f'<div class="print-cover"><p class="print-title">{escape(title)}</p>'
        f'<p class="print-subtitle">{escape(subtitle[:1].upper() + subtitle[1:])}</p>{picture}'
        f'<p class="print-edition">{"<br>".join(map(escape, lines))}</p></div>'
    )

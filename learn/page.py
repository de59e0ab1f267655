"""The learner's progress as one HTML page, with a card to print: no script, nothing loaded from elsewhere."""

from collections.abc import Sequence
from datetime import date
from html import escape

from autograder.progress.overview import SIGNS, number
from learn.results import Results

STYLE = """
:root { color-scheme: light dark; --line: #8a93a3; --done: #0b6e4f; }
@media (prefers-color-scheme: dark) { :root { --done: #5fd3a8; } }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
.card { border: 1px solid var(--line); border-radius: .6rem; padding: .2rem 1.2rem; margin: 1rem 0; }
.card { break-inside: avoid; }
.track { height: .5rem; border: 1px solid var(--line); border-radius: .3rem; overflow: hidden; }
.fill { height: 100%; background: var(--done); print-color-adjust: exact; }
ul { list-style: none; padding: 0; }
@media print { body { margin: 0; } }
"""


def page(rows: Sequence[tuple[str, Results | None]]) -> str:
    """``rows``: the title of each exercise, and its results if it was begun."""
    begun = [results for _, results in rows if results]
    points, most = sum(results.points for results in begun), sum(results.max_points for results in begun)
    done = sum(results.done == len(results.tasks) for results in begun)
    summary = (
        f"{done} of {len(rows)} exercises done, {len(begun)} begun, {number(points)} of {number(most)} points in these"
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>My progress in Learning to Align</title><style>{STYLE}</style></head><body><main>"
        f"<h1>My progress in <i>Learning to Align</i></h1>"
        f'<section class="card" aria-label="Summary"><p><strong>{summary}.</strong></p>'
        f"<p>{date.today():%d %B %Y}. Points that hidden checks and people give are not counted here.</p></section>"
        f"{''.join(_exercise(title, results) for title, results in rows)}</main></body></html>\n"
    )


def _exercise(title: str, results: Results | None) -> str:
    if results is None:
        return f'<section class="card"><h2>{escape(title)}</h2><p>Not begun.</p></section>'
    count = len(results.tasks)
    items = "".join(
        f'<li><span aria-hidden="true">{SIGNS[task.state]}</span> {escape(task.line)}</li>' for task in results.tasks
    )
    return (
        f'<section class="card"><h2>{escape(title)}</h2>'
        f'<div class="track" role="progressbar" aria-label="Tasks done" aria-valuemin="0" aria-valuemax="{count}" '
        f'aria-valuenow="{results.done}"><div class="fill" style="width:{100 * results.done / count:.0f}%"></div></div>'
        f"<p>{results.summary}. {escape(results.next)}</p><ul>{items}</ul></section>"
    )

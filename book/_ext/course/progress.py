"""``{progress}``: a row for each chapter with what the reader has done; ``progress.js`` fills it in the browser."""

from html import escape
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from book.contents import parts
from book.prose import PREDICTION
from course.coverage import TITLE
from course.exercises import every

UNKEPT = (  # shown until progress.js runs, and by it where the browser refuses it a database
    "Nothing can be noted here: this browser runs no JavaScript, or it lets the page keep no data, "
    "as in some private windows. You can read and answer all the same."
)
EMPTY = '<td class="progress-unknown">–</td>'


class Progress(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        root = Path(self.env.srcdir)
        exercises = {f"{exercise.number:02}": exercise for exercise in every(root).values()}
        rows = []
        for part in ("The short way", "Further", "Studies"):
            rows.append(f'<tr><th colspan="4" scope="rowgroup">{part}</th></tr>')
            for page in parts()[part]:
                path = root / f"{page}.md"
                self.env.note_dependency(str(path))
                rows.append(_row(page, path.read_text(encoding="utf-8"), exercises))
        table = (
            '<table class="table progress-table"><thead><tr><th scope="col">chapter</th><th scope="col">read</th>'
            '<th scope="col">questions</th><th scope="col">exercise</th></tr></thead>'
            f"<tbody>{''.join(rows)}</tbody></table>"
        )
        unkept = f'<p role="status" data-progress-unkept>{UNKEPT}</p>'
        return [nodes.raw("", f'{unkept}<div class="progress-page" data-course-progress>{table}</div>', format="html")]


def _row(page: str, text: str, exercises: dict) -> str:
    name = page.rpartition("/")[2]
    title = next(match[2] for match in map(TITLE.match, text.splitlines()) if match)
    labels = " ".join(label for _, label in PREDICTION.findall(text))
    exercise = exercises.get(name.partition("_")[0])
    cells = f'<td data-read="{name}"></td>' + (f'<td data-questions="{labels}"></td>' if labels else EMPTY)
    cells += f'<td data-exercise="{exercise.name}"></td>' if exercise else EMPTY
    return f'<tr><th scope="row"><a href="{name}.html">{escape(title)}</a></th>{cells}</tr>'


def setup(app: Sphinx) -> None:
    app.add_directive("progress", Progress)

"""``{coverage}``: each point taught with its page, exercise and check, from ``coverage.yml``.

``{coverage} 05_scorers`` inserts a chapter's table, ``{coverage} misconceptions`` that of the misconceptions.
"""

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml
from docutils import nodes
from myst_parser.mdit_to_docutils.base import default_slugify
from sphinx.application import Sphinx

from course.exercises import Exercise, FromMarkdown, every

DATA = Path("book/coverage.yml")
KINDS = {"taught": "Taught", "shown": "Shown", "built": "Built", "misconceptions": "Often said"}
FIELDS = {"point", "at", "figure", "asked", "held"}
FENCE = re.compile(r"^\s*(`{3,}|:{3,})")
TITLE = re.compile(r"^(#{1,4}) (.+)$")
LABEL = re.compile(r"^(?::(?:name|label):|\s+name:) ([\w-]+)$", re.MULTILINE)
QUESTION = re.compile(r"^`{3,}\{(?:exercise|predict)\} (.+)\n:label: ([\w-]+)$", re.MULTILINE)


class CoverageError(ValueError):
    """The data names something that does not exist, or is incomplete; the message says where."""


@dataclass(frozen=True)
class Row:
    """One point: where it is taught, which exercises ask for it, and which tests check it."""

    kind: str
    point: str
    at: tuple[tuple[str, str], ...]  # page, heading
    figures: tuple[str, ...]
    tasks: tuple[tuple[str, str], ...]  # exercise, grade id
    questions: tuple[str, ...]  # labels of self-check questions
    tests: tuple[tuple[str, str], ...]  # file below tests/, function
    guarded: bool


@dataclass(frozen=True)
class Group:
    """The rows of one page or of the misconceptions."""

    name: str
    exercise: str
    rows: tuple[Row, ...]


class Page:
    """The headings, labels and questions in a chapter's source."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text(encoding="utf-8")

    @cached_property
    def sections(self) -> dict[str, str]:
        """Heading → the text below it, up to the next heading of any level."""
        texts: dict[str, list[str]] = {}
        lines: list[str] = []
        fence = ""
        for line in self.text.splitlines():
            match = FENCE.match(line)
            if match and not fence:
                fence = match[1]
            elif match and line.strip() == fence:
                fence = ""
            if not fence and (title := TITLE.match(line)):
                lines = texts[title[2]] = []
            else:
                lines.append(line)
        return {title: "\n".join(text) for title, text in texts.items()}

    @cached_property
    def labels(self) -> set[str]:
        return set(LABEL.findall(self.text))

    @cached_property
    def questions(self) -> dict[str, str]:
        """Label → title of each self-check question."""
        return {label: title for title, label in QUESTION.findall(self.text)}


def pages(root: Path) -> dict[str, Page]:
    """The book's pages by name, without AUTHORING.md."""
    return {path.stem: Page(path) for path in sorted((root / "book").glob("*.md")) if path.stem != "AUTHORING"}


def groups(root: Path) -> dict[str, Group]:
    """The data, by the directive's argument."""
    by_name = {}
    for entry in yaml.safe_load((root / DATA).read_text(encoding="utf-8")):
        page, exercise = entry.pop("page", ""), entry.pop("exercise", "")
        kinds = {kind: rows for kind, rows in entry.items() if kind in KINDS}
        if kinds != entry or not kinds:
            raise CoverageError(f"{DATA}: {page} has {sorted(entry)}, expected some of {', '.join(KINDS)}.")
        rows = (_row(page, exercise, kind, fields) for kind, several in kinds.items() for fields in several)
        name = page or "misconceptions"
        by_name[name] = Group(name, exercise, tuple(rows))
    return by_name


def _row(page: str, exercise: str, kind: str, fields: dict[str, Any]) -> Row:
    if not {"point", "at", "asked"} <= set(fields) <= FIELDS:
        raise CoverageError(f"{DATA}: {page}: {fields.get('point')!r} has the fields {sorted(fields)}.")
    asked = _several(fields["asked"])
    held = _several(fields.get("held"))
    return Row(
        kind,
        fields["point"],
        tuple(_placed(place, page) for place in _several(fields["at"])),
        _several(fields.get("figure")),
        tuple(_placed(name, exercise) for name in asked if not name.startswith("ex-")),
        tuple(name for name in asked if name.startswith("ex-")),
        tuple((name.partition("::")[0], name.partition("::")[2]) for name in held if name != "guard"),
        "guard" in held,
    )


def _several(value: str | list[str] | None) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value or ())


def _placed(name: str, here: str) -> tuple[str, str]:
    place, slash, rest = name.partition("/")
    return (place, rest) if slash else (here, name)


class Coverage(FromMarkdown):
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        try:
            group = groups(self.root)[self.arguments[0]]
            text = table(group, pages(self.root), every(self.root))
        except (CoverageError, KeyError) as error:
            return [self.state.document.reporter.error(f"coverage: {error}", line=self.lineno)]
        written = self.written(text, [self.root / DATA, *self.scripts, *(self.root / "book").glob("*_*.md")])
        for box in written:
            for literal in box.findall(nodes.literal):
                breakable(literal)
        return written


def table(group: Group, pages: dict[str, Page], exercises: dict[str, Exercise]) -> str:
    lines = [":::{table}", ":class: coverage", "", "| what | page | exercise | check |", "|---|---|---|---|"]
    for row in group.rows:
        cells = (f"**{KINDS[row.kind]}:** {row.point}", where(row, group), asked(row, group, pages, exercises))
        lines.append("| " + " | ".join([*cells, held(row, exercises)]) + " |")
    return "\n".join([*lines, ":::"])


def where(row: Row, group: Group) -> str:
    links = []
    for page, heading in row.at:
        number = f"{page.split('_')[0].lstrip('0')}: " if page != group.name and "_" in page else ""
        links.append(f"{number}[{heading}]({page}.md#{default_slugify(heading)})")
    return ", ".join([*links, *(f"{{numref}}`{label}`" for label in row.figures)])


def asked(row: Row, group: Group, pages: dict[str, Page], exercises: dict[str, Exercise]) -> str:
    parts = []
    for name, task in row.tasks:
        title, prefix = exercises[name].tasks[task].title, f"exercise {exercises[name].number}, "
        parts.append(f"{'' if name == group.exercise else prefix}{lowered(title)}")
        parts[-1] += f" (`{task}`)" if exercises[name].tasks[task].in_words else ""
    for label in row.questions:
        [title] = [page.questions[label] for page in pages.values() if label in page.questions]
        parts.append(f"self-check [{title}](#{label})")
    return "; ".join(parts)


def lowered(title: str) -> str:
    return title[0].lower() + title[1:]


def held(row: Row, exercises: dict[str, Exercise]) -> str:
    checks = [check for name, task in row.tasks for check in exercises[name].tasks[task].checks]
    holders = [f"`{check}`" for check in dict.fromkeys(checks)]
    holders += [f"`{name}` in `tests/{file}`" for file, name in row.tests]
    holders += ["a guard of the page"] if row.guarded else []
    by_hand = any(exercises[name].tasks[task].in_words for name, task in row.tasks)
    return "; ".join([*holders, "a person, by the rubric"] if by_hand else holders)


def breakable(literal: nodes.literal) -> None:
    """Allows line breaks in long names after a dot, a slash or an underscore."""
    parts = re.split(r"(?<=[._/])(?=\w)", literal.astext())
    literal.clear()
    for place, part in enumerate(parts):
        literal += [nodes.raw("", "<wbr>", format="html")] if place else []
        literal += nodes.Text(part)


def setup(app: Sphinx) -> None:
    app.add_directive("coverage", Coverage)

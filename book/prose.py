"""How much there is to read: ``python -m book.prose`` counts the words of each page and part.

Prose is what stands outside code, formulas, tables and folded answers; headings and captions belong to it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from book.contents import ROOT, parts

BOOK = ROOT / "book"
WORDS, LINES, EQUATION, FIGURE = 180, 12, 1.5, 1.0  # a minute; a minute; minutes; minutes

NO_PROSE = "code-cell|code-block|source|math|eval-rst|references|bibliography|toctree|raw"
FENCE = r"^ *(`{{3,}}|:{{3,}}|~{{3,}}){}.*?^ *\1$"
SILENT = (
    re.compile(r"\A---\n.*?^---$", re.MULTILINE | re.DOTALL),
    re.compile(FENCE.format(rf"(?: *\{{(?:{NO_PROSE})\}}|\w)"), re.MULTILINE | re.DOTALL),
    re.compile(r"^ *\$\$.*?\$\$.*?$", re.MULTILINE | re.DOTALL),
    re.compile(r"^ *(?::[\w-]+:|%|<!--|\(sec-|\+\+\+).*$", re.MULTILINE),  # options, comments, targets, breaks
    re.compile(r"^ *(?:`{3,}|:{3,}|~{3,}) *(?:\{[\w-]+\})?", re.MULTILINE),  # of a box, whose title stays
)
ANSWER = re.compile(FENCE.format(r" *\{solution\}"), re.MULTILINE | re.DOTALL)
QUESTION = re.compile(FENCE.format(r" *\{predict\}"), re.MULTILINE | re.DOTALL)
PREDICTION = re.compile(r"^`{3,}\{predict\} (.+)\n:label: ([\w-]+)$", re.MULTILINE)  # title, label
REASON = re.compile(r"^  .*$", re.MULTILINE)  # why an option is right or wrong
INLINE = (
    re.compile(r"`{2,}.+?`{2,}"),
    re.compile(r"\{[\w:-]+\}`[^`]*`"),  # a role with its text
    re.compile(r"`[^`]*`"),
    re.compile(r"\$[^$]+\$"),
    re.compile(r"(?<=\])\([^)\s]*\)"),  # the address of a link; its words stay
    re.compile(r"<https?://[^>]*>"),
)
WORD = re.compile(r"[\w¤][\w¤’'-]*")
CAPTION = re.compile(r"^( +)caption: \|\n((?:\1 +.*\n)+)", re.MULTILINE)  # of a figure
ALT = re.compile(r'\balt=((?:\s*f?"[^"\n]*")+)')  # what a figure shows, in words
CELL = re.compile(r"^```\{code-cell\}[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
UNSEEN = re.compile(r"^:?tags: .*(?:remove|hide)-", re.MULTILINE)
LISTING = re.compile(r"^`{3,}\{source\} ", re.MULTILINE)
EXERCISE = re.compile(r"^```\{assignment\} (\w+)$", re.MULTILINE)
ON_THE_WAY = re.compile(r"on the short way (tasks?[\s#\d,and]+) alone,[\s#]+(\d+) minutes")
LABELLED = re.compile(r"^ *\$\$ \(eq-", re.MULTILINE)
DRAWN = re.compile(r"^ +name: fig-|^```\{(?:live-translation|wiring)\}", re.MULTILINE)


@dataclass(frozen=True)
class Line:
    path: Path
    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.path.name}:{self.number}: {self.text.strip()[:140]}"

    @property
    def bare(self) -> str:
        """The line without code, formulas and roles, each of which leaves one mark."""
        text = self.text
        for pattern in INLINE:
            text = pattern.sub("¤", text)
        return text


def pages() -> list[Path]:
    return sorted(path for path in BOOK.glob("*.md") if path.stem != "AUTHORING")


def lines(path: Path, folded: bool = True) -> Iterator[Line]:
    """Every line of prose, rows of tables included; ``folded``: what is folded, too."""
    text = path.read_text(encoding="utf-8")
    if not folded:
        text = QUESTION.sub(lambda match: REASON.sub("", match[0]), ANSWER.sub(_emptied, text))
    for pattern in SILENT:
        text = pattern.sub(_emptied, text)
    yield from (Line(path, number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())


def captions(path: Path) -> Iterator[Line]:
    """Every line of a figure's caption, which stands in the head of its cell, and what its cell says in words."""
    text = path.read_text(encoding="utf-8")
    for caption in CAPTION.finditer(text):
        first = text.count("\n", 0, caption.start(2)) + 1
        yield from (Line(path, number, line) for number, line in enumerate(caption[2].splitlines(), first))
    for alt in ALT.finditer(text):
        yield Line(path, text.count("\n", 0, alt.start()) + 1, "".join(re.findall(r'"([^"]*)"', alt[1])))


def _emptied(match: re.Match[str]) -> str:
    return "\n" * match[0].count("\n")


@dataclass(frozen=True)
class Reading:
    """What a page asks of its reader."""

    path: Path

    @cached_property
    def words(self) -> int:
        prose = (line for line in lines(self.path, folded=False) if not line.text.lstrip().startswith("|"))
        return sum(len(WORD.findall(line.bare)) for line in prose)

    @property
    def minutes(self) -> int:
        """Rounded up to five."""
        return 5 * -int(-self.estimate // 5)

    @cached_property
    def exercise(self) -> tuple[str, int]:
        """The tasks of the page's exercise that belong to the short way, as the exercise says, and their minutes."""
        name = EXERCISE.search(self.path.read_text(encoding="utf-8"))
        script = (ROOT / "solutions" / f"{name[1]}.py").read_text(encoding="utf-8") if name else ""
        stated = ON_THE_WAY.search(script)
        return (re.sub(r"[\s#]+", " ", stated[1]), int(stated[2])) if stated else ("", 0)

    @cached_property
    def estimate(self) -> float:
        """Minutes for words, lines of code in sight, equations with a number, figures."""
        text = self.path.read_text(encoding="utf-8")
        seen = [cell for cell in CELL.findall(text) if not UNSEEN.search(cell)]
        code = sum(len(cell.split("\n")) for cell in seen) / LINES + len(LISTING.findall(text))
        drawn = EQUATION * len(LABELLED.findall(text)) + FIGURE * len(DRAWN.findall(text))
        return self.words / WORDS + code + drawn


def time(readings: Iterable[Reading]) -> tuple[float, int]:
    """The minutes that pages and the tasks of the short way on them take."""
    pages = list(readings)
    return sum(page.estimate for page in pages), sum(page.exercise[1] for page in pages)


def main() -> None:
    total = 0
    for part, files in parts().items():
        readings = {file: Reading(ROOT / f"{file}.md") for file in files}
        for file, reading in readings.items():
            print(f"  {Path(file).name:24} {reading.words:7,} words {reading.minutes:5} minutes")
        words = sum(reading.words for reading in readings.values())
        minutes, practice = time(readings.values())
        tasks = f", and {practice} for tasks" if practice else ""
        print(f"{part or 'The front page':26} {words:7,} words {minutes:5.0f} minutes{tasks}\n")
        total += words
    print(f"{'All':26} {total:7,} words")


if __name__ == "__main__":
    main()

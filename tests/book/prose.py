"""The prose of a page: its lines without code, formulas, options of directives, and the head of the file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"

NO_PROSE = "code-cell|code-block|source|math|eval-rst|references|bibliography|toctree|raw"
SILENT = (
    re.compile(r"\A---\n.*?^---$", re.MULTILINE | re.DOTALL),
    re.compile(rf"^ *(`{{3,}}|:{{3,}}|~{{3,}})(?: *\{{(?:{NO_PROSE})\}}|\w).*?^ *\1$", re.MULTILINE | re.DOTALL),
    re.compile(r"^ *\$\$.*?\$\$.*?$", re.MULTILINE | re.DOTALL),
    re.compile(r"^ *(?::[\w-]+:|%|<!--|\(sec-|\+\+\+).*$", re.MULTILINE),  # options, comments, targets, breaks
    re.compile(r"^ *(?:`{3,}|:{3,}|~{3,}) *(?:\{[\w-]+\})?", re.MULTILINE),  # of a box, whose title stays
)
INLINE = (
    re.compile(r"`{2,}.+?`{2,}"),
    re.compile(r"\{[\w:-]+\}`[^`]*`"),  # a role with its text
    re.compile(r"`[^`]*`"),
    re.compile(r"\$[^$]+\$"),
    re.compile(r"(?<=\])\([^)\s]*\)"),  # the address of a link; its words stay
    re.compile(r"<https?://[^>]*>"),
)


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


def lines(path: Path) -> Iterator[Line]:
    """Every line of prose, table rows included."""
    text = path.read_text(encoding="utf-8")
    for pattern in SILENT:
        text = pattern.sub(lambda match: "\n" * match[0].count("\n"), text)
    yield from (Line(path, number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip())

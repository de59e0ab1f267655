"""The prose of a page: its lines without code, formulas, options of directives, and the head of the file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BOOK = ROOT / "book"

FENCE = re.compile(r"^\s*(`{3,}|:{3,}|~{3,})\s*(?:\{([\w-]+)\})?([^`]*)$")
NO_PROSE = {"code-cell", "code-block", "source", "math", "eval-rst", "references", "bibliography", "toctree", "raw"}
OPTION = re.compile(r"^\s*:[\w-]+:")
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
    text = path.read_text(encoding="utf-8").splitlines()
    start = text.index("---", 1) + 1 if text[0] == "---" else 0
    fences: list[tuple[str, bool]] = []
    formula = options = False
    for number, line in enumerate(text[start:], start + 1):
        silent = any(skip for _, skip in fences)
        match = FENCE.match(line)
        if match and fences and match[1].startswith(fences[-1][0]) and not match[2] and not match[3].strip():
            fences.pop()
            options = False
        elif match and not silent:
            fences.append((match[1], (match[2] is None) or match[2] in NO_PROSE))
            options = True
            if match[2] and match[2] not in NO_PROSE and match[3].strip():
                yield Line(path, number, match[3].strip())
        elif silent:
            continue
        elif line.strip().startswith("$$") or formula:
            ends = line.count("$$")
            formula = (formula and not ends) or (not formula and ends == 1)
        elif options and OPTION.match(line):
            continue
        elif line.strip() and not line.lstrip().startswith(("%", "<!--", "(sec-", "+++")):
            options = False
            yield Line(path, number, line)

"""Small random changes of the project's own code: which of them do its tests notice?

A mutant replaces one node of the syntax tree in the text of a file, whose comments and layout stay as they are.
"""

import ast
import json
import random
import textwrap
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from autograder.checking.changes import Change, changes

FOLDERS = ("seq2seq", "autograder", "learn", "book")


@dataclass
class LibraryMutant:
    path: str  # from the project's root, with slashes
    line: int  # from 1, of the first line that changes
    old: str  # the whole lines that change
    new: str
    killed_by: str | None = None  # the test that noticed it; empty: none did; None: not tried

    def mutated(self, source: str) -> str | None:
        """The file's text with the change; None where the lines do not stand there any more."""
        lines, old = source.splitlines(keepends=True), self.old.splitlines(keepends=True)
        places = [start for start in range(len(lines)) if lines[start : start + len(old)] == old]
        if not places:
            return None
        start = min(places, key=lambda place: abs(place + 1 - self.line))
        return "".join([*lines[:start], self.new, *lines[start + len(old) :]])

    def __str__(self) -> str:
        gone = [line.strip() for line in self.old.splitlines()]
        come = [line.strip() for line in self.new.splitlines()]
        return f"{self.path}:{self.line}\n- " + "\n- ".join(gone) + "\n+ " + "\n+ ".join(come)


def sample(root: Path, number: int, seed: int, folders: tuple[str, ...] = FOLDERS) -> list[LibraryMutant]:
    """Every possible change has the same chance; some cannot be written into the text, and the next one stands in."""
    files = sorted(path for folder in folders for path in (root / folder).rglob("*.py"))
    sources = {path: path.read_text(encoding="utf-8") for path in files}
    counts = {path: sum(1 for _ in changes(ast.parse(source))) for path, source in sources.items()}
    places = [(path, index) for path, count in counts.items() for index in range(count)]
    drawn = random.Random(seed).sample(places, min(len(places), 3 * number))
    mutants = (_mutant(path.relative_to(root).as_posix(), sources[path], index) for path, index in drawn)
    return list(islice(filter(None, mutants), number))


def _mutant(path: str, source: str, index: int) -> LibraryMutant | None:
    tree = ast.parse(source)
    change = next(islice(changes(tree), index, None))
    with change.made():
        after = _dump(_unparsed(tree))
    if after in ("", ast.dump(tree)) or not hasattr(change.old, "lineno"):
        return None
    lines = source.splitlines(keepends=True)
    for first, text, count in _texts(change, lines):
        if _dump(text) == after:
            rest = len(lines) - first - count
            new = text.splitlines(keepends=True)
            old = "".join(lines[first : first + count])
            return LibraryMutant(path, first + 1, old, "".join(new[first : len(new) - rest]))
    return None


def _unparsed(tree: ast.AST) -> str:
    """Empty where the tree cannot be written."""
    with suppress(ValueError, AttributeError):
        return ast.unparse(ast.fix_missing_locations(tree))
    return ""


def _dump(source: str) -> str:
    """The tree of a source, empty where there is none."""
    with suppress(SyntaxError, ValueError):
        return ast.dump(ast.parse(source)) if source else ""
    return ""


def _texts(change: Change, lines: list[str]) -> Iterator[tuple[int, str, int]]:
    """First line that changes, the file's text with the change, number of lines; without and with parentheses."""
    node, encoded = change.old, [line.encode() for line in lines]
    assert isinstance(node, ast.stmt | ast.expr | ast.keyword | ast.arg | ast.excepthandler)
    first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
    head = b"".join([*encoded[:first], encoded[first][: node.col_offset]]).decode()
    tail = b"".join([encoded[last][node.end_col_offset :], *encoded[last + 1 :]]).decode()
    text = textwrap.indent(_unparsed(change.replacement.node), " " * node.col_offset).lstrip()
    for written in (text, f"({text})"):
        yield first, f"{head}{written}{tail}", last - first + 1


def read(path: Path) -> list[LibraryMutant]:
    return [LibraryMutant(**entry) for entry in json.loads(path.read_text(encoding="utf-8"))["mutants"]]


def write(path: Path, command: str, mutants: list[LibraryMutant]) -> None:
    content = {"command": command, "mutants": [asdict(mutant) for mutant in mutants]}
    path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")

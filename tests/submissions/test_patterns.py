"""Whatever a pattern of the grader is given, its work grows as the text does; a new one needs no list to be tested."""

import ast
import json
import re
import subprocess
import sys
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from small_course import ROOT

FLAGS_AT = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2, "split": 3}
FLAGS_AT |= {"sub": 4, "subn": 4}
ANCHORED = {"match", "fullmatch"}
METHODS = FLAGS_AT.keys() - {"compile"}
BACKTRACKING = [
    *(r"^\s*raise\b", r"\s*(`{3,})[^\n]*\n(.*?)\n?\1\s*", r"[ _-]*copy$", r"(?:[ ]a|[ ]*)*b", r"(\d+)\)?\s*$"),
    *(r'"(?:[^"\\]|\\.)*+"', r"<img[^>]*>", r"x(?:\(\d+\)|-copy-?\d*|-\d{1,3})*y", r"(?:\S*python\S*)[ ]+-m"),
]


class Unseen(Exception):
    """A pattern whose text is not in the source."""


@dataclass(frozen=True)
class Found:
    place: str  # file and line
    text: str
    flags: int
    methods: tuple[str, ...]  # how it is used: "scan", "match", "fullmatch"


def all_patterns(package: Path) -> list[Found]:
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(package.rglob("*.py"))}
    uses: dict[str, set[str]] = defaultdict(set)  # name of a constant → the methods that are asked of it anywhere
    for tree in modules.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in METHODS:
                uses[node.value.id].add(node.attr)
    return [pattern for path, tree in modules.items() for pattern in patterns_of(path.relative_to(package), tree, uses)]


def patterns_of(path: Path, tree: ast.Module, uses: dict[str, set[str]]) -> list[Found]:
    constants, names = {}, {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names[node.value] = node.targets[0].id
            with suppress(Unseen):
                constants[node.targets[0].id] = value_of(node.value, constants)
    patterns = []
    for node in ast.walk(tree):
        place = f"{path}:{getattr(node, 'lineno', 0)}"
        match node:
            case ast.ImportFrom(module="re" | "regex"):
                raise Unseen(f"{place}: import re as a whole, so that its patterns are found")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)) if method in FLAGS_AT:
                try:
                    text = value_of(node.args[0], constants)
                except Unseen:
                    raise Unseen(f"{place}: the pattern is made elsewhere; compile it as a constant") from None
                asked = (uses[names.get(node, "")] or METHODS) if method == "compile" else {method}
                methods = (asked & ANCHORED) | ({"scan"} if asked - ANCHORED else set())
                at = FLAGS_AT[method]
                flags = [word.value for word in node.keywords if word.arg == "flags"] + node.args[at : at + 1]
                number = int(value_of(flags[0], {})) if flags else 0
                patterns.append(Found(place, text, number, tuple(sorted(methods))))
    return patterns


def value_of(node: ast.expr, constants: dict[str, str]) -> object:
    """What is written here; data that is put between it is some word."""
    between = [part for value in ast.walk(node) if isinstance(value, ast.FormattedValue) for part in ast.walk(value)]
    names = {part.id: "x_y" for part in between if isinstance(part, ast.Name)} | constants
    try:
        return eval(compile(ast.Expression(node), "", "eval"), {"__builtins__": {}, "re": re, **names})
    except Exception:
        raise Unseen from None


PATTERNS = all_patterns(ROOT / "autograder")


def tried(pattern: Found) -> tuple[int, str]:
    """Exit status of trying it, and the last that was said: the text that took too long, or that none did."""
    asked = json.dumps([pattern.text, pattern.flags, pattern.methods])
    script = Path(__file__).with_name("try_pattern.py")
    done = subprocess.run([sys.executable, "-I", str(script)], input=asked, capture_output=True, text=True)
    return done.returncode, (done.stdout.splitlines() or [done.stderr])[-1]


@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda pattern: pattern.place)
def test_work_grows_as_the_text_does(pattern):
    status, text = tried(pattern)
    assert (status, text) == (0, "linear"), f"{pattern.place}: {pattern.text!r} takes too long on {text}"


def test_no_group_is_possessive():
    possessive = re.compile(r"\)(?:[*+?]|\{[\d,]{1,9}\})\+|\(\?>")  # Python 3.11.2, Debian 12's own, reads them wrongly
    assert [f"{pattern.place}: {pattern.text}" for pattern in PATTERNS if possessive.search(pattern.text)] == []


@pytest.mark.parametrize("text", BACKTRACKING)
def test_a_pattern_that_backtracks_is_caught(text):
    status, _ = tried(Found("here", text, 8, ("scan",)))
    assert status < 0

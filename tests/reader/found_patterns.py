"""Every regular expression of the grader, found in its source: a new one needs no list to be tested."""

import ast
import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "autograder"
FLAGS_AT = {"compile": 1, "search": 2, "match": 2, "fullmatch": 2, "findall": 2, "finditer": 2, "split": 3}
FLAGS_AT |= {"sub": 4, "subn": 4}
ANCHORED = {"match", "fullmatch"}
METHODS = FLAGS_AT.keys() - {"compile"}


class Unseen(Exception):
    """A pattern whose text is not in the source."""


@dataclass(frozen=True)
class Found:
    place: str  # file and line
    text: str
    flags: int
    methods: tuple[str, ...]  # how it is used: "scan", "match", "fullmatch"


def all_patterns(package: Path = PACKAGE) -> list[Found]:
    modules = {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(package.rglob("*.py"))}
    uses: dict[str, set[str]] = defaultdict(set)  # name of a constant → the methods that are asked of it anywhere
    for tree in modules.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in METHODS:
                uses[node.value.id].add(node.attr)
    return [found for path, tree in modules.items() for found in patterns_of(path.relative_to(package), tree, uses)]


def patterns_of(path: Path, tree: ast.Module, uses: dict[str, set[str]]) -> list[Found]:
    constants, names = {}, {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            names[node.value] = node.targets[0].id
            with suppress(Unseen):
                constants[node.targets[0].id] = text_of(node.value, constants)
    patterns = []
    for node in ast.walk(tree):
        place = f"{path}:{getattr(node, 'lineno', 0)}"
        match node:
            case ast.ImportFrom(module="re" | "regex"):
                raise Unseen(f"{place}: import re as a whole, so that its patterns are found")
            case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=method)) if method in FLAGS_AT:
                try:
                    text = text_of(node.args[0], constants)
                except Unseen:
                    raise Unseen(f"{place}: the pattern is made elsewhere; compile it as a constant") from None
                asked = (uses[names.get(node, "")] or METHODS) if method == "compile" else {method}
                methods = (asked & ANCHORED) | ({"scan"} if asked - ANCHORED else set())
                patterns.append(Found(place, text, flags_of(node), tuple(sorted(methods))))
    return patterns


def text_of(node: ast.expr, constants: dict[str, str]) -> str:
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name) | ast.FormattedValue(value=ast.Name(id=name)) if name in constants:
            return constants[name]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return text_of(left, constants) + text_of(right, constants)
        case ast.JoinedStr(values=parts):
            return "".join(text_of(part, constants) for part in parts)
        case ast.FormattedValue():  # data, put between what is written here
            return "x_y"
    raise Unseen


def flags_of(call: ast.Call) -> int:
    at = FLAGS_AT[call.func.attr]
    node = next((word.value for word in call.keywords if word.arg == "flags"), None)
    node = node or (call.args[at] if len(call.args) > at else None)
    return int(eval(compile(ast.Expression(node), "<flags>", "eval"), {"re": re})) if node else 0

"""Each formula is defined once: no two functions compute the same under other names."""

import ast
import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMALLEST = 40  # nodes of a syntax tree: what is smaller says too little to be a formula


def form(function: ast.FunctionDef) -> str:
    """Its text with variables numbered as they come, without annotations and docstrings; changes its tree."""
    nodes, numbers = list(ast.walk(function)), {}
    own = {node.arg for node in nodes if isinstance(node, ast.arg)}
    own |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in own:
            node.id = numbers.setdefault(node.id, f"v{len(numbers)}")
        elif isinstance(node, ast.arg):
            node.arg, node.annotation = numbers.setdefault(node.arg, f"v{len(numbers)}"), None
        elif isinstance(node, ast.FunctionDef):
            node.body = node.body[ast.get_docstring(node) is not None :] or [ast.Pass()]
            node.name, node.decorator_list, node.returns = "f", [], None
    return re.sub(r"(?<=\w): [^=\n]+(?= = )", "", ast.unparse(function))  # of a variable


def twins(root: Path, *packages: str) -> list[list[str]]:
    found = defaultdict(list)
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and sum(1 for _ in ast.walk(node)) >= SMALLEST:
                    name = f"{path.relative_to(root)}: {node.name}"
                    found[form(node)].append(name)
    return [places for places in found.values() if len(places) > 1]


def test_no_two_functions_compute_the_same():
    assert twins(ROOT, "seq2seq", "autograder") == []


def test_twins_are_found_under_other_names(tmp_path):
    (tmp_path / "a").mkdir()
    body = "\n    ".join(f"{{0}}{{2}} = {{1}} * {n} + {{0}} ** {n}" for n in range(2, 9))
    for file, (x, y, kind) in (("one.py", ("x", "y", "")), ("two.py", ("total", "step", ": list[int]"))):
        text = f"def {file[:3]}({x}, {y}):\n    {body.format(x, y, kind)}\n    return {x}\n"
        (tmp_path / "a" / file).write_text(text)
    assert twins(tmp_path, "a") == [["a/one.py: one", "a/two.py: two"]]

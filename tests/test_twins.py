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
    variables = {node.arg for node in nodes if isinstance(node, ast.arg)}
    variables |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.Name) and node.id in variables:
            node.id = numbers.setdefault(node.id, f"v{len(numbers)}")
        elif isinstance(node, ast.arg):
            node.arg, node.annotation = numbers.setdefault(node.arg, f"v{len(numbers)}"), None
        elif isinstance(node, ast.FunctionDef):
            node.body = node.body[ast.get_docstring(node) is not None :] or [ast.Pass()]
            node.name, node.decorator_list, node.returns = "f", [], None
    return re.sub(r"(?<=\w): [^=\n]+(?= = )", "", ast.unparse(function))  # of a variable


def test_no_two_functions_compute_the_same():
    by_form = defaultdict(list)
    for package in ("seq2seq", "autograder"):
        for path in sorted((ROOT / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and sum(1 for _ in ast.walk(node)) >= SMALLEST:
                    name = f"{path.relative_to(ROOT)}: {node.name}"
                    by_form[form(node)].append(name)
    assert by_form
    assert [places for places in by_form.values() if len(places) > 1] == []

"""Each formula is defined once: no two functions compute the same under other names."""

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SMALLEST = 40  # nodes of a syntax tree: what is smaller says too little to be a formula


class Canonical(ast.NodeTransformer):
    """Variables numbered as they come; annotations and docstrings gone."""

    def __init__(self, function: ast.FunctionDef) -> None:
        stored = (node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        own = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)} | {node.id for node in stored}
        self.own, self.numbers = own, {}

    def _number(self, name: str) -> str:
        return f"v{self.numbers.setdefault(name, len(self.numbers))}" if name in self.own else name

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self._number(node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self._number(node.arg))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        return self.generic_visit(ast.Assign([node.target], node.value)) if node.value else ast.Pass()

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        body = node.body[1:] if ast.get_docstring(node) is not None else node.body
        bare = ast.FunctionDef("f", node.args, body or [ast.Pass()], [], None, type_params=[])
        return self.generic_visit(bare)


def twins(root: Path, *packages: str) -> list[list[str]]:
    found = defaultdict(list)
    for package in packages:
        for path in sorted((root / package).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and sum(1 for _ in ast.walk(node)) >= SMALLEST:
                    form = ast.dump(Canonical(node).visit(node))
                    found[form].append(f"{path.relative_to(root)}: {node.name}")
    return [places for places in found.values() if len(places) > 1]


def test_no_two_functions_compute_the_same():
    assert twins(ROOT, "seq2seq", "autograder") == []


def test_twins_are_found_under_other_names(tmp_path):
    (tmp_path / "a").mkdir()
    body = "\n    ".join(f"{{0}} = {{1}} * {n} + {{0}} ** {n}" for n in range(2, 9))
    for file, names in (("one.py", ("x", "y")), ("two.py", ("total", "step"))):
        text = body.format(*names)
        (tmp_path / "a" / file).write_text(f"def {file[:3]}({', '.join(names)}):\n    {text}\n    return {names[0]}\n")
    assert twins(tmp_path, "a") == [["a/one.py: one", "a/two.py: two"]]

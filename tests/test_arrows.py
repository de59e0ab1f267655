"""The imports go the way that the design draws them, and never in a circle."""

import ast
from fnmatch import fnmatch
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("seq2seq", "autograder", "book", "learn")


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {
    module_name(path): path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
    if "node_modules" not in path.parts and "_ext" not in path.parts
}


@cache
def imports(module: str) -> frozenset[str]:
    names = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative imports hide where an arrow goes"
            base = node.module or ""
            names |= {f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base for alias in node.names}
    return frozenset(names & set(MODULES) - {module})


@cache
def reached(module: str) -> frozenset[str]:
    seen: set[str] = set()
    stack = [module]
    while stack:
        for other in imports(stack.pop()) - seen:
            seen.add(other)
            stack.append(other)
    return frozenset(seen)


# The rooms of the grader, each of which may look into those before it; "" is what stands in no room.
ROOMS = (
    "",
    *("notebook_files", "records", "progress", "checking", "tasks", "assignments", "sandbox", "submissions"),
    *("collect", "store", "judging", "gradebook", "report", "grading", "exports", "hub", "commands"),
)
OUTSIDE_THE_BOX = [f"autograder.sandbox.{name}" for name in ("session", "box", "bubblewrap")] + ["autograder.records*"]
# What knows a reference: nothing that is in the box with a learner's code, and nothing that speaks with it.
CHECKING = ("task", "definition", "draw", "compare", "trial", "checker", "explain", "hypotheses", "edits")
KNOWING = [*(f"autograder.checking.{name}" for name in CHECKING), "autograder.tasks*", "seq2seq*"]

# The rooms and top-level files of the library, a layer a line: each may look into the layers above its own, and a room
# into itself.
LAYERS = (
    "scorer device dropout fonts streams checkpoints",
    "guards",
    "layers vocab plots recordings unread",
    "corpora encoders",
    "batch scorers attention",
    "hard local widgets",
    "decoders",
    "model transformer",
    "gradient search",
    "training beam metrics alignment paper_names",
    "losses evaluation live museum exercises",
    "beyond demos",
    "experiments",
)

# What may never be reached from where.
FORBIDDEN = {
    "seq2seq*": ["autograder*", "book*", "learn*"],
    "autograder*": ["book*", "learn*"],
    "learn*": [
        "book*",
        *(f"autograder.{room}*" for room in ROOMS[ROOMS.index("assignments") :]),
        "autograder.records*",
    ],
    "learn.cells": ["autograder*", "seq2seq*", "learn.*"],  # it also runs where the course is not installed yet
    "autograder.sandbox.worker": [*OUTSIDE_THE_BOX, "seq2seq*"],
    "autograder.sandbox.wire": ["autograder.*", "seq2seq*"],
    "autograder.sandbox*": KNOWING,
    "autograder.finding": ["autograder.*", "seq2seq*"],
    "autograder.records*": ["seq2seq*"],
    "autograder.submissions*": [f"autograder.sandbox.{name}" for name in ("worker", "answers", "sandboxes")],
    "autograder.judging.ask": KNOWING,
    "autograder.report.statistics": ["autograder.*"],
}


def room_of(module: str) -> str:
    """Of a module of the grader; empty for one that stands in none."""
    path = MODULES[module]
    return path.parent.name if path.parent != ROOT / "autograder" else ""


def test_a_room_looks_into_those_before_it_alone():
    door = "autograder.__main__"  # which opens on the last room
    rooms = {module: ROOMS.index(room_of(module)) for module in MODULES if module.startswith("autograder.")}
    arrows = [(module, other) for module in rooms.keys() - {door} for other in imports(module) & rooms.keys()]
    assert [f"{module} → {other}" for module, other in arrows if rooms[other] > rooms[module]] == []


def test_the_library_looks_down_alone_and_everything_in_it_has_its_layer():
    layer = {name: depth for depth, names in enumerate(LAYERS) for name in names.split()}
    part = {module: module.split(".")[1] for module in MODULES if module.startswith("seq2seq.")}
    assert {*part.values()} == {*layer}
    assert sum(len(names.split()) for names in LAYERS) == len(layer), "a part stands in two layers"
    arrows = [(module, other) for module in part for other in imports(module) & part.keys()]
    between = [(module, other) for module, other in arrows if part[module] != part[other]]
    assert [f"{module} → {other}" for module, other in between if layer[part[other]] >= layer[part[module]]] == []


@pytest.mark.parametrize("here", FORBIDDEN)
def test_arrows_go_one_way(here):
    modules = [module for module in MODULES if fnmatch(module, here)]
    assert modules, f"no module is called {here}: has it moved?"
    against = [
        f"{module} → {other}"
        for module in modules
        for other in sorted(reached(module))
        if any(fnmatch(other, pattern) for pattern in FORBIDDEN[here])
    ]
    assert against == []


def test_no_circle():
    TopologicalSorter({module: imports(module) for module in MODULES}).prepare()


def test_every_forbidden_name_exists():
    """A rule about a module that has moved would hold for ever."""
    patterns = {pattern for patterns in FORBIDDEN.values() for pattern in patterns}
    assert [pattern for pattern in patterns if not any(fnmatch(module, pattern) for module in MODULES)] == []


def test_what_the_sandbox_mounts_imports_nothing_else_of_ours():
    from autograder.sandbox.box import ENGINE

    mounted = {module_name(ROOT / path) for path in ENGINE}
    assert set().union(*(imports(module) for module in mounted)) <= mounted

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
    found = set()
    for node in ast.walk(ast.parse(MODULES[module].read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative imports hide where an arrow goes"
            base = node.module or ""
            found |= {f"{base}.{alias.name}" if f"{base}.{alias.name}" in MODULES else base for alias in node.names}
    return frozenset(found & set(MODULES) - {module})


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
    *("notebook_files", "records", "progress", "checking", "tasks", "authoring", "sandbox", "submissions"),
    *("collect", "store", "judging", "gradebook", "report", "grading", "exports", "commands"),
)
OUTSIDE_THE_BOX = [f"autograder.sandbox.{name}" for name in ("session", "box", "bubblewrap")] + ["autograder.records*"]
# What knows a reference: nothing that is in the box with a learner's code, and nothing that speaks with it.
CHECKING = ("task", "definition", "use", "compare", "playing", "checker", "search", "edits", "excuse")
KNOWING = [*(f"autograder.checking.{name}" for name in CHECKING), "autograder.tasks*", "seq2seq*"]

LIBRARY = {  # parts of the library → what none of them may reach
    "vocab guards scorer transformer.positions layers.paper_gru": "*",
    "evaluation.validation": "[!v]*",  # all but the vocabulary
    "beyond.stack_rnn": "[!g]*",  # all but the guards
    "beam.penalty beam.state hard.attention losses.penalties": "*",
    "corpora*": "batch model encoders decoders* training",
    "batch": "scorer* attention model encoders decoders*",
    "beyond.extended_vocabulary": "decoders* encoders model training",
    "beyond.copying": "search beam* plots",
    "scorers": "attention decoders* model batch",
    "attention local.attention transformer.self_attention": "decoders* encoders model batch",
    "layers.paper_names": "search training",
    "beyond.memory_network": "decoders* encoders model corpora*",
    "beyond.feed_forward_attention": "decoders* encoders model batch",
    "transformer*": "model search training batch",
    "decoders*": "encoders model search training batch",
    **{"encoders": "decoders* attention model", "model": "search training metrics", "search": "training"},
    **{"losses.scheduled_sampling": "search beam* plots", "beam*": "training plots"},
    **{"beyond.captioning": "search plots", "beyond.summariser": "search beam* training plots"},
    "hard.losses": "search training plots",
    "plots": "model decoders* encoders training search",
    "widgets*": "model decoders* encoders training search plots",
}

# What may never be reached from where.
FORBIDDEN = {
    "seq2seq*": ["autograder*", "book*", "learn*"],
    "autograder*": ["book*", "learn*"],
    "learn*": ["book*", *(f"autograder.{room}*" for room in ROOMS[ROOMS.index("authoring") :]), "autograder.records*"],
    "learn.cells": ["autograder*", "seq2seq*", "learn.*"],  # it also runs where the course is not installed yet
    "autograder.sandbox.worker": [*OUTSIDE_THE_BOX, "seq2seq*"],
    "autograder.sandbox.wire": ["autograder.*", "seq2seq*"],
    "autograder.sandbox*": KNOWING,
    "autograder.expect": [f"autograder.{room}*" for room in ROOMS[1:]] + ["seq2seq*"],
    "autograder.finding": ["autograder.*", "seq2seq*"],
    "autograder.records*": ["seq2seq*"],
    "autograder.submissions*": [f"autograder.sandbox.{name}" for name in ("worker", "answers", "sandboxes")],
    "autograder.judging.ask": KNOWING,
    "autograder.report.statistics": ["autograder.*"],
}
for names, far in LIBRARY.items():
    FORBIDDEN |= {f"seq2seq.{name}": [f"seq2seq.{pattern}" for pattern in far.split()] for name in names.split()}


def room_of(module: str) -> str:
    """Of a module of the grader; empty for one that stands in none."""
    path = MODULES[module]
    return path.parent.name if path.parent != ROOT / "autograder" else ""


def test_a_room_looks_into_those_before_it_alone():
    door = "autograder.__main__"  # which opens on the last room
    rooms = {module: ROOMS.index(room_of(module)) for module in MODULES if module.startswith("autograder.")}
    arrows = [(module, other) for module in rooms.keys() - {door} for other in imports(module) & rooms.keys()]
    assert [f"{module} → {other}" for module, other in arrows if rooms[other] > rooms[module]] == []


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


def test_only_experiments_know_experiments():
    library = [name for name in MODULES if name.startswith("seq2seq") and not name.startswith("seq2seq.experiments")]
    assert [name for name in library if any(other.startswith("seq2seq.experiments") for other in imports(name))] == []


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

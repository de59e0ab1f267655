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
    """The project's modules that a module imports itself, inside functions too."""
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
    """What a module imports, directly or through others."""
    seen: set[str] = set()
    stack = [module]
    while stack:
        for other in imports(stack.pop()) - seen:
            seen.add(other)
            stack.append(other)
    return frozenset(seen)


# The rooms of the grader, each of which may look into those before it; "" is what stands in no room.
ROOMS = (
    *(
        "",
        "handed",
        "records",
        "progress",
        "checking",
        "tasks",
        "authoring",
        "sandbox",
        "reader",
        "submissions",
        "judging",
    ),
    *("gradebook", "report", "grading", "exports", "commands"),
)
ABOVE_SANDBOX = tuple(f"autograder.{room}*" for room in ("authoring", *ROOMS[ROOMS.index("submissions") :]))
OUTSIDE_THE_BOX = [f"autograder.sandbox.{name}" for name in ("session", "box", "bubblewrap")] + ["autograder.records*"]
# What knows a reference: nothing that is in the box with a learner's code, and nothing that speaks with it.
KNOWING = [
    f"autograder.checking.{name}"
    for name in ("task", "definition", "use", "compare", "playing", "checker", "search", "edits")
]
KNOWING += ["autograder.tasks*", "seq2seq*"]

# What may never be reached from where.
FORBIDDEN = {
    "seq2seq*": ["autograder*", "book*", "learn*"],
    "autograder*": ["book*", "learn*"],
    "learn*": ["book*", *(f"autograder.{room}*" for room in ROOMS[ROOMS.index("authoring") :]), "autograder.records*"],
    "learn.cells": ["autograder*", "seq2seq*", "learn.*"],  # it also runs where the course is not installed yet
    "seq2seq.vocab": ["seq2seq.*"],
    "seq2seq.corpora*": ["seq2seq.batch", "seq2seq.model", "seq2seq.encoders", "seq2seq.decoders*", "seq2seq.training"],
    "seq2seq.batch": ["seq2seq.scorer*", "seq2seq.attention", "seq2seq.model", "seq2seq.encoders", "seq2seq.decoders*"],
    "seq2seq.beyond.extended_vocabulary": [
        "seq2seq.decoders*",
        "seq2seq.encoders",
        "seq2seq.model",
        "seq2seq.training",
    ],
    "seq2seq.beyond.copying": ["seq2seq.search", "seq2seq.beam*", "seq2seq.plots"],
    "seq2seq.scorer": ["seq2seq.*"],
    "seq2seq.scorers": ["seq2seq.attention", "seq2seq.decoders*", "seq2seq.model", "seq2seq.batch"],
    "seq2seq.attention": ["seq2seq.decoders*", "seq2seq.encoders", "seq2seq.model", "seq2seq.batch"],
    "seq2seq.local.attention": ["seq2seq.decoders*", "seq2seq.encoders", "seq2seq.model", "seq2seq.batch"],
    "seq2seq.transformer.self_attention": ["seq2seq.decoders*", "seq2seq.encoders", "seq2seq.model", "seq2seq.batch"],
    "seq2seq.transformer.positions": ["seq2seq.*"],
    "seq2seq.layers.paper_gru": ["seq2seq.*"],
    "seq2seq.evaluation.validation": ["seq2seq.*"],
    "seq2seq.layers.paper_names": ["seq2seq.search", "seq2seq.training"],
    "seq2seq.beyond.stack_rnn": ["seq2seq.*"],
    "seq2seq.beyond.memory_network": ["seq2seq.decoders*", "seq2seq.encoders", "seq2seq.model", "seq2seq.corpora*"],
    "seq2seq.beyond.feed_forward_attention": [
        "seq2seq.decoders*",
        "seq2seq.encoders",
        "seq2seq.model",
        "seq2seq.batch",
    ],
    "seq2seq.transformer*": ["seq2seq.model", "seq2seq.search", "seq2seq.training", "seq2seq.batch"],
    "seq2seq.decoders*": ["seq2seq.encoders", "seq2seq.model", "seq2seq.search", "seq2seq.training", "seq2seq.batch"],
    "seq2seq.encoders": ["seq2seq.decoders*", "seq2seq.attention", "seq2seq.model"],
    "seq2seq.model": ["seq2seq.search", "seq2seq.training", "seq2seq.metrics"],
    "seq2seq.search": ["seq2seq.training"],
    "seq2seq.losses.scheduled_sampling": ["seq2seq.search", "seq2seq.beam*", "seq2seq.plots"],
    "seq2seq.beam*": ["seq2seq.training", "seq2seq.plots"],
    "seq2seq.beam.penalty": ["seq2seq.*"],
    "seq2seq.hard.attention": ["seq2seq.*"],
    "seq2seq.losses.penalties": ["seq2seq.*"],
    "seq2seq.beyond.captioning": ["seq2seq.search", "seq2seq.plots"],
    "seq2seq.beyond.summariser": ["seq2seq.search", "seq2seq.beam*", "seq2seq.training", "seq2seq.plots"],
    "seq2seq.hard.losses": ["seq2seq.search", "seq2seq.training", "seq2seq.plots"],
    "seq2seq.beam.state": ["seq2seq.*"],
    "seq2seq.plots": ["seq2seq.model", "seq2seq.decoders*", "seq2seq.encoders", "seq2seq.training", "seq2seq.search"],
    "seq2seq.widgets*": [
        "seq2seq.model",
        "seq2seq.decoders*",
        "seq2seq.encoders",
        "seq2seq.training",
        "seq2seq.search",
        "seq2seq.plots",
    ],
    "autograder.sandbox.worker": [*OUTSIDE_THE_BOX, "seq2seq*"],
    "autograder.sandbox.wire": ["autograder.*", "seq2seq*"],
    "autograder.sandbox*": KNOWING,
    "autograder.expect": [f"autograder.{room}*" for room in ROOMS[1:]] + ["seq2seq*"],
    "autograder.finding": ["autograder.*", "seq2seq*"],
    "autograder.records*": ["seq2seq*"],
    "autograder.reader.process": ["autograder.sandbox*"],  # who asks needs nothing of what confines who answers
    "autograder.submissions*": [
        "autograder.sandbox.worker",
        "autograder.sandbox.session",
        "autograder.sandbox.sandboxes",
    ],
    "autograder.judging.remote": KNOWING,
    "autograder.report.statistics": ["autograder.*"],
}


def room_of(module: str) -> str:
    """Of a module of the grader; empty for one that stands in none."""
    path = MODULES[module]
    return path.parent.name if path.parent != ROOT / "autograder" else ""


@pytest.mark.parametrize("module", sorted(module for module in MODULES if module.startswith("autograder.")))
def test_a_room_looks_into_those_before_it_alone(module):
    if module in ("autograder.__main__",):
        return  # the door, which opens on the last room
    rooms = {other: room_of(other) for other in imports(module) if other.startswith("autograder.")}
    ahead = [f"{other} ({room})" for other, room in rooms.items() if ROOMS.index(room) > ROOMS.index(room_of(module))]
    assert ahead == []


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
    library = [one for one in MODULES if one.startswith("seq2seq") and not one.startswith("seq2seq.experiments")]
    assert [(one, other) for one in library for other in imports(one) if other.startswith("seq2seq.experiments")] == []


def test_no_circle():
    TopologicalSorter({module: imports(module) for module in MODULES}).prepare()


def test_every_forbidden_name_exists():
    """A rule about a module that has moved would hold for ever."""
    for patterns in FORBIDDEN.values():
        for pattern in patterns:
            assert any(fnmatch(module, pattern) for module in MODULES), pattern


def test_what_the_sandbox_mounts_imports_nothing_else_of_ours():
    from autograder.sandbox.box import ENGINE

    mounted = {module_name(ROOT / path) for path in ENGINE}
    assert set().union(*(imports(module) for module in mounted)) <= mounted


def test_nothing_of_this_project_is_called_utils():
    assert [name for name in MODULES if name.rsplit(".", 1)[-1] in ("utils", "helpers", "common", "misc")] == []

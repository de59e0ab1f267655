"""The imports go the way that the design draws them, and never in a circle."""

import ast
from fnmatch import fnmatch
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("seq2seq", "autograder", "book")


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


# The rooms of the grader, each of which may look into those before it.
ABOVE_SANDBOX = (
    "authoring",
    "submissions",
    "judging",
    "gradebook",
    "report",
    "grading",
    "exports",
    "commands",
)
OUTSIDE_THE_BOX = [f"autograder.sandbox.{name}" for name in ("session", "box", "bubblewrap", "contents", "limits")]
# What knows a reference: nothing that is in the box with a learner's code, and nothing that speaks with it.
KNOWING = [
    f"autograder.checking.{name}"
    for name in ("task", "definition", "use", "compare", "playing", "run", "search", "edits")
]
KNOWING += ["autograder.tasks*", "seq2seq*"]
AT_THE_TOP = [
    "autograder.gradebook*",
    "autograder.report*",
    "autograder.grading*",
    "autograder.exports*",
    "autograder.commands*",
]

# What may never be reached from where.
FORBIDDEN = {
    "seq2seq*": ["autograder*", "book*"],
    "autograder*": ["book*"],
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
    "seq2seq.local": ["seq2seq.decoders*", "seq2seq.encoders", "seq2seq.model", "seq2seq.batch"],
    "seq2seq.transformer.self_attention": ["seq2seq.decoders*", "seq2seq.encoders", "seq2seq.model", "seq2seq.batch"],
    "seq2seq.transformer.positions": ["seq2seq.*"],
    "seq2seq.paper_gru": ["seq2seq.*"],
    "seq2seq.pairing": ["seq2seq.*"],
    "seq2seq.paper_names": ["seq2seq.search", "seq2seq.training"],
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
    "seq2seq.scheduled_sampling": ["seq2seq.search", "seq2seq.beam*", "seq2seq.plots"],
    "seq2seq.beam*": ["seq2seq.training", "seq2seq.plots"],
    "seq2seq.beam.penalty": ["seq2seq.*"],
    "seq2seq.hard": ["seq2seq.*"],
    "seq2seq.penalties": ["seq2seq.*"],
    "seq2seq.beyond.captioning": ["seq2seq.search", "seq2seq.plots"],
    "seq2seq.hard_losses": ["seq2seq.search", "seq2seq.training", "seq2seq.plots"],
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
    "seq2seq.[!e]*": ["seq2seq.experiments*"],
    "autograder.sandbox.worker": [*OUTSIDE_THE_BOX, "seq2seq*"],
    "autograder.sandbox.once": [*OUTSIDE_THE_BOX, "seq2seq*"],
    "autograder.sandbox.wire": ["autograder.*", "seq2seq*"],
    "autograder.sandbox*": [*(f"autograder.{room}*" for room in ABOVE_SANDBOX), *KNOWING],
    "autograder.expect": ["autograder.[!bpwf]*", "seq2seq*"],
    "autograder.finding": ["autograder.*", "seq2seq*"],
    "autograder.checking*": [f"autograder.{room}*" for room in (*ABOVE_SANDBOX, "sandbox", "tasks")],
    "autograder.tasks*": [f"autograder.{room}*" for room in (*ABOVE_SANDBOX, "sandbox")],
    "autograder.authoring*": [f"autograder.{room}*" for room in (*ABOVE_SANDBOX[1:], "sandbox")],
    "autograder.reader*": [f"autograder.{room}*" for room in ABOVE_SANDBOX],  # tasks are imported by name, there alone
    "autograder.reader.[lp]*": ["autograder.sandbox*"],
    "autograder.submissions*": [
        "autograder.sandbox.w*",
        "autograder.sandbox.[bcs]*",
        "autograder.judging.[!jv]*",
        *AT_THE_TOP,
    ],
    "autograder.judging.verdict": ["autograder.[!f]*"],
    "autograder.judging*": AT_THE_TOP,
    "autograder.judging.remote": KNOWING,
    "autograder.gradebook*": AT_THE_TOP[1:],
    "autograder.report*": AT_THE_TOP[2:],
    "autograder.report.statistics": ["autograder.*"],
    "autograder.report.mistakes": ["autograder.[!f]*"],
    "autograder.grading*": AT_THE_TOP[3:],
    "autograder.exports*": [*AT_THE_TOP[1:3], *AT_THE_TOP[4:]],
}


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
    for patterns in FORBIDDEN.values():
        for pattern in patterns:
            assert any(fnmatch(module, pattern) for module in MODULES), pattern


def test_what_the_sandbox_mounts_imports_nothing_else_of_ours():
    from autograder.sandbox.contents import ENGINE

    mounted = {module_name(ROOT / path) for path in ENGINE}
    assert set().union(*(imports(module) for module in mounted)) <= mounted


def test_nothing_of_this_project_is_called_utils():
    assert [name for name in MODULES if name.rsplit(".", 1)[-1] in ("utils", "helpers", "common", "misc")] == []

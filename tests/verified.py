"""Which tests passed before and use no file that has changed since.

With ``--sample`` most of these are skipped: a test is left out if ``verified.json`` has the digest of what it uses,
but for one in n of those marked ``sampled(n)`` or, without a mark, one in 24 of a file; those marked ``costly`` are
all left out.
The digest is that of

- every file of the project that is reached by imports, from the test, from the ``conftest.py`` beside it and from the
  exercise that it is about, and the data beside these files; of the experiments' results only those that one of these
  files names in a string;
- for tests that are about no single exercise, the whole grader; for those of a page, this page as it is built;
  for other tests in the browser the pages that they name, or the whole book if they name none;
- the widgets' scripts and styles, but for tests of the grader and of learners' tools;
- the pinned requirements, the versions of Python and PyTorch, and whether there is CUDA; for tests of the sandbox, and
  attacks on it, the kernel, bubblewrap, the user and the number of processors too.

A file of which a test was skipped always runs, unless that was for want of CUDA.
A whole run with ``--sample`` records in ``verified.json`` what has passed; commit that file with the change.
"""

import ast
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[1]
RECORD = ROOT / "tests" / "verified.json"
HTML = ROOT / "_build" / "html"
RESULTS = ROOT / "seq2seq" / "experiments" / "results"
WIDGETS = ROOT / "seq2seq" / "widgets"
RANDOM = re.compile(r"[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}|\?v=[0-9a-f]{8}")  # ids that differ in each build
STATE = re.compile(r"(?<=widget-state\+json\">).*?(?=</script>)", re.DOTALL)
PINS = ("requirements.txt", "constraints.txt")
GRADER = ("autograder/**/*", "solutions/*", "sample_class/**/*", "nbgrader_config.py", "README.md")
READ = {  # folder of tests → what they read besides what they import; for other folders this is unknown
    **dict.fromkeys(("checking", "mutation", "seq2seq"), ()),
    **dict.fromkeys(("attacks", "autograder", "exports", "faults", "fuzz"), GRADER),
    **dict.fromkeys(("grading", "reader", "report", "submissions"), GRADER),
    "benchmarks": (*GRADER, "benchmarks/**/*"),
    "sandbox": (*GRADER, "containers/**/*", "SECURITY.md", "book/instructors.md"),
    "learn": ("learn/*", "exercises/*/*.ipynb", "autograder/*.py", "_config.yml", "pyproject.toml"),
    "browser": ("_toc.yml",),
}
BOOK = {"visit", "server", "html"}, {"HTML", "SINGLE"}  # fixtures and names that give a browser's test the book
IN_TURN = {"name", "chapter", "widget_page"}, {"pages", "chapters"}  # those that give it one page after the other
PARAMETERS = re.compile(r"parametrize\((.*?)[\[{]")
PAGE = re.compile(r"book/(\w+)|(\w+)\.html#")
WRITTEN = re.compile(r"(?<=[\"'/])\w+(?=[\"']|\.json|\.pt)|(?<=\.)glob(?=\()")  # a string, a file, or a call of glob
NAME = re.compile(r"\w+")
DOTTED = re.compile(r"[a-z]\w*(\.\w+)+")
NOT_DATA = {".py", ".pyc", ".md"}


def read() -> dict[str, str]:
    """Group of tests → digest of what they used when they passed."""
    return json.loads(RECORD.read_text(encoding="utf-8")) if RECORD.exists() else {}


def unchanged() -> dict[str, str]:
    """Of these, the groups that would use the same now."""
    return {group: before for group, before in read().items() if digest(group) == before}


def write(passed: dict[str, str]) -> None:
    RECORD.write_text(json.dumps(dict(sorted(passed.items())), indent=0) + "\n", encoding="utf-8")


def subject(nodeid: str) -> str:
    """The exercise, or the page of the book, that a test is about by its parameters; empty if there is none."""
    names = NAME.findall(nodeid.partition("[")[2])
    known = _stems("_build/html/book/*.html" if "/browser/" in nodeid else "solutions/*.py")
    return next((name for name in names if name in known), "")


@cache
def _stems(pattern: str) -> set[str]:
    return {path.stem for path in ROOT.glob(pattern)}


def group(nodeid: str) -> str:
    """The tests that are recorded together, because they use the same: those of one file about one subject."""
    return f"{nodeid.partition('::')[0]} {subject(nodeid)}".rstrip()


def digest(group: str) -> str:
    """The digest of everything that these tests use."""
    file, _, name = group.partition(" ")
    return _digest(ROOT / file, name)


def knows(nodeid: str) -> bool:
    """Whether all that a test uses is known."""
    return Path(nodeid).parent.name in READ


@cache
def _digest(test: Path, name: str) -> str:
    files = {test, *(folder / "conftest.py" for folder in (test.parent, ROOT / "tests")), *(ROOT / pin for pin in PINS)}
    if not name:
        files |= {path for pattern in READ.get(test.parent.name, ()) for path in ROOT.glob(pattern) if path.is_file()}
    elif test.parent.name == "browser":
        files.add(HTML / "book" / f"{name}.html")
    else:
        files |= {ROOT / "solutions" / f"{name}.py", *(ROOT / "tests" / "answers" / name).glob("*.py")}
    if test.parent.name == "browser":
        files |= {path for path in (HTML / "_static").rglob("*.*s*") if "tippy" not in path.parts}
        files |= set() if name else pages_of(test)
    machine = (*platform.python_version_tuple()[:2], torch.__version__, torch.cuda.is_available())
    machine += _isolation() if test.parent.name in ("attacks", "sandbox") else ()
    made = hashlib.sha256(str(machine).encode())
    used = reached(files) - {Path(__file__)}  # which only chooses
    if test.parent.name in READ and test.parent.name not in ("browser", "seq2seq"):
        used = {one for one in used if one.parent != WIDGETS or one.suffix == ".py"}
    words = set() if "glob" in _words(test) else {word for one in used for word in _words(one)}
    used = {one for one in used if one.parent != RESULTS or not words or one.stem in words}
    for path in sorted(one for one in used if one.suffix != ".pyc"):
        made.update(f"{path.relative_to(ROOT)} {_content(path)}\n".encode())
    return made.hexdigest()[:16]


@cache
def _isolation() -> tuple[object, ...]:
    """What of this machine a sandbox depends on."""
    bubblewrap = shutil.which("bwrap")
    version = subprocess.check_output([bubblewrap, "--version"], text=True) if bubblewrap else None
    return platform.release(), version, os.geteuid(), os.cpu_count()


def pages_of(test: Path) -> set[Path]:
    """The built pages that a file of browser tests uses but does not take in turn: those that it names, or all."""
    source = test.read_text(encoding="utf-8")
    nodes = list(ast.walk(ast.parse(source)))
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    asked = {one for node in nodes if isinstance(node, ast.FunctionDef) for one in _fixtures(node)}
    uses, in_turn = ((asked & fixtures) | (names & constants) for fixtures, constants in (BOOK, IN_TURN))
    if not uses:
        return set()
    named = {HTML / "book" / f"{one or other}.html" for one, other in PAGE.findall(source)}
    return set(HTML.rglob("*.html")) if in_turn or not named else named


def _fixtures(function: ast.FunctionDef) -> set[str]:
    """The fixtures that a test or a fixture asks for: its parameters but those that `parametrize` gives it."""
    above = " ".join(map(ast.unparse, function.decorator_list))
    if not function.name.startswith("test_") and "fixture" not in above:
        return set()
    return {one.arg for one in function.args.args} - set(NAME.findall(" ".join(PARAMETERS.findall(above))))


def reached(roots: Iterable[Path]) -> set[Path]:
    """Files of the project that these files import, directly or not, and the data beside those outside `tests`."""
    found: set[Path] = set()
    ahead = [path for path in roots if path.exists()]
    while ahead:
        path = ahead.pop()
        if path not in found:
            found.add(path)
            ahead += [*_imported(path), *_data(path.parent)]
    return found


@cache
def _imported(path: Path) -> tuple[Path, ...]:
    if path.suffix != ".py":
        return ()
    try:
        tree = ast.parse(path.read_bytes())
    except SyntaxError:  # a learner's
        return ()
    return tuple({file for name in _names(tree) for file in _files(name, path.parent)})


def _names(tree: ast.Module) -> Iterator[str]:
    """Modules that a file imports, or starts by ``python -m``."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(module=str(module), names=names):
                yield module
                yield from (f"{module}.{alias.name}" for alias in names)
            case ast.Assign(targets=[ast.Name()], value=ast.Constant(value=str(name))) if DOTTED.fullmatch(name):
                yield name  # a module to be started
            case ast.List(elts=words) | ast.Tuple(elts=words):
                said = [word.value if isinstance(word, ast.Constant) else None for word in words]
                started = [str(name) for flag, name in pairwise(said) if flag == "-m"]
                yield from started
                yield from (f"{name}.__main__" for name in started)


def _files(name: str, folder: Path) -> Iterator[Path]:
    """The file of a module, and those of the packages around it."""
    parts = name.split(".")
    for base in (ROOT, folder, ROOT / "tests"):
        for length in range(1, len(parts) + 1):
            place = base.joinpath(*parts[:length])
            yield from (file for file in (place.with_suffix(".py"), place / "__init__.py") if file.is_file())


@cache
def _data(folder: Path) -> tuple[Path, ...]:
    """What lies in a folder and is no module: corpora, weights, lists."""
    if folder in (ROOT, ROOT / "tests") or folder.is_relative_to(HTML):
        return ()
    beside = [folder, *(inner for inner in folder.iterdir() if inner.is_dir() and not any(inner.glob("*.py")))]
    return tuple(path for place in beside for path in place.iterdir() if path.is_file() and path.suffix not in NOT_DATA)


@cache
def _words(path: Path) -> frozenset[str]:
    if path.suffix != ".py":
        return frozenset()
    return frozenset(WRITTEN.findall(path.read_text(encoding="utf-8")))


@cache
def _content(path: Path) -> str:
    content = path.read_bytes()
    if path.is_relative_to(HTML):
        page = STATE.sub(
            lambda found: "".join(sorted(map(_model, json.loads(found[0])["state"].values()))), content.decode()
        )
        content = RANDOM.sub("", page).encode()
    return hashlib.sha256(content).hexdigest()


def _model(state: object) -> str:
    """The state of one model of a widget: a page lists them by their ids, which are drawn."""
    return RANDOM.sub("", json.dumps(state))

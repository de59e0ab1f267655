"""Proves, before learners' code runs, that a box shows nothing of the course's answers or of a class's work.

By content, not by path: a program in a box looks through all that is there and compares it with each file that must not
be. So an answer is found that was installed, copied or mounted where nobody thought of, under whatever name.
"""

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from autograder.folders import COURSE, PACKAGES
from autograder.sandbox import search
from autograder.sandbox.box import ENGINE
from autograder.sandbox.errors import SandboxUnavailable, Unfit
from autograder.sandbox.host import ELSEWHERE, NOT_ALONE, START, remedy
from autograder.sandbox.needs import needs
from autograder.sandbox.sandboxes import ALONE, SEARCHES, chosen

OF_PACKAGES = ("seq2seq", "autograder")
OF_THE_COURSE = (*OF_PACKAGES, "solutions", "tasks", "sample_class/solutions", "build/source")
SOURCES = (".py", ".ipynb")
SMALLEST = 64  # bytes: what is shorter tells nothing, and may be like another file by chance
COURSES = ("/course/", "/shared/course/")  # where a box has the modules that it is given, whatever is before it
REMEDY = (
    "Move it to a folder of its own, such as ~/course, uninstall copies of the course (pip uninstall "
    "learning-to-align), and try again: python -m autograder doctor"
)


@dataclass(frozen=True)
class Exposed:
    """A file that learners' code could read: where the box shows it, and the private file that it is a copy of."""

    shown: str
    private: Path


def require_fit(root: Path, *folders: Path) -> None:
    """Raises Unfit, in one line, if learners' code could read the course at ``root`` or a class's ``folders``.

    Raises SandboxUnavailable if there is no sandbox.
    """
    if chosen() in ALONE:
        raise Unfit(NOT_ALONE, ELSEWHERE)
    try:
        reason = unfit(root, chosen(), folders)
    except SandboxUnavailable as error:
        if chosen() == "bubblewrap" or isinstance(error, Unfit):
            raise
        raise SandboxUnavailable(error.reason, remedy(START, error.reason, chosen())) from None
    if reason:
        raise Unfit(reason, REMEDY)


def unfit(root: Path, name: str, folders: Iterable[Path]) -> str:
    """Why learners' code could read the course or a class's folders; empty if it cannot."""
    folders = [*folders]
    return misplaced(root, name, folders) or described(exposed(root, name, folders))


def misplaced(root: Path, name: str, folders: Iterable[Path]) -> str:
    """Which of the folders lies in one that the sandbox shows; empty if none does, as with a container's image."""
    for folder in (root, *folders) if name == "bubblewrap" else ():
        if shown := needs().holding(folder):
            return f"{folder} is in {shown}, which the sandbox shows to learners' code; expected a folder outside it."
    return ""


def described(copies: list[Exposed]) -> str:
    """What learners' code could read; empty if nothing."""
    if not copies:
        return ""
    first, number = copies[0], len(copies)
    many = f"{number} private files, such as" if number > 1 else "the private file"
    return f"learners' code could read {many} {first.private}, which the sandbox shows as {first.shown}; expected none."


def exposed(root: Path, name: str, folders: Iterable[Path]) -> list[Exposed]:
    """The private files of which the sandbox called ``name`` shows a copy."""
    course, others = by_size(of_course(root)), by_size(file for folder in folders for file in search.files(str(folder)))
    sizes = " ".join(map(str, sorted({*course, *others} - {*range(SMALLEST)})))
    source = Path(search.__file__).read_text("utf-8")
    *lines, last = SEARCHES[name](root, source, sizes).splitlines() or [""]
    if last != search.END:
        raise SandboxUnavailable("\n".join([*lines, last]).strip() or "the search for private files did not end.")
    copies = []
    for line in lines:
        size, digest, text = line.split(" ", 2)
        shown = ast.literal_eval(text)
        likely = [(path, is_given(shown)) for path in course[int(size)]]
        # A learner may hand in a copy of any public file, so that what a box is meant to show is no sign of a leak.
        likely += [(path, is_public(shown, name)) for path in others[int(size)]]
        private = (path for path, is_meant in likely if not is_meant and has(path, digest))
        copies += [Exposed(shown, path) for path in islice(private, 1)]  # a course and a class may have the same file
    return copies


def is_given(shown: str) -> bool:
    return any(shown.endswith(course + module) for course in COURSES for module in ENGINE)


def is_public(shown: str, name: str) -> bool:
    """Whether a box is meant to show this: what it needs, and all of a container's image."""
    return name != "bubblewrap" or not {shown, *map(str, Path(shown).parents)}.isdisjoint(needs().shown)


def has(path: Path, digest: str) -> bool:
    """Whether a file has this digest; one that cannot be read meanwhile has not."""
    try:
        return search.digest(str(path)) == digest
    except OSError:
        return False


def by_size(files: Iterable[tuple[int, str]]) -> dict[int, list[Path]]:
    sizes: dict[int, list[Path]] = defaultdict(list)
    for size, path in files:
        sizes[size].append(Path(path))
    return sizes


def of_course(root: Path) -> Iterator[tuple[int, str]]:
    folders = [top / name for top in (root, COURSE) for name in OF_THE_COURSE]
    folders += [PACKAGES / name for name in OF_PACKAGES]
    once = dict.fromkeys(folder.resolve() for folder in folders)
    below = (file for folder in once for file in search.files(str(folder)))
    return ((size, path) for size, path in below if path.endswith(SOURCES))

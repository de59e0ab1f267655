"""The tests of a room: which test files look at a module of the project, nearest first."""

import ast
import re
from collections import deque
from functools import cached_property
from pathlib import Path

from tests.mutation.library import FOLDERS

WALKED = re.compile(r"walk_packages\((\w+)\.__path__")  # all of a package is looked at, whatever is imported
ELSEWHERE = {"browser", "attacks", "faults", "fuzz", "answers", "benchmarks"}  # they look at the whole, not at a room


class Imports:
    """Who imports whom in the project, a module in a function or a string of its name included."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths = {
            ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
            for folder in (*FOLDERS, "tests")
            for path in (root / folder).rglob("*.py")
        }

    @cached_property
    def importers(self) -> dict[str, set[str]]:
        """Module → the modules that import it."""
        importers: dict[str, set[str]] = {}
        for module, path in self.paths.items():
            for imported in self._imported(module, path):
                importers.setdefault(imported, set()).add(module)
        return importers

    def _imported(self, module: str, path: Path) -> set[str]:
        source = path.read_text(encoding="utf-8")
        walked = tuple(f"{name}." for name in WALKED.findall(source))
        tree, names = ast.parse(source), {name for name in self.paths if walked and name.startswith(walked)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                names |= {str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                names.add(node.value)
        package = module if path.name == "__init__.py" else module.rpartition(".")[0]
        beside = (name for bare in names for name in (bare, f"{package}.{bare}", f"tests.{bare}"))
        return self.paths.keys() & beside  # a test finds what lies beside it by its bare name

    def tests(self, path: str) -> list[str]:
        """The test files of the module's room, those that reach it by the fewest imports first."""
        module = ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")
        distance, queue = {module: 0}, deque([module])
        while queue:
            current = queue.popleft()
            new = self.importers.get(current, set()) - distance.keys()
            distance |= dict.fromkeys(new, distance[current] + 1)
            queue.extend(new)
        files = [path for path in sorted((self.root / "tests").rglob("test_*.py")) if self._is_of_room(path, module)]
        files.sort(key=lambda path: (self._distance(path, distance), path.stat().st_size))
        return [path.relative_to(self.root).as_posix() for path in files]

    def _distance(self, path: Path, distance: dict[str, int]) -> int:
        """What all classes must do is asked as early as what looks at the module itself."""
        steps = distance.get(".".join(path.relative_to(self.root).with_suffix("").parts), 99)
        return steps - path.name.startswith("test_every_")

    def _is_of_room(self, path: Path, module: str) -> bool:
        """Tests of the library, of learners' tools and of the book have a folder each; all others are the grader's."""
        part, area = path.relative_to(self.root / "tests").parts[0], module.split(".")[0]
        if area == "autograder":
            return part not in ELSEWHERE | {"seq2seq", "book", "learn"}
        return part == area

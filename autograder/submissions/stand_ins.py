"""Checks in a learner's own cells: they are no part of the sandbox, and must not stop the cell that calls them."""

import re

IMPORT = re.compile(
    r"^(?P<indent>[ \t]*)from[ \t]+autograder(?:\.\w+)*[ \t]+import[ \t]*"
    r"(?:\((?P<wrapped>[^()]{1,2000})\)|(?P<plain>[\w, \t]{1,2000}?))[ \t]*(?:#.*)?$",
    re.MULTILINE,
)


def with_stand_ins(source: str) -> str:
    """The source in which checks that it imports are functions that do nothing; the lines keep their numbers."""
    return IMPORT.sub(_stand_in, source) if "autograder" in source else source


def _stand_in(found: re.Match[str]) -> str:
    names = [part.split()[-1] for part in (found["wrapped"] or found["plain"]).split(",") if part.split()]
    if not names or not all(name.isidentifier() for name in names):
        return found[0]
    return f"{found['indent']}{' = '.join(names)} = lambda *args, **options: None" + "\n" * found[0].count("\n")

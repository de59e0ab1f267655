"""What a learner's cells may do at home and not in the sandbox: call checks, and install packages.

Neither must stop the cell, nor use up its time: without a network, pip tries for many seconds.
"""

import re

IMPORT = re.compile(
    r"^(?P<indent>[ \t]*+)from[ \t]++autograder(?:\.\w++)*+[ \t]++import[ \t]*+"
    r"(?:\((?P<wrapped>[^()]{1,2000}+)\)|(?P<plain>[\w, \t]{1,2000}+))[ \t]*+(?:#.*+)?$",
    re.MULTILINE,
)
INSTALLERS = {"pip", "pip3", "conda", "mamba", "uv", "apt", "apt-get"}


def with_stand_ins(source: str) -> str:
    """The source in which checks that it imports are functions that do nothing, and nothing is installed.

    The lines keep their numbers.
    """
    if "autograder" in source:
        source = IMPORT.sub(_stand_in, source)
    if source.startswith("%%"):  # another language, perhaps
        return source
    if "!" not in source and "%" not in source:
        return source
    return "\n".join(map(_not_installed, source.split("\n")))


def _stand_in(found: re.Match[str]) -> str:
    names = [part.split()[-1] for part in (found["wrapped"] or found["plain"]).split(",") if part.split()]
    if not names or not all(name.isidentifier() for name in names):
        return found[0]
    return f"{found['indent']}{' = '.join(names)} = lambda *args, **options: None" + "\n" * found[0].count("\n")


def _not_installed(line: str) -> str:
    """The line, or in its place another that says that nothing is installed."""
    bare = line.lstrip(" \t")
    if not bare.startswith(("!", "%")):
        return line
    words = bare[1:].split()
    words = words[1:] if words[:1] == ["sudo"] else words
    if words[1:2] == ["-m"] and ("python" in words[0] or words[0] == "{sys.executable}"):
        words = words[2:]
    if not INSTALLERS & {*words[:1]} or line.endswith("\\"):
        return line
    return f'{line[: len(line) - len(bare)]}print("Nothing is installed where this is graded.")'

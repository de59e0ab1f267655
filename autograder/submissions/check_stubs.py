"""Neutralises what learners' cells do at home but not in the sandbox: calling checks and installing packages.

Neither must stop the cell or waste its time: without a network, pip retries for many seconds.
"""

import re

IMPORT = re.compile(
    r"^(?P<indent>[ \t]*+)from[ \t]++autograder(?:\.\w++)*+[ \t]++import[ \t]*+"
    r"(?:\((?P<wrapped>[^()]{1,2000}+)\)|(?P<plain>[\w, \t]{1,2000}+))[ \t]*+(?:#.*+)?$",
    re.MULTILINE,
)
INSTALLERS = {"pip", "pip3", "conda", "mamba", "uv", "apt", "apt-get"}


def with_stand_ins(source: str) -> str:
    """The source with imported checks replaced by no-op functions, and installations by a message.

    Line numbers are unchanged.
    """
    if "autograder" in source:
        source = IMPORT.sub(_stand_in, source)
    if source.startswith("%%"):  # possibly another language
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
    """The line; a command that installs packages is replaced by a message."""
    bare = line.lstrip(" \t")
    if not bare.startswith(("!", "%")):
        return line
    words = bare[1:].split()
    words = words[1:] if words[:1] == ["sudo"] else words
    if words[1:2] == ["-m"] and ("python" in words[0] or words[0] == "{sys.executable}"):
        words = words[2:]
    if not INSTALLERS & {*words[:1]} or line.endswith("\\"):
        return line
    return f'{line[: len(line) - len(bare)]}print("No packages are installed during grading.")'

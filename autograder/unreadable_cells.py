"""A cell's statements, and what stands behind a cell without: an unfinished merge, the syntax of a newer Python."""

import ast
import re
import sys

UNREAD = re.compile(r"(?:Syntax|Indentation|Tab)Error: (?P<problem>[^\n]*) \((?:<|/tmp/ipykernel)[^()\n]*, line \d+\)")
CONFLICT = re.compile(r"^<{7} ", re.MULTILINE)
FENCE = re.compile(r"^[ \t]*+```", re.MULTILINE)
MAX_SOURCE = 20_000  # characters that are searched
# The first Python that reads it, how it is recognised, what it is, what to do instead.
NEWER = (
    (
        (3, 12),
        re.compile(r"""\b[fF](["'])(?:(?!\1)[^\n]){0,200}?\{[^{}"'\n]{0,200}\1[^{}\n]{0,200}\1[^{}\n]{0,200}\}"""),
        "An f-string with its own quotation marks within the braces",
        "use the other kind of quotation marks within them",
    ),
    (
        (3, 12),
        re.compile(r"""\b[fF](["'])(?:(?!\1)[^\n]){0,200}?\{[^{}\\\n]{0,200}\\[^{}\n]{0,200}\}"""),
        "An f-string with a backslash within the braces",
        "give what has the backslash a name above it",
    ),
    (
        (3, 12),
        re.compile(r"^[ \t]*+(?:async[ \t]++)?(?:def|class)[ \t]++\w++\[", re.MULTILINE),
        "A type parameter in square brackets",
        "leave it out",
    ),
    (
        (3, 12),
        re.compile(r"^[ \t]*+type[ \t]++\w++(?:\[[^\n\]]*+\])?[ \t]*+=", re.MULTILINE),
        "A `type` statement",
        "write `NAME = …` in its place",
    ),
    (
        (3, 14),
        re.compile(r"^[ \t]*+except\*?+[ \t]++[\w.]++[ \t]*+,", re.MULTILINE),
        "An `except` of several exceptions without brackets",
        "put them in brackets",
    ),
    ((3, 14), re.compile(r"""(?<!\w)(?:[tT][rR]?|[rR][tT])["']"""), "A template string", "use an f-string"),
)


def statements(source: str) -> list[ast.stmt]:
    """The statements of a cell without IPython's lines; none if Python cannot read it."""
    plain = "\n".join("" if line.lstrip().startswith(("%", "!", "?")) else line for line in source.splitlines())
    try:
        return ast.parse(plain).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return []


def why_unread(text: str, source: str, version: tuple[int, int] = sys.version_info[:2]) -> str:
    """What is in the cell that the Python of this version cannot read, and what to do, in sentences; "" if unknown.

    text: the kind and message of the error, with the place; source: of the cell.
    """
    error = UNREAD.match(text)
    if error is None:
        return ""
    if match := CONFLICT.search(source):
        return (
            f"The cell has the conflict markers of a git merge, from line {_line(source, match)} on: keep one version, "
            "and delete the other with the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`."
        )
    if match := FENCE.search(source):
        return (
            f"Line {_line(source, match)} of the cell has ```, the mark of code within a text: delete such lines, and "
            "what is no Python above and below them."
        )
    ran = f"Python {version[0]}.{version[1]} ran this cell"
    newer = [
        f"{what} (line {_line(source, match)}) needs Python {least[0]}.{least[1]} or newer: {instead}."
        for least, pattern, what, instead in NEWER
        if version < least and (match := pattern.search(source[:MAX_SOURCE]))
    ]
    if newer:
        return " ".join([f"{ran}.", *newer])
    if error["problem"] == "invalid syntax":
        return f"{ran}; if it runs for you, your Python is newer, and has syntax that this one lacks: write it without."
    return ""


def _line(source: str, match: re.Match[str]) -> int:
    return source.count("\n", 0, match.start()) + 1

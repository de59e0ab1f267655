"""Finds the names that a cell binds and reads, from its tokens.

Not with ``ast``: hostile source can crash Python's parser, and with it the grader.
"""

import builtins
import io
import keyword
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

MAX_SOURCE = 20_000  # characters of one cell; no names are found in a longer one
ASSIGNING = {"=", "+=", "-=", "*=", "/=", "//=", "%=", "**=", "@=", "&=", "|=", "^=", ">>=", "<<="}
KNOWN = frozenset(dir(builtins)) | {"display", "get_ipython"}


@dataclass(frozen=True)
class Names:
    """bound: at the top level, by definitions, imports and assignments; free: read but not bound in the cell."""

    bound: frozenset[str] = frozenset()
    free: frozenset[str] = frozenset()


@lru_cache(maxsize=4096)
def names_of(source: str) -> Names:
    """The names of a cell; if it cannot be tokenized to its end, those up to the error."""
    if len(source) > MAX_SOURCE:
        return Names()
    top: set[str] = set()
    everywhere: set[str] = set()
    read: set[str] = set()
    for line, is_inside in _lines(source):
        bound, local = _bound(line)
        everywhere |= bound | local
        if not is_inside:
            top |= bound
        read |= _read(line)
    return Names(frozenset(top), frozenset(read - everywhere - KNOWN))


def _lines(source: str) -> Iterator[tuple[list[str], bool]]:
    """Each statement's token strings, and whether it is inside a function or class."""
    plain = re.sub(r"^[ \t]*[%!?].*$", "", source, flags=re.MULTILINE)  # IPython's magics
    depth = 0  # the statement's indentation
    definitions: list[int] = []  # those of the definitions around it
    line: list[str] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(plain).readline):
            if token.type == tokenize.INDENT:
                depth += 1
            elif token.type == tokenize.DEDENT:
                depth -= 1
            elif token.type == tokenize.NEWLINE:
                definitions = [outer for outer in definitions if outer < depth]
                yield line, bool(definitions)
                if "def" in line[:2] or "class" in line[:1]:
                    definitions.append(depth)
                line = []
            elif token.type in (tokenize.NAME, tokenize.OP):
                line.append(token.string)
    except (tokenize.TokenError, SyntaxError):
        pass


def _bound(line: list[str]) -> tuple[set[str], set[str]]:
    """The names that the statement binds in its own scope, and those in inner scopes, such as parameters."""
    if "def" in line[:2] or "class" in line[:1]:
        place = 2 if line[0] == "async" else 1
        return set(line[place : place + 1]), {name for name in line[place + 1 :] if _is_name(name)}
    if line[:1] == ["import"] or line[:1] == ["from"]:
        return _imported(line), set()
    bound: set[str] = set()
    local: set[str] = set()
    depth, last = 0, -1
    ends = {"for": _next(line, "in"), "lambda": _next(line, ":")}
    done = {False: 0, True: 0}  # how far words were taken as bound here, and in inner scopes
    for place, word in enumerate(line):
        depth += (word in "([{") - (word in ")]}")
        following = line[place + 1 : place + 2]
        if word in ASSIGNING and depth == 0:
            last = place
        elif word == "as" or following == [":="]:
            bound |= set(following if word == "as" else [word])
        elif word in ends:
            inner, stop = depth != 0, ends[word][place]
            (local if inner else bound).update(filter(_is_name, line[max(place, done[inner]) : stop]))
            done[inner] = max(stop, done[inner])
    for place, word in enumerate(line[: max(last, 0)]):
        if _is_name(word) and line[place + 1] not in (".", "(", "[") and line[place - 1 : place] != ["."]:
            bound.add(word)
    return set(filter(_is_name, bound)), local


def _next(line: list[str], word: str) -> list[int]:
    """For each position in the line, that of the word's next occurrence; the line's length if there is none."""
    found, at = [], len(line)
    for place in range(len(line) - 1, -1, -1):
        at = place if line[place] == word else at
        found.append(at)
    return found[::-1]


def _imported(line: list[str]) -> set[str]:
    if line[0] == "from":
        line = line[line.index("import") :] if "import" in line else []
    parts: list[list[str]] = [[]]
    for word in line[1:]:
        if word == ",":
            parts.append([])
        elif word not in "()":
            parts[-1].append(word)
    return {part[-1] if "as" in part else part[0] for part in parts if part and _is_name(part[0])}


def _read(line: list[str]) -> set[str]:
    """The names in a statement, except attributes and keyword argument names."""
    found, depth = set(), 0
    for place, word in enumerate(line):
        depth += (word in "([{") - (word in ")]}")
        is_keyword = depth > 0 and line[place + 1 : place + 2] == ["="]
        if _is_name(word) and not is_keyword and line[place - 1 : place] != ["."]:
            found.add(word)
    return found


def _is_name(word: str) -> bool:
    return word.isidentifier() and not keyword.iskeyword(word)

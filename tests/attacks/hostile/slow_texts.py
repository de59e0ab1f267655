"""Files that cost little to write and were meant to cost much to read, to match or to show."""

import sys
from collections.abc import Callable

from attacks.notebooks import END, Attack, Change, Notebook, adding, cell, code, prose, text

ODD = "\u202e\u200f\u200b\ufeff\u2028\u2029\x85\x0b\x0c\x1c\x1d\x1e\u0301\u1d2c\uff08\ue000\ue001\U000e0041\U0010ffff"


def texts(source: str) -> Change:
    return adding(prose(source), at=0)


def as_text(name: str, before: str) -> Change:
    """An answer's cell as a text, with something before it."""

    def change(notebook: Notebook) -> Notebook:
        hostile = cell(notebook, name)
        hostile |= {"cell_type": "markdown", "source": before + "".join(hostile["source"])}
        return notebook

    return change


def file(make: Callable[[bytes], bytes]) -> Change:
    return lambda notebook: make(text(notebook))


def lost_marks(notebook: Notebook) -> Notebook:
    """Nothing says which cell is which, and there are as many cells as are read, long ones."""
    for unmarked in notebook["cells"]:
        unmarked["metadata"] = {}
        unmarked["id"] = f"x{unmarked['id']}"
    more = [{**code(f"x{number} = 1\n" + "# filler\n" * 300), "id": f"m{number}"} for number in range(1_800)]
    return {**notebook, "cells": notebook["cells"] + more}


NAMELESS = {"name": "\\" * 200_000, "language": " " * 200_000}
BUNDLE = {"image/png": "A" * 2_000_000, "image/jpeg": ["/9j/"] * 100_000}
SPACES, LINES = " " * 3_000, "\n" * 400_000
BRACKETS = "([{" * 60_000
INTEGER = b'{"cells": [], "metadata": {"a": %s}, "nbformat": 4}' % (b"9" * 4_000_000)
DEEP = b'{"cells": ' + b"[" * 900_000 + b"]" * 900_000 + b"}"
QUOTED = b'{"cells": [{"cell_type": "code", "source": "' + b'\\"' * 400_000
UNREAD = {"points": 0, "status": "unreadable"}

ATTACKS = (
    Attack("spaces in an import", "a pattern that backtracks", rich=True, change=adding(
        {**code(f"from autograder.checks import{SPACES}(x{SPACES},\n{SPACES}y{SPACES}"), "id": "slow"})),
    Attack("brackets within brackets", "the end of the stack", change=lambda notebook: DEEP, **UNREAD),
    Attack("spaces after an import", "a pattern backtracks", f"from autograder.checks import x{SPACES}!", rich=True),
    Attack("installers without end", "a pattern backtracks", "if False:\n    !" + "python" * 20_000 + " -m", rich=True),
    Attack("empty lines in a cell", "a search that starts at each", f"x = 1{LINES}x = 2", rich=True),
    Attack("empty lines in a cell that fails", "a search for names", f"x = 1{LINES}raise ValueError", rich=True),
    Attack("backticks before an answer", "fences that match no other", rich=True, points=18,
           status="failed|memory" if sys.version_info >= (3, 12) else "failed",  # newer tokenizers take more of it
           change=as_text("weighted_sum_loop", "`" * 20_000 + "\n" + "`" * 20_001 + "x\n")),
    Attack("backticks in a text", "Markdown's own rules", rich=True, change=texts("`a``" * 1_200 + "\n" + "```" * 40)),
    Attack("brackets in a text", "Markdown's own rules", rich=True, change=texts("[" * 2_400 + "](" * 1_200)),
    Attack("quotes of quotes", "nesting in Markdown", rich=True, change=texts("> " * 2_400 + "a")),
    Attack("emphasis without end", "Markdown's own rules", rich=True, change=texts("**a_ *b__ " * 480)),
    Attack("a formula of braces", "TeX that nests", rich=True, change=texts("$$" + "{" * 1_900 + "}" * 1_900 + "$$")),
    Attack("tags that never close", "a search for their ends", rich=True, change=texts("<img " * 900)),
    Attack("many heavy texts", "each just below a bound", rich=True, change=adding(
        *(prose(f"{number}" + "[a](" * 1_200, id=f"p{number}") for number in range(300)), at=END)),
    Attack("escaped quotes in a file that is cut off", "a string sought at each quote",
           change=lambda notebook: QUOTED, **UNREAD),
    Attack("an enormous whole number", "quadratic conversion", change=lambda notebook: INTEGER, **UNREAD),
    Attack("commas without end", "a search at each", change=file(lambda data: data[:-1] + b"," * 400_000), **UNREAD),
    Attack("a script of a million parts", "memory", change=lambda notebook: b"#%%\nx\n" * 1_000_000, **UNREAD),
    Attack("a file of brackets", "memory", change=lambda notebook: b"[" + b"[]," * 4_000_000 + b"1]", **UNREAD),
    Attack("lines of brackets", "the parser", f"if False:\n    x = {BRACKETS!r}", rich=True),
    Attack("a line of words", "names found by tokens", "if False: " + "for " * 4_900, rich=True),
    Attack("every odd sign", "lines and words that others count otherwise", rich=True,
           change=texts((ODD + " `x` $y$ **z**\n") * 200)),
    Attack("odd signs in code", "lines that others count otherwise", f"x = '''{ODD * 500}'''", rich=True),
    Attack("no cell says which it is", "every cell is compared with every other", rich=True, change=lost_marks),
    Attack("a name without end", "what is told of it", rich=True,
           change=lambda notebook: {**notebook, "metadata": {"kernelspec": NAMELESS}}),
    Attack("pictures that are none", "conversion without end", rich=True,
           change=adding(prose("![a](attachment:a)", attachments={"a": BUNDLE}), at=END)),
)  # fmt: skip

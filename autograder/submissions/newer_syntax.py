"""Cells that only a newer Python than the grader's can read, as Colab's may be."""

import re
import sys
from collections.abc import Sequence

from autograder.submissions.cells import NotebookCell
from autograder.submissions.defined_names import MAX_SOURCE, compiled

# The first Python that reads it, how it is recognised, what it is, what to write instead.
NEWER = (
    (
        (3, 12),
        re.compile(r"""\b[fF](["'])(?:(?!\1)[^\n]){0,200}?\{[^{}"'\n]{0,200}\1[^{}\n]{0,200}\1[^{}\n]{0,200}\}"""),
        "an f-string with its own quotation marks within the braces",
        "use the other kind of quotation marks within them",
    ),
    (
        (3, 12),
        re.compile(r"^[ \t]*+(?:async[ \t]++)?(?:def|class)[ \t]++\w++\[", re.MULTILINE),
        "type parameters in square brackets",
        "leave them out",
    ),
    (
        (3, 12),
        re.compile(r"^[ \t]*+type[ \t]++\w++(?:\[[^\n\]]*+\])?[ \t]*+=", re.MULTILINE),
        "a `type` statement",
        "assign the type to a name",
    ),
    (
        (3, 14),
        re.compile(r"^[ \t]*+except[ \t]++[\w.]++[ \t]*+,", re.MULTILINE),
        "an `except` of several exceptions without brackets",
        "put them in brackets",
    ),
    ((3, 14), re.compile(r"""(?<!\w)[tT]["']"""), "a template string", "use an f-string"),
)


def newer_syntax(entries: Sequence[NotebookCell], version: tuple[int, int] = sys.version_info[:2]) -> list[str]:
    """A note for the learner on each cell that this Python cannot read, but a newer one can."""
    notes = []
    for entry in entries:
        if entry.kind != "code" or len(entry.source) > MAX_SOURCE or compiled(entry.source) is not None:
            continue
        for least, pattern, what, instead in NEWER:
            if version < least and pattern.search(entry.source):
                notes.append(
                    f"{entry.name} has {what}, which needs Python {least[0]}.{least[1]} or newer; it was graded by "
                    f"Python {version[0]}.{version[1]}, which cannot read that cell: {instead}."
                )
                break
    return notes

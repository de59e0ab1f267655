"""A cell that stops because the sandbox lacks what its learner's machine had: the rest of it runs nevertheless.

A module that is not installed, a mounted drive, a file, a network, somebody to answer ``input()``, a higher limit: none
of these is what is graded, so none of them may cost the definitions below it in the same cell.
"""

import ast
import traceback
from typing import Any

LACKING = (ImportError, OSError, EOFError)
# What resource.setrlimit says, as a ValueError, where a limit of ours is lower than the one that is asked for.
TOO_HIGH = ("not allowed to raise maximum limit",), ("current limit exceeds maximum limit",)
MAGIC = ("get_ipython", "run_line_magic")


def go_on(statements: str, names: dict[str, Any], error: BaseException, files: tuple[str, ...]) -> str:
    """Runs what stands below the statement that raised ``error``, each statement for itself, among ``names``.

    ``statements`` is the cell as Python; ``files`` are how the names of files begin that cells are compiled under.
    Returns a sentence on it; empty where the error is the learner's own, and nothing ran.
    """
    place = next(
        (
            (frame.f_code.co_filename, line)
            for frame, line in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_name == "<module>" and frame.f_code.co_filename.startswith(files)
        ),
        None,
    )
    if place is None:
        return ""
    file, line = place
    body = ast.parse(statements).body
    failed = next((node for node in body if node.lineno <= line <= (node.end_lineno or node.lineno)), None)
    text = ast.get_source_segment(statements, failed) or "" if failed else ""
    is_lacking = isinstance(error, LACKING) or (type(error) is ValueError and error.args in TOO_HIGH)
    is_lacking = is_lacking or (text.startswith(MAGIC[0]) and MAGIC[1] in text)
    if failed is None or not is_lacking:
        return ""
    for node in body[body.index(failed) + 1 :]:
        try:
            exec(compile(ast.Module([node], []), file, "exec"), names)
        except Exception:  # most likely it needs what the first one should have brought
            continue
    kind = type(error).__name__
    return f"One statement could not run where this is graded (the {kind} below); the rest of the cell did.\n"

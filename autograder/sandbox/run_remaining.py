"""Runs the rest of a cell that stopped because the sandbox lacks something that the learner's machine had.

A missing module, a mounted drive, a file, a network, an answer to ``input()``, a higher limit: none of these is
graded, so none may cost the definitions below it in the same cell.
"""

import ast
import traceback
from typing import Any

LACKING = (ImportError, OSError, EOFError)
# ValueErrors of resource.setrlimit when the requested limit is higher than ours.
TOO_HIGH = ("not allowed to raise maximum limit",), ("current limit exceeds maximum limit",)
MAGIC = ("get_ipython", "run_line_magic")


def run_rest(statements: str, names: dict[str, Any], error: BaseException, files: tuple[str, ...]) -> str:
    """Runs the statements below the one that raised ``error``, each on its own, in the namespace ``names``.

    ``statements`` is the cell as Python; ``files`` are the prefixes of the file names that cells are compiled under.
    Returns a note for the learner; empty if the error is the learner's own and nothing was run.
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
        except Exception:  # most likely it needs what the failed statement should have provided
            continue
    kind = type(error).__name__
    return f"One statement could not run in the grading environment ({kind}, see below); the rest of the cell did.\n"

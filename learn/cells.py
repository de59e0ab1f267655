"""Runs a notebook's cells in this process and writes what each did, one JSON line per cell: ``running`` starts it.

The cells run in IPython, so that ``%`` and ``!`` lines work; nothing that they print is kept.
"""

import json
import linecache
import os
import sys
import traceback
from pathlib import Path
from typing import Any


def main(notebook: Path, folder: Path, report: Path) -> None:
    """Runs the cells in the file ``notebook``, a list as JSON, with ``folder`` as their working directory."""
    os.chdir(folder)
    sys.path.insert(0, "")
    os.environ.setdefault("MPLBACKEND", "agg")
    os.environ["PYTHONBREAKPOINT"] = "0"  # as where it is graded
    sys.stdin = open(os.devnull, encoding="utf-8")  # noqa: SIM115  # input() ends at once; nobody is there to answer
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output
    from traitlets.config import Config

    unrecorded = Config({"HistoryManager": {"enabled": False}})
    shell = InteractiveShell.instance(colors="nocolor", config=unrecorded)
    cells = json.loads(notebook.read_text(encoding="utf-8"))
    with report.open("a", encoding="utf-8") as file:
        for number, cell in enumerate(cells):
            if cell["cell_type"] != "code":
                continue
            print(json.dumps({"begins": number}), file=file, flush=True)
            with capture_output():
                result = shell.run_cell(cell["source"], store_history=True)
            ran = _report(number, cell, result.error_before_exec or result.error_in_exec)
            print(json.dumps(ran), file=file, flush=True)


def _report(number: int, cell: dict[str, Any], error: BaseException | None) -> dict[str, Any]:
    finding = getattr(error, "finding", None)
    return {
        "cell": number,
        "id": cell["metadata"]["nbgrader"].get("grade_id", ""),
        "kind": type(error).__name__ if error is not None else "",
        "message": str(error) if error is not None else "",
        "mistake": getattr(finding, "mistake", ""),
        "line": _line(error) if error is not None else "",
    }


def _line(error: BaseException) -> str:
    """The notebook's own line that raised it, the innermost."""
    frames = [(frame.f_code.co_filename, number) for frame, number in traceback.walk_tb(error.__traceback__)]
    in_cells = [frame for frame in frames if frame[0].startswith("<ipython-input")]
    return linecache.getline(*in_cells[-1]).strip() if in_cells else ""


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

"""A course of one small exercise, and a judge that needs no sandbox: for tests of everything around the judge."""

from pathlib import Path
from typing import Any

import autograder
import seq2seq
from autograder.finding import UNWRITTEN, Finding
from autograder.records.job import Job
from autograder.records.verdict import CellResult, CheckVerdict, Verdict
from autograder.sandbox.errors import SandboxUnavailable

ROOT = Path(__file__).resolve().parents[1]
NAME = "01_small"
EVIL = '=HYPERLINK("http://evil.example","x")'  # what a learner may call themselves

BLANK = Finding(mistake=UNWRITTEN, got="not written yet")

LIBRARY = '''"""Small answers."""

import torch


def double(x: torch.Tensor) -> torch.Tensor:
    """Twice x.

    $$y = 2 x$$
    """
    # by addition
    return x + x


class Halver(torch.nn.Module):
    """Half of x."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.size = size

    def project(self, x: torch.Tensor) -> torch.Tensor:
        return x * 1

    def forward(
        self,
        x: torch.Tensor,
    ) -> torch.Tensor:
        return self.project(x) / 2

    def fast(self, x: torch.Tensor) -> torch.Tensor:
        return x / 2
'''

SCRIPT = """# ---
# jupyter:
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# course:
#   title: Small
#   chapters: [1]
#   given: [seq2seq/__init__.py]
# ---

# %% [markdown]
# # Small

# %% given="setup"
import torch

# %% answer="double"
from seq2seq.small import double

# %%
double(torch.ones(2))

# %% check="double_right" points=2
assert double(torch.ones(2)).tolist() == [2.0, 2.0], "double: not twice."

# %% answer="Halver.project Halver.forward" omit="Halver.fast"
from seq2seq.small import Halver

# %% check="halver_right" points=1
assert Halver(3)(torch.ones(2)).tolist() == [0.5, 0.5], "Halver: not half."

# %% check="halver_hidden" points=1.5 hidden=true
# More sizes, which you do not see.
secret = torch.full((7,), 41.0)
assert Halver(7)(secret)[0].item() == 20.5, "Halver: not half for other sizes."
"""


def make(root: Path) -> Path:
    """The course's folders below ``root``."""
    for folder in ("solutions", "seq2seq"):
        (root / folder).mkdir(parents=True)
    (root / "autograder").symlink_to(Path(autograder.__file__).parent, target_is_directory=True)
    (root / "solutions" / f"{NAME}.py").write_text(SCRIPT, encoding="utf-8")
    (root / "seq2seq" / "small.py").write_text(LIBRARY, encoding="utf-8")
    for path in Path(seq2seq.__file__).parent.iterdir():
        (root / "seq2seq" / path.name).symlink_to(path, target_is_directory=path.is_dir())
    return root


def hand_in(folder: Path, student: str, work: str | bytes, name: str = f"{NAME}.ipynb") -> Path:
    """Puts a notebook into the folder of a class."""
    target = folder / student / NAME
    target.mkdir(parents=True, exist_ok=True)
    (target / name).write_bytes(work if isinstance(work, bytes) else work.encode())
    return folder


def hand_in_all(top: Path, works: dict[str, str], **times: str) -> Path:
    """The folder of a class: learner → the text of the notebook, and of some the time at which it was handed in."""
    for student, text in works.items():
        hand_in(top / "submitted", student, text)
    for student, time in times.items():
        hand_in(top / "submitted", student, time, "timestamp.txt")
    return top / "submitted"


class FakeJudge:
    """Gives points by the words in the cells: full points unless the last answer says otherwise."""

    started = 0

    def __init__(self, *arguments: Any, **options: Any) -> None:
        pass

    def __enter__(self) -> "FakeJudge":
        type(self).started += 1
        return self

    def __exit__(self, *reason: Any) -> None:
        pass

    def kill(self) -> None:
        pass

    def run(self, job: Job) -> Verdict:
        checks, cells = [], []
        code = "\n".join(cell.source for cell in job.cells if cell.kind == "code")
        for cell in job.cells:
            if cell.kind == "code":
                shown = [{"output_type": "stream", "name": "stdout", "text": f"{cell.name} ran\n"}]
                cells.append(CellResult(cell.name, "timeout" if "loops" in cell.source else "ok", shown))
            elif "not written yet" in code:
                checks.append(CheckVerdict(cell.name, 0.0, cell.max_points, "failed", BLANK))
            elif "half right" in code:
                half = Finding(got="half right")
                checks.append(CheckVerdict(cell.name, cell.max_points / 2, cell.max_points, "partial", half))
            else:
                checks.append(CheckVerdict(cell.name, cell.max_points, cell.max_points, "passed"))
        status = "timeout" if "loops" in code else "ok" if all(c.status == "passed" for c in checks) else "failed"
        return Verdict(status, job.seed, checks, cells)


class NoSandbox(FakeJudge):
    def __enter__(self) -> "FakeJudge":
        raise SandboxUnavailable("the command `bwrap` is not installed.")

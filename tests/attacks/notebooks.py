"""What an attack is, and the notebooks that attacks are made of: the released exercise, filled in rightly or poorly."""

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, reduce
from pathlib import Path
from types import MappingProxyType
from typing import Any

from sample_class import make

ROOT = Path(__file__).resolve().parents[2]
NAME = "00_attention"
END = sys.maxsize  # a place behind all cells
Notebook = dict[str, Any]
Change = Callable[[Notebook], "Notebook | bytes"]


@dataclass(frozen=True)
class Attack:
    """``source`` becomes a cell of the learner's own at ``place``, or ``change`` makes the file.

    place: "first" (before the instructor's imports), "early" (after them), "last", or the grade id of the answer
    cell that it replaces. A poor notebook has task 1 right (2 points) and answers everything else wrongly;
    a rich one has everything right (20 points).
    """

    name: str
    wants: str
    source: str = ""
    place: str = "early"
    rich: bool = False
    change: Change | None = None
    points: float | None = None  # that it honestly deserves: 2 of a poor notebook and 20 of a rich one unless said
    status: str = ""  # "failed" of a poor notebook and "ok" of a rich one unless said; "a|b" where the limits race
    honest: bool = False  # no ill will: whoever gives fewer points than it deserves punishes honest work
    folder: str = ""  # how the file is laid down where it is no plain file: "link", "folder" or "pipe"

    @property
    def deserves(self) -> float:
        return self.points if self.points is not None else 20.0 if self.rich else 2.0

    @property
    def ends(self) -> tuple[str, ...]:
        """The statuses that its verdict may have."""
        return tuple(self.status.split("|")) if self.status else ("ok" if self.deserves == 20 else "failed",)


# An attempt that succeeds says so.
TRIED = """
import ctypes, fcntl, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def tried(word, *attempts):
    for attempt in attempts:
        try:
            print(word, attempt())
        except (OSError, ValueError, AttributeError) as error:
            print(error)
"""

# After each cell whatever ``lies`` holds takes the place of an answer.
KEEP = """
def keep(result=None):
    get_ipython().user_ns.update(lies)
get_ipython().events.register('post_run_cell', keep)
"""

# Each wrong answer is a mistake that its task lists, which is soon recognised.
POOR = """
def weighted_sum_loop(weights, values):
    return sum(weights[:, j, None] * values[:, j] for j in range(weights.size(1)))

def weighted_sum(weights, values):
    return values.sum(1)

def score_gradient(weights, values, context_gradient):
    return weights * (values @ context_gradient.unsqueeze(-1)).squeeze(-1)

def masked_softmax(scores, source_mask, temperature=1.0):
    return torch.softmax(scores / temperature, -1)

def attend(scores, values, source_mask):
    weights = masked_softmax(scores, source_mask)
    return weights, weighted_sum(weights, values)

class DotScorer:
    def score(self, query, projected_keys):
        return -(projected_keys @ query.unsqueeze(-1)).squeeze(-1)

class ScaledDotScorer:
    def score(self, query, projected_keys):
        return (projected_keys @ query.unsqueeze(-1)).squeeze(-1)

class BilinearScorer:
    def project_keys(self, keys):
        return self.key_layer(keys)
    def score(self, query, projected_keys):
        return -(projected_keys @ query.unsqueeze(-1)).squeeze(-1)

class AdditiveScorer:
    def project_keys(self, keys):
        return self.key_layer(keys)
    def score(self, query, projected_keys):
        return torch.tanh(self.query_layer(query).unsqueeze(-2) + projected_keys).sum(-1)

class LocationScorer:
    def score(self, query, projected_keys):
        if projected_keys.size(-2) > self.position_layer.out_features:
            raise ValueError("too many keys")
        return -self.position_layer(query)[..., : projected_keys.size(-2)]
"""


@cache
def _filled(rich: bool) -> str:
    """The exercise without its demonstrations, which take most of the time."""
    notebook = json.loads(make.RELEASE.read_text(encoding="utf-8"))
    bodies = make.student("ada")[0] if rich else make.definitions(POOR)
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["cell_type"] != "code" or cell["metadata"]]
    for cell in notebook["cells"]:
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = make.fill("".join(cell["source"]), bodies).splitlines(keepends=True)
    return json.dumps(notebook)


def filled(rich: bool = True) -> Notebook:
    """A fresh copy of the notebook with every task right, or with task 1 right alone."""
    return json.loads(_filled(rich))


def code(source: str, **settings: object) -> dict:
    metadata = {"nbgrader": settings} if settings else {}
    lines = source.splitlines(keepends=True)
    return {"cell_type": "code", "execution_count": None, "metadata": metadata, "outputs": [], "source": lines}


def prose(source: str, **parts: object) -> dict:
    return {"cell_type": "markdown", "id": "prose", "metadata": {}, "source": source} | parts


def adding(*cells: dict, at: int = 2) -> Change:
    def change(notebook: Notebook) -> Notebook:
        notebook["cells"][at:at] = cells
        return notebook

    return change


def cell(notebook: Notebook, grade_id: str) -> dict:
    return next(cell for cell in notebook["cells"] if cell["id"] == grade_id)


def index(notebook: Notebook, grade_id: str) -> int:
    return notebook["cells"].index(cell(notebook, grade_id))


def text(notebook: Notebook) -> bytes:
    return json.dumps(notebook, ensure_ascii=False).encode("utf-8", "surrogatepass")


def source(attack: Attack, words: Mapping[str, str]) -> str:
    """What it runs, with names of this machine for those that stand in its text."""
    return reduce(lambda text, word: text.replace(*word), words.items(), attack.source.strip())


def content(attack: Attack, words: Mapping[str, str]) -> bytes:
    notebook = filled(attack.rich)
    places = {"first": 0, "early": index(notebook, "setup") + 1, "last": END}
    if attack.source and attack.place in places:
        cell_of_its_own = {**code(source(attack, words) + "\n"), "id": "attack"}
        notebook = adding(cell_of_its_own, at=places[attack.place])(notebook)
    elif attack.source:
        cell(notebook, attack.place)["source"] = source(attack, words).splitlines(keepends=True)
    changed = notebook if attack.change is None else attack.change(notebook)
    return changed if isinstance(changed, bytes) else text(changed)


def hand_in(attack: Attack | None, folder: Path, words: Mapping[str, str] = MappingProxyType({})) -> None:
    """Lays a submission down at ``folder``, the student's; none is the honest one."""
    path = folder / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    if attack is None:  # with a word that nobody else may read
        path.write_bytes(text(adding({**code("# CANARY-NEIGHBOUR"), "id": "mine"}, at=END)(filled())))
    elif attack.folder == "link":
        path.symlink_to(ROOT / "build" / "source" / NAME / f"{NAME}.ipynb")
    elif attack.folder == "folder":
        path.mkdir()
    elif attack.folder == "pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(content(attack, words))

"""Memory: a hoard ends the hoarder."""

import sys

from attacks.attack import Attack

ATTACKS = (
    Attack("one large block", "exhaust the machine's memory", "hoard = bytearray(200 * 2**30)", rich=True),
    Attack("a result that expands", "make the grader unfold 4 TB from 4 bytes",
           "def attend(scores, values, source_mask):\n    huge = torch.zeros(1).expand(2**40)\n    return huge, huge",
           place="attend", rich=True, points=18),
    Attack("a growing list", "exhaust the machine's memory step by step",
           "hoard = []\nwhile True:\n    hoard.append(bytearray(64 * 2**20))", rich=True, status="memory"),
    Attack("endless recursion", "overflow the stack", "def f():\n    f()\nf()", rich=True),
    Attack("recursion without a limit", "overflow the stack of the interpreter itself",
           "import sys\nsys.setrecursionlimit(10**9)\nf = lambda x: [x].sort(key=f)\nf(1)", rich=True,
           status="ok" if sys.version_info[:2] == (3, 12) else "crashed"),
)  # fmt: skip

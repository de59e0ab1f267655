"""Exits: the end of a process is neither success nor anyone else's end."""

from attacks.notebooks import END, Attack, adding, code

DOT = "class DotScorer(Scorer):\n    def score(self, query, projected_keys):\n        "


ATTACKS = (
    Attack("quit()", "leave early", "quit()", rich=True, honest=True),
    Attack("os._exit in an answer", "end with success before the check has ended", DOT + "__import__('os')._exit(0)",
           "dot_scorer", True, points=18, status="crashed"),
    Attack("exit()", "leave early", "exit()", rich=True, honest=True),
    Attack("sys.exit(0)", "end with success", "import sys\nsys.exit(0)", rich=True, honest=True),
    Attack("SystemExit in an answer", "end with success", DOT + "raise SystemExit(0)", "dot_scorer", True, points=18),
    Attack("os._exit(0)", "end with success", "import os\nos._exit(0)", rich=True, status="crashed", honest=True),
    Attack("abort", "crash the grader", "import os\nos.abort()", rich=True, status="crashed"),
    Attack("segmentation fault", "crash the grader", "import ctypes\nctypes.string_at(0)", rich=True, status="crashed"),
    Attack("another program", "end with success as /bin/true", "import os\nos.execv('/bin/true', ['true'])", rich=True,
           status="crashed"),
    Attack("KeyboardInterrupt", "be taken for the instructor's Ctrl-C", DOT + "raise KeyboardInterrupt", "dot_scorer",
           True, points=18),
    Attack("an exception of its own root", "slip past `except Exception`",
           "class Pass(BaseException):\n    pass\n" + DOT + "raise Pass('2 points')", "dot_scorer", True, points=18),
    Attack("an exception that raises", "break whoever prints it",
           "class Evil(Exception):\n    def __str__(self):\n        raise self\n    __repr__ = __str__\n" + DOT
           + "raise Evil", "dot_scorer", True, points=18),
    Attack("raise in a cell", "nothing: an honest mistake", "1 / 0", rich=True, honest=True),
    Attack("20 crashing cells", "hold up the grader", rich=True, status="crashed", change=adding(
        *({**code("import os\nos._exit(0)"), "id": f"crash-{number}"} for number in range(20)), at=END)),
)  # fmt: skip

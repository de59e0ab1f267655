"""A notebook's cells run in the box as anywhere: what the box lacks is stood in for, or costs its statement alone."""

import ast

import pytest
from IPython.core.interactiveshell import InteractiveShell
from learners import ROOT, misses

from autograder.assignments.assignment import load
from autograder.sandbox.shell import run_rest

# IPython speaks of whichever environment happens to be active in the shell.
pytestmark = [pytest.mark.sandbox, pytest.mark.filterwarnings("ignore:Attempting to work in a virtualenv")]

ADD = "\ndef f(x):\n    return x + 1"
COMPILED = "{}\nprint(float(f(torch.ones(()))))"
MODEL = "class Model(nn.Module):\n    def forward(self, x):\n        return x + 1\nf = Model()\nf.compile()"
LOCK = "file = open('/tmp/lock', 'w')\nfcntl.flock(file, 2)\nfcntl.lockf(file, 2)\nprint('held')"
CELLS = {
    "imports": ("import faulthandler, fcntl, getpass, grp, os, pwd, shutil, signal, sys, torch, torch.nn as nn", ""),
    "the user": ("print(getpass.getuser(), os.getlogin())", "nobody nobody"),
    "the user's home": ("print(pwd.getpwuid(os.getuid()).pw_dir, os.path.expanduser('~nobody/x'))", "/tmp /tmp/x"),
    "the user's group": ("print(grp.getgrgid(os.getgid()).gr_name)", "nogroup"),
    "the terminal": ("print(*os.get_terminal_size(), *os.get_terminal_size(1))", "80 24 80 24"),
    "the terminal, by its other name": ("print(*shutil.get_terminal_size())", "80 24"),
    "encodings": ("print(sys.stdout.encoding.lower(), sys.stderr.encoding.upper())", "utf-8 UTF-8"),
    "streams": ("print(sys.stdout.name, sys.stdout.isatty())", "<stdout> False"),
    "numbers of streams": ("print(sys.stdout.fileno(), sys.stderr.fileno())", "1 2"),
    "signals": ("print(signal.signal(signalnum=signal.SIGUSR1, handler=signal.SIG_IGN) == signal.SIG_DFL)", "True"),
    "faults": ("faulthandler.enable()\nprint(faulthandler.is_enabled())", "True"),
    "magics": ("%matplotlib inline\nx = !echo hello\nprint(x[0])", "hello"),
    "compiled by a decorator": (COMPILED.format(f"@torch.compile{ADD}"), "2.0"),
    "compiled with settings": (COMPILED.format(f"@torch.compile(dynamic=True, mode='max-autotune'){ADD}"), "2.0"),
    "compiled by a call": (COMPILED.format("f = torch.compile(lambda x: x + 1, fullgraph=True)"), "2.0"),
    "compiled module": (COMPILED.format(MODEL), "2.0"),
    "names of a compiled module": ("print(list(torch.compile(nn.Linear(2, 2)).state_dict()))", "['weight', 'bias']"),
    "a lock of one's own": (LOCK, "held"),
    "quit": ("quit()", ("", "SystemExit")),
    "exit": ("sys.exit(3)", "SystemExit"),
}
LIMITS = "NOFILE, (4096, 4096)", "CPU, (10**6, 10**6)", "STACK, (-1, 2**40)", "AS, (-1, -1)", "NPROC, (500, 500)"
BELOW = "\ndef answer():\n    return 42\n"


def test_cells_find_what_they_ask_of_their_machine(learner):
    assert misses(learner(), CELLS) == {}


def test_a_limit_that_cannot_be_raised_costs_its_statement_alone(learner):
    work = learner()
    for limit in LIMITS:
        work(f"answer = None\nimport resource\nresource.setrlimit(resource.RLIMIT_{limit}){BELOW}")
        assert work("print(answer())") == "42", limit


def test_printed_text_is_cut_and_says_so(learner):
    outputs = learner().outputs("for _ in range(300):\n    print('x' * 100_000)")
    assert sum(len(output["text"]) for output in outputs) < 2 * 2**20
    assert "cut here" in outputs[-1]["text"]


def test_pictures_are_shown_and_pages_and_scripts_are_not(learner):
    outputs = learner().outputs("import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    assert "image/png" in outputs[-1]["data"]
    shown = "from IPython.display import HTML, Javascript, display\ndisplay(HTML('<b>x</b>'))\nJavascript('x')"
    assert all(set(output["data"]) <= {"text/plain", "image/png"} for output in learner().outputs(shown))


def test_what_many_submissions_import_is_imported_once_before_the_fork(box, run):
    is_there = "import sys\nprint([name in sys.modules for name in ('seq2seq.scorer', 'wave')])"
    assert run(is_there) == "[True, False]"
    box.make_imports(["wave", "no_such_module"])
    assert run(is_there) == "[True, True]"
    slow = {name: load(ROOT, name).slow_imports for name in ("04_lookup", "16_capstone")}
    assert slow == {"04_lookup": (), "16_capstone": ("torch._dynamo",)}, "the optimisers' module is for who trains"


LACKING = [
    "import nowhere_to_be_found",
    "from google.colab import drive\ndrive.mount('/content/drive')",
    "table = open('/content/drive/table.csv')\nprint(table.read())",
    "if True:\n    import nowhere_to_be_found",
    "%matplotlib widget",
    "%load_ext nowhere",
    "runs = []\nruns.append(1)\nimport nowhere_to_be_found as n\nn.x()\n1 / 0\nruns.append(2)",
]
WRONG = ["1 / 0", "assert False", "nothing_of_this_name", "raise SystemError"]


@pytest.mark.parametrize("source", [*LACKING, *WRONG])
def test_definitions_below_what_is_lacking_are_there_and_an_error_of_the_learners_own_ends_the_cell_as_ever(source):
    names, note = {"get_ipython": lambda: None}, None
    statements = InteractiveShell().transform_cell(source + BELOW)
    try:
        for node in ast.parse(statements).body:
            exec(compile(ast.Module([node], []), "<ipython-input-1>", "exec"), names)
    except Exception as error:
        note = run_rest(statements, names, error)
    if source in WRONG:
        assert note == ""
        assert "answer" not in names
    else:
        assert "the rest of the cell did" in note
        assert names["answer"]() == 42
        assert names.get("runs", [1, 2]) == [1, 2], "what stands above runs again, or an error ends what is below"

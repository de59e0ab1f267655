"""What a notebook asks of its machine and the box does not have is answered, and costs an honest cell nothing."""

import pytest

pytestmark = pytest.mark.sandbox


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("import getpass\nprint(getpass.getuser())", "nobody"),
        ("import os, pwd\nprint(pwd.getpwuid(os.getuid()).pw_dir)", "/tmp"),
        ("import grp, os\nprint(grp.getgrgid(os.getgid()).gr_name)", "nogroup"),
        ("import os\nprint(os.getlogin())", "nobody"),
        ("import os\nprint(os.path.expanduser('~nobody/notes'))", "/tmp/notes"),
        ("import os\nprint(os.get_terminal_size().columns, os.get_terminal_size(1).lines)", "80 24"),
        ("import shutil\nprint(shutil.get_terminal_size().columns)", "80"),
        ("import sys\nprint(sys.stdout.encoding.lower(), sys.stderr.encoding.upper())", "utf-8 UTF-8"),
        (
            "import sys\nprint(sys.stdout.name, sys.stdout.fileno(), sys.stderr.fileno(), sys.stdout.isatty())",
            "<stdout> 1 2 False",
        ),
        (
            "import signal\nprint(signal.signal(signalnum=signal.SIGUSR1, handler=signal.SIG_IGN) == signal.SIG_DFL)",
            "True",
        ),
        ("import faulthandler\nfaulthandler.enable()\nprint(faulthandler.is_enabled())", "True"),
    ],
)
def test_it_is_answered(run, source, said):
    assert run(source) == said


ANSWER = "\ndef answer():\n    return 42\n"


@pytest.mark.parametrize("limit", ["NOFILE, (4096, 4096)", "STACK, (-1, 2**40)", "AS, (-1, -1)", "NPROC, (500, 500)"])
def test_a_limit_that_cannot_be_raised_costs_its_statement_alone(learner, limit):
    one = learner()
    one(f"import resource\nresource.setrlimit(resource.RLIMIT_{limit}){ANSWER}")
    assert one("print(answer())") == "42"


@pytest.mark.parametrize(
    "source",
    [
        "@torch.compile\ndef f(x):\n    return x + 1",
        "@torch.compile(dynamic=True, mode='max-autotune')\ndef f(x):\n    return x + 1",
        "f = torch.compile(lambda x: x + 1, fullgraph=True)",
        "class Model(nn.Module):\n    def forward(self, x):\n        return x + 1\nf = Model()\nf.compile()",
    ],
)
def test_a_function_to_be_compiled_simply_runs(run, source):
    assert run(f"import torch\nfrom torch import nn\n{source}\nprint(float(f(torch.ones(()))))") == "2.0"


def test_a_compiled_module_keeps_its_names(run):
    source = "import torch\nprint(list(torch.compile(torch.nn.Linear(2, 2)).state_dict()))"
    assert run(source) == "['weight', 'bias']"

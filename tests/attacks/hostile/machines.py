"""Honest work that asks its machine for what the sandbox has not: the answer below it in the same cell counts."""

from attacks.attack import Attack

PLACE = "scaled_dot_scorer"
RIGHT = """
class ScaledDotScorer(Scorer):
    def score(self, query, projected_keys):
        return (projected_keys @ query[..., None]).squeeze(-1) / math.sqrt(query.size(-1))
"""
ASKS = {
    "who am I": "import getpass, os\nprint('Work of', getpass.getuser(), os.getlogin())",
    "users and groups": "import grp, os, pwd\nprint(pwd.getpwuid(os.getuid()), grp.getgrgid(os.getgid()))",
    "size of the terminal": "import os\nprint('-' * os.get_terminal_size().columns)",
    "encoding of the output": "import sys\nassert sys.stdout.encoding.lower() == 'utf-8'",
    "more open files": "import resource\nresource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))",
    "more time": "import resource\nresource.setrlimit(resource.RLIMIT_CPU, (10**6, 10**6))",
    "a compiled function": "@torch.compile\ndef twice(x):\n    return x + x\ntwice(torch.ones(2))",
    "a loader of data": "from torch.utils.data import DataLoader\nprint(*DataLoader(torch.arange(4), num_workers=1))",
    "a lock of one's own": "import fcntl\nfile = open('/tmp/lock', 'w')\nfcntl.flock(file, 2)\nfcntl.lockf(file, 2)",
    "a program beside": "import subprocess\nsubprocess.run(['true'], start_new_session=True, check=True)",
}

ATTACKS = tuple(
    Attack(name, "nothing but to work", f"{source}\n{RIGHT}", place=PLACE, rich=True, honest=True)
    for name, source in ASKS.items()
)

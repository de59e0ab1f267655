"""``hub``: a JupyterHub on this machine, to try the whole round in the browser."""

import argparse
import os
import shlex
import sys
from pathlib import Path

from autograder.commands.cli import OK

TEXT = """\
Starts a JupyterHub with an instructor and three learners, to try the whole round in the browser.

Run by root it makes an account for each of them, and --remove takes these away again; no other account is touched.
Run by anybody else it starts all servers as you, so its users are not kept apart.

examples:
  make hub                                        which installs what it needs, and runs this
  python -m autograder hub --port 8080            of the class in whose folder it is run, else of a new one
  python -m autograder hub --remove               with all that was handed in and graded there
"""
FOLDER, LOOPBACK = Path("build/hub"), "127.0.0.1"


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", type=Path, default=FOLDER, metavar="DIR", help=f"default: {FOLDER}")
    parser.add_argument("--prefix", default="hub-", metavar="TEXT", help="how its users' names begin; default: hub-")
    parser.add_argument("--ip", default=LOOPBACK, metavar="ADDRESS", help=f"where it listens; default: {LOOPBACK}")
    parser.add_argument("--port", type=int, default=8000, metavar="N", help="default: 8000; 0: any that is free")
    parser.add_argument("--remove", action="store_true", help="remove its folder and the accounts that it made")


def run(options: argparse.Namespace) -> int:
    from autograder.hub.trial import Trial, free_port, new_password, require_free

    trial = Trial(options.folder.resolve(), options.root, options.prefix)
    if options.remove:
        trial.remove()
        return OK
    port = options.port or free_port()
    require_free(options.ip, port)
    trial.prepare()
    password = new_password()
    file = trial.configure(options.ip, port, password)
    print(f"http://{options.ip}:{port}  the password of all: {password}")
    print(f"teaches  {trial.instructor}, with the class in {trial.homes / trial.instructor / 'course'}")
    print(f"learn    {', '.join(trial.learners)}")
    where = "" if options.folder == FOLDER else f" {shlex.quote(str(file))}"
    print(f"examine  python -m autograder doctor --hub{where}", flush=True)
    os.chdir(trial.state)
    os.execv(sys.executable, [sys.executable, "-P", "-m", "jupyterhub", "--config", str(file)])

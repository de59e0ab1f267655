#!/usr/bin/env python3
"""Stands in for podman and docker in tests: reads the command line of `run` and starts it in bubblewrap.

What it was asked is written to the file named by ENGINE_LOG, one JSON list a line.
"""

import json
import os
import signal
import sys

FLAGS = {"--rm", "--read-only", "--no-hosts", "--read-only-tmpfs=false"}


def run(arguments):
    mounts, name, entry = [], "", ""
    while arguments[0].startswith("--"):
        option = arguments.pop(0)
        value = "" if option in FLAGS else arguments.pop(0)
        if option == "--volume":
            mounts += ["--ro-bind", *value.split(":")[:2]]
        elif option == "--env":
            mounts += ["--setenv", *value.split("=", 1)]
        elif option == "--name":
            name = value
        elif option == "--entrypoint":
            entry = value
    box = ["bwrap", "--unshare-all", "--unshare-user", "--die-with-parent", "--uid", "65534", "--gid", "65534"]
    box += ["--cap-drop", "ALL", "--ro-bind", "/usr", "/usr", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    for path in ("/bin", "/lib", "/lib64"):
        box += ["--ro-bind", os.path.realpath(path), path]
    box += ["--tmpfs", "/dev/shm", "--ro-bind", os.environ["ENGINE_VENV"], "/venv", *mounts]
    if not os.environ["ENGINE_BASE"].startswith("/usr"):
        box += ["--ro-bind", os.environ["ENGINE_BASE"], os.environ["ENGINE_BASE"]]
    with open(os.environ["ENGINE_LOG"] + name, "w") as file:
        file.write(str(os.getpid()))
    os.execvp("bwrap", [*box, "--chdir", "/shared/course", entry, *arguments[1:]])


def main(arguments):
    with open(os.environ["ENGINE_LOG"], "a") as file:
        file.write(json.dumps(arguments) + "\n")
    if os.environ.get("ENGINE_FAILS"):
        sys.exit(os.environ["ENGINE_FAILS"])
    command, *rest = arguments
    if command == "run":
        run(rest)
    elif command == "kill":
        with open(os.environ["ENGINE_LOG"] + rest[0]) as file:
            os.kill(int(file.read()), signal.SIGKILL)
    else:
        sys.exit(1)


main(sys.argv[1:])

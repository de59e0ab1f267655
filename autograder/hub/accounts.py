"""Unix accounts of a hub: those that a trial needs are made and removed, any other is left alone."""

import os
import pwd
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from autograder.errors import UsageError
from autograder.private import PRIVATE

MARK = "a hub to try Learning to Align"  # the full name of an account that was made here


def make(name: str, home: Path) -> None:
    """Makes the account, unless it was made before; raises UsageError if somebody else's is called so."""
    try:
        account = pwd.getpwnam(name)
    except KeyError:
        options = ["--comment", MARK, "--home-dir", str(home), "--no-create-home", "--shell", "/bin/bash"]
        _change(["useradd", *options, "--user-group", name])
        account = pwd.getpwnam(name)
    if (account.pw_gecos, Path(account.pw_dir)) != (MARK, home):
        raise UsageError(f"there is an account {name} that is not this hub's; choose other names: --prefix trial-")
    home.mkdir(mode=PRIVATE, exist_ok=True)
    os.chown(home, account.pw_uid, account.pw_gid)  # what is in it may change while we look


def remove(homes: Path) -> None:
    """Removes the accounts that were made with a home in this folder."""
    for account in pwd.getpwall():
        if account.pw_gecos == MARK and Path(account.pw_dir).parent == homes:
            _change(["userdel", account.pw_name])


def give(folder: Path, name: str) -> None:
    """Makes the account the owner of all that is in the folder, where nobody else can reach it yet."""
    account = pwd.getpwnam(name)
    for parent, folders, files in os.walk(folder):
        for path in (parent, *(os.path.join(parent, entry) for entry in (*folders, *files))):
            os.chown(path, account.pw_uid, account.pw_gid, follow_symlinks=False)


def run_as(
    name: str, command: Sequence[str], folder: Path, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Runs the command as that account, or as the present one where only root may choose."""
    options: dict[str, Any] = {}
    if os.geteuid() == 0:
        group = pwd.getpwnam(name).pw_gid
        options = {"user": name, "group": group, "extra_groups": os.getgrouplist(name, group)}
    return subprocess.run(command, cwd=folder, env=dict(environment), capture_output=True, text=True, **options)


def _change(command: list[str]) -> None:
    program = shutil.which(command[0], path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin")
    if program is None:
        raise UsageError(f"there is no command {command[0]} on this machine; run `make hub` as an ordinary user.")
    done = subprocess.run([program, *command[1:]], capture_output=True, text=True)
    if done.returncode:
        raise UsageError(f"`{' '.join(command)}` failed: {done.stderr.strip() or done.returncode}")

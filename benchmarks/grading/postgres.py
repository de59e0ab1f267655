"""A temporary Postgres server from Debian's package: in a temporary folder, on a Unix socket, as an ordinary user."""

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

PLACES = "/usr/lib/postgresql"
USER = "postgres"  # runs the server if we are root; created by the package


class NoServer(Exception):
    """Postgres is not installed; the message says how to install it."""


@contextmanager
def server() -> Iterator[str]:
    """The address of an empty database; server and data are removed afterwards."""
    commands = _commands()
    account = pwd.getpwnam(USER) if os.geteuid() == 0 else pwd.getpwuid(os.getuid())
    folder = Path(tempfile.mkdtemp(prefix="pg-", dir="/tmp"))  # socket paths must be short
    os.chown(folder, account.pw_uid, account.pw_gid)
    data, address = folder / "data", f"postgresql://{account.pw_name}@/class?host={folder}"

    def run(command: str, *arguments: str) -> None:
        """Runs a command as the server's user: Postgres refuses to run as root."""
        ordinary = {"user": account.pw_uid, "group": account.pw_gid, "extra_groups": []} if os.geteuid() == 0 else {}
        done = subprocess.run(
            [commands / command, *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, **ordinary
        )
        if done.returncode:
            log = (folder / "log").read_text() if (folder / "log").exists() else ""
            raise RuntimeError(f"{command} ended with status {done.returncode}: {done.stderr.decode()}{log}")

    try:
        run("initdb", "--pgdata", str(data), "--auth=trust", "--no-sync", "--encoding=UTF8", "--locale=C")
        options = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
        run("pg_ctl", "start", "--wait", "--pgdata", str(data), "--log", str(folder / "log"), "--options", options)
        try:
            run("createdb", "--host", str(folder), "class")
            yield address
        finally:
            run("pg_ctl", "stop", "--wait", "--pgdata", str(data), "--mode=fast")
    finally:
        shutil.rmtree(folder)


def bytes_of(address: str) -> int:
    """The size of the database on disk."""
    engine = create_engine(address, poolclass=NullPool)
    with engine.connect() as connection:
        return connection.scalar(text("SELECT pg_database_size(current_database())"))


def _commands() -> Path:
    """The folder with the newest release's commands, which Debian does not put on the path."""
    commands = sorted(Path(PLACES).glob("*/bin/pg_ctl"), key=lambda path: int(path.parts[-3]))
    if not commands:
        raise NoServer("Postgres is not installed; try `sh scripts/system-packages.sh postgresql`.")
    return commands[-1].parent

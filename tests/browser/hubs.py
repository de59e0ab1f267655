"""JupyterHubs of the tests' own, as `make hub` starts them."""

import os
import re
import stat
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from playwright.sync_api import Browser, Page
from visits import PATIENCE, ROOT

from autograder.hub.trial import FILE, Trial

PASSWORD = re.compile(r"^(http://127\.0\.0\.1:\d+)  the password of all: (\S+)$")
NOBODY = 65534  # an account without a home and without rights
# In a mount namespace of its own, each folder that is closed to other accounts is covered by one that all may enter,
# with nothing in it but what is needed.
OPENED = """\
mount -t tmpfs none /mnt
while [ "$1" != -- ]; do mkdir -p "/mnt$1"; mount --rbind "$1" "/mnt$1"; needed="$needed $1"; shift; done
shift
while [ "$1" != -- ]; do mount -t tmpfs -o mode=755 none "$1"; shift; done
shift
for path in $needed; do mkdir -p "$path"; mount --rbind "/mnt$path" "$path"; done
exec "$@"
"""


@dataclass(frozen=True)
class Hub:
    address: str
    password: str
    trial: Trial
    has_accounts: bool

    @property
    def course(self) -> Path:
        """The class, as the instructor has it."""
        return self.trial.homes / self.trial.instructor / "course"

    def open(self, browser: Browser, name: str) -> Page:
        """JupyterLab of that user, who signs in and reaches the hub alone: formgrader's pages ask others too."""
        page = browser.new_context(viewport={"width": 1400, "height": 2400}).new_page()
        page.route(lambda asked: not asked.startswith(self.address), lambda route: route.abort())
        page.set_default_timeout(PATIENCE)
        page.goto(f"{self.address}/hub/login")
        page.fill("#username_input", name)
        page.fill("#password_input", self.password)
        page.click("#login_submit")
        page.wait_for_url(f"**/user/{name}/lab**")
        page.wait_for_selector("#jp-main-dock-panel")
        return page

    def doctor(self) -> str:
        line = [*opened(), sys.executable, "-m", "autograder", "doctor", "--hub", str(self.trial.folder / FILE)]
        return subprocess.run(line, cwd=ROOT, env=environment(), capture_output=True, text=True).stdout


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def opened() -> list[str]:
    """How to begin a command so that other accounts can run this Python; empty if they can, or if there are none."""
    needed = sorted({str(Path(path).resolve()) for path in (sys.base_prefix, sys.prefix, ROOT)})
    above = {parent for path in needed for parent in Path(path).parents}
    closed = sorted(str(folder) for folder in above if not folder.stat().st_mode & stat.S_IXOTH)
    if not closed or os.geteuid() != 0:
        return []
    highest = [folder for folder in closed if not any(folder.startswith(f"{other}/") for other in closed)]
    return ["unshare", "--mount", "sh", "-ec", OPENED, "sh", *needed, "--", *highest, "--"]


@contextmanager
def started(root: Path, folder: Path, is_of_root: bool = True) -> Iterator[Hub]:
    """A hub of the class in the folder; its accounts go with it. Not of root: an ordinary account starts it."""
    prefix = f"t{uuid4().hex[:8]}-"
    trial = Trial(folder, root, prefix)
    command = [sys.executable, "-m", "autograder", "hub", "--folder", str(folder)]
    has_accounts, demoted = os.geteuid() == 0, []
    if has_accounts and not is_of_root:
        has_accounts, demoted = False, ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        demoted += ["env", f"HOME={folder.parent}"]
        os.chown(folder.parent, NOBODY, NOBODY)
    line = [*opened(), *demoted, *command, "--root", str(root), "--prefix", prefix, "--port", "0"]
    with (folder.parent / "log").open("w") as log:
        server = subprocess.Popen(line, cwd=ROOT, env=environment(), stdout=log, stderr=subprocess.STDOUT)
        try:
            yield Hub(*_reached(server, Path(log.name)), trial, has_accounts)
        finally:
            server.terminate()
            server.wait()
            subprocess.run([*command, "--remove"], cwd=ROOT, env=environment(), check=True)


def _reached(server: subprocess.Popen, log: Path) -> tuple[str, str]:
    """The address and the password that it printed, once it answers there."""
    while True:
        printed = log.read_text("utf-8")
        if match := next(filter(None, map(PASSWORD.match, printed.splitlines())), None):
            with suppress(OSError):
                urllib.request.urlopen(f"{match[1]}/hub/api/").close()
                return match[1], match[2]
        assert server.poll() is None, printed
        time.sleep(0.2)

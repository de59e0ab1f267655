"""Collects from nbgrader's exchange, into which every learner can write what they like.

nbgrader takes what a folder there is called for the truth, and follows links. So anybody could hand in for somebody
else, stop the collection of all by one name that cannot be read, and get what the instructor may read, such as another
learner's work, copied into their own submission.
"""

import datetime
import os
import pwd
import stat
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns
from traitlets import Bool

from autograder.errors import UsageError
from autograder.settings import find_scripts
from autograder.terminal import plain


class Collect(ExchangeCollect):
    """A submission belongs to the account whose folder it is, and consists of that folder's own files."""

    check_owner = Bool(False).tag(config=True)  # a folder is its owner's, so there is nothing left to compare

    def _path_to_record(self, path: str) -> dict[str, Any]:
        try:
            record = super()._path_to_record(path)
        except Exception as error:  # of nbgrader, of dateutil: the name can be anything
            self.log.warning("%s: %s", plain(path), plain(str(error)))
            name = Path(path).name
            record = {"username": name.partition("+")[0], "filename": name, "timestamp": datetime.datetime.min}
        owner = os.lstat(path).st_uid
        if owner == os.geteuid():  # all servers of the hub run as one account, as in containers
            return record
        try:
            name = pwd.getpwuid(owner).pw_name
        except KeyError:
            name = str(owner)  # of an account that is gone
        if name != record["username"]:
            self.log.warning("%s is %s's, whatever its name says", plain(path), name)
        return {**record, "username": name}

    def do_copy(self, src: str, dest: str, log: object = None) -> None:
        """Copies the files of a folder which its owner can change at any moment: nothing is opened through a link."""
        course = self.coursedir
        ignored = ignore_patterns(course.ignore, course.include, course.max_file_size, self.log)
        left = 1000 * course.max_dir_size  # bytes
        os.mkdir(dest)
        for folder, folders, names, descriptor in os.fwalk(src):
            to = Path(dest, os.path.relpath(folder, src))
            left_out = set(ignored(folder, [*folders, *names]))
            folders[:] = [name for name in folders if name not in left_out]
            to.mkdir(exist_ok=True)
            for name in names:
                if name not in left_out:
                    left -= self._copy(name, descriptor, to / name, left)

    def _copy(self, name: str, folder: int, to: Path, left: int) -> int:
        """Copies a regular file of at most ``left`` bytes; returns its size, and 0 for all that is left out."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        try:
            with open(os.open(name, flags, dir_fd=folder), "rb") as source:
                is_file = stat.S_ISREG(os.fstat(source.fileno()).st_mode)
                data = source.read(left + 1) if is_file else b""
        except OSError as error:
            is_file, data, reason = False, b"", f"a link, or it cannot be read ({error.strerror})"
        else:
            reason = "too large, with the files before it" if is_file else "no file"
        if is_file and len(data) <= left:
            to.write_bytes(data)
            return len(data)
        self.log.warning("left out: %s is %s", plain(str(to)), reason)
        return 0


def collect_inbound(root: Path, inbound: Path, assignments: Collection[str]) -> str:
    """Collects what is new for these assignments; returns nbgrader's warnings, such as of somebody else's name.

    Raises:
        UsageError: nbgrader could not collect.
    """
    find_scripts()
    warnings: list[str] = []
    course = inbound.resolve().parent
    here = [f"--Exchange.root={course.parent}", f"--CourseDirectory.course_id={course.name}"]
    for name in sorted(handed_in(inbound) & set(assignments)):
        line = [sys.executable, "-m", "nbgrader", "collect", name, "--update", "--log-level", "WARN", *here]
        done = subprocess.run(line, cwd=root, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        warnings += [text for text in done.stderr.splitlines() if text.strip()]
        if done.returncode:
            raise UsageError(f"`nbgrader collect {name}` failed: {' '.join(warnings[-3:]) or done.stdout.strip()}")
    return "\n".join(warnings)


def handed_in(inbound: Path) -> set[str]:
    """The assignments of what lies there, in folders that nbgrader calls ``student+assignment+time+secret``."""
    parts = [path.name.rsplit("+", 3) for path in inbound.iterdir() if path.is_dir()]
    return {part[1] for part in parts if len(part) > 2}

"""The ways in which a hub goes wrong, each with its remedy in one line."""

import json
import shlex
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import several
from autograder.hub.accounts import run_as
from autograder.hub.users import User
from autograder.hub.view import View
from autograder.records.plain_data import typed

OPEN_TO_ALL, STICKY = 0o777, 0o1000
CONFIGURED = "load hub/jupyterhub_config.py in the hub's configuration, and start that server again"
NEEDED = {True: ("assignment_list", "formgrader", "validate_assignment"), False: ("assignment_list",)}
SHOWN = {True: ("assignment-list", "create-assignment", "formgrader"), False: ("assignment-list",)}
INSTRUCTORS_ALONE = ("create-assignment", "formgrader")


@dataclass(frozen=True)
class Fault:
    observed: str
    remedy: str


Looked = tuple[User, View]
Aspect = Callable[[User, View, View], Iterator[Fault]]  # of a user, beside what the instructor's server finds


def view_of(user: User) -> View:
    """What that user's server would find; the program is run as the user, whose files may have anything in them."""
    command = [sys.executable, "-P", "-m", "autograder.hub.view", "instructor" if user.teaches else "learner"]
    try:
        done = run_as(user.name, command, user.folder, user.environment)
    except OSError as error:
        return View(problem=f"{error.filename or user.folder}: {error.strerror}")
    *_, line = done.stdout.splitlines() or [""]
    try:
        return typed(View, json.loads(line))
    except ValueError:
        return View(problem=(done.stderr.strip().splitlines() or ["the program that looks printed nothing"])[-1])


def examined(looked: Sequence[Looked]) -> Iterator[tuple[str, Fault | None]]:
    """Each aspect with each of its faults, or with none; the first of those looked at teaches.

    Whose configuration cannot be read has that fault alone, as there is nothing more to see.
    """
    first = looked[0][1]
    for name, aspect in ASPECTS.items():
        users: dict[Fault, list[str]] = defaultdict(list)
        known = [(user, view) for user, view in looked if aspect is configuration or not view.problem]
        for user, view in known:
            for fault in aspect(user, view, first):
                users[fault].append(user.name)
        for fault, names in users.items():
            yield name, Fault(f"{several(names, 3)}: {fault.observed}", fault.remedy)
        if known and not users:
            yield name, None


def configuration(user: User, view: View, _: View) -> Iterator[Fault]:
    if view.problem:
        what = f"nbgrader's configuration cannot be read: {view.problem}"
        yield Fault(what, "mend what it names; in that user's terminal, `nbgrader list` then ends without an error")


def exchange(user: User, view: View, first: View) -> Iterator[Fault]:
    path, mode = view.exchange, view.exchange_mode
    install = f"sudo install --directory --mode 1777 {shlex.quote(path)}"
    if path != first.exchange and not first.problem:
        yield Fault(f"the exchange is {path}, the instructor's is {first.exchange}", CONFIGURED)
    elif mode is None:
        yield Fault(f"there is no exchange {path}", install)
    elif mode & OPEN_TO_ALL != OPEN_TO_ALL:
        yield Fault(f"the exchange {path} has the mode {mode:o}, expected 1777", f"sudo chmod 1777 {shlex.quote(path)}")
    elif not mode & STICKY:
        what = f"in the exchange {path} anybody can take away the course's folder: its mode is {mode:o}, expected 1777"
        yield Fault(what, f"sudo chmod 1777 {shlex.quote(path)}")
    elif not view.can_hand_in:
        yield Fault(f"the exchange {path} cannot be reached", "let everybody enter the folders above it: chmod o+x")


def course_name(user: User, view: View, first: View) -> Iterator[Fault]:
    if not view.course_id:
        yield Fault("there is no c.CourseDirectory.course_id", CONFIGURED)
    elif view.course_id != first.course_id and not first.problem:
        yield Fault(f"the course is {view.course_id!r}, the instructor's is {first.course_id!r}", CONFIGURED)


def place(user: User, view: View, _: View) -> Iterator[Fault]:
    if user.teaches and not view.is_below:
        what = f"the course {view.course} is not below {user.folder}, where the server starts: formgrader will fail"
        yield Fault(what, f"move the course there, or set c.Spawner.notebook_dir to {Path(view.course).parent}")


def grader(user: User, view: View, _: View) -> Iterator[Fault]:
    if user.teaches and not view.is_ours:
        what = "formgrader would run learners' code by nbgrader's own means, beside the checks and without a sandbox"
        yield Fault(what, f"load {view.course}/nbgrader_config.py, as hub/instructor/nbgrader_config.py does")


def extensions(user: User, view: View, _: View) -> Iterator[Fault]:
    missing = [name for name in NEEDED[user.teaches] if name not in view.extensions]
    missing += [name for name in SHOWN[user.teaches] if name not in view.plugins]
    shown = [name for name in INSTRUCTORS_ALONE if name in (*view.plugins, *view.extensions) and not user.teaches]
    if missing:
        yield Fault(f"nbgrader's extensions are off: {', '.join(dict.fromkeys(missing))}", CONFIGURED)
    if shown:
        yield Fault(f"a learner is shown what is the instructor's: {', '.join(shown)}", CONFIGURED)


def time_zone(user: User, view: View, _: View) -> Iterator[Fault]:
    if view.time_zone:
        yield Fault(view.time_zone, "correct it in nbgrader_config.py, or leave it out: times are then in UTC")


def output(user: User, view: View, _: View) -> Iterator[Fault]:
    if user.teaches and not view.can_write:
        path = shlex.quote(view.output)
        yield Fault(f"the instructor cannot write into {view.output}", f"sudo chown -R {user.name} {path}")


def sandbox(user: User, view: View, _: View) -> Iterator[Fault]:
    if view.sandbox:
        remedy = f"in that user's terminal: cd {shlex.quote(view.course)} && python -m autograder doctor"
        yield Fault(f"the sandbox does not start: {view.sandbox}", remedy)


def box(user: User, view: View, _: View) -> Iterator[Fault]:
    if view.shown:
        yield Fault(view.shown.rstrip("."), "move it to a folder of its own: /srv/nbgrader/exchange, ~/course")


def homes(user: User, view: View, _: View) -> Iterator[Fault]:
    if view.home_mode & 0o077:
        what = f"others can look into the home folder, whose mode is {view.home_mode:o}"
        yield Fault(what, "in that user's terminal: chmod 700 ~")


ASPECTS: dict[str, Aspect] = {
    "servers find their configuration": configuration,
    "one exchange, for everybody to hand in": exchange,
    "one name of the course": course_name,
    "the course is below the server's folder": place,
    "formgrader grades by the course's own means": grader,
    "who teaches has formgrader, and nobody else": extensions,
    "times have a zone": time_zone,
    "the instructor can write grades": output,
    "the instructor can start the sandbox": sandbox,
    "a box shows no exchange, course or grades": box,
    "homes are closed to others": homes,
}

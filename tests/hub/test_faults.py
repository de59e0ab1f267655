"""`doctor --hub` finds each way in which a hub goes wrong, and no other, and names one remedy, in one line."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder.__main__ import main
from autograder.hub import faults
from autograder.hub.faults import ASPECTS
from autograder.hub.trial import HUB
from autograder.hub.users import User, users
from autograder.hub.view import View
from autograder.sandbox import proof
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.needs import Needs

ADA = "hub-ada"
BOX, FORMGRADER = "a box shows no exchange, course or grades", "who teaches has formgrader, and nobody else"


def to_ada(hub, **environment: str) -> None:
    override = {"groups": ["one"], "spawner_override": {"environment": environment}}
    hub.tell(f"c.JupyterHub.load_groups['one'] = {{'users': [{ADA!r}]}}")
    hub.tell(f"c.Spawner.group_overrides['other'] = {override}")


def move_exchange(hub, path: Path) -> None:
    path.mkdir(mode=0o1777)
    path.chmod(0o1777)
    hub.tell(f"c.Spawner.environment['COURSE_EXCHANGE'] = {str(path)!r}")


def in_a_box(hub) -> None:
    hub.monkeypatch.setattr(proof, "needs", lambda: Needs({"/lib": hub.trial.exchange.parent / "lib"}, (), {}))
    (hub.trial.folder / "lib").mkdir()
    move_exchange(hub, hub.trial.folder / "lib" / "exchange")


def elsewhere(hub) -> None:
    (hub.trial.homes / hub.trial.instructor / "elsewhere").mkdir()
    hub.tell("c.Spawner.notebook_dir = '~/elsewhere'")
    for name in hub.trial.learners:
        (hub.trial.homes / name / "elsewhere").mkdir()


def no_box(hub) -> None:
    def refuse(*_: object) -> str:
        raise SandboxUnavailable("bwrap: No permissions to create new namespace")

    hub.monkeypatch.setattr(proof, "unfit", refuse)


def read_only(hub) -> None:
    (hub.course / "grades").chmod(0o500)
    # To root every folder is open: what the mode says is what an instructor's account would get.
    hub.monkeypatch.setattr(os, "access", lambda path, mode: os.stat(path).st_mode >> 6 & mode == mode)


def say(hub, line: str) -> None:
    path = hub.course / "nbgrader_config.py"
    path.write_text(f"{path.read_text()}\n{line}\n")


def roles(hub, role: str) -> None:
    hub.tell(f"c.Spawner.environment['JUPYTER_CONFIG_PATH'] = {str(HUB / role)!r}")
    hub.tell("c.Spawner.group_overrides = {}")


# How a hub is broken → the aspect, words of what is said of it, and of the remedy.
BROKEN: dict[str, tuple[Callable, str, str, str]] = {
    "no exchange": (
        lambda hub: shutil.rmtree(hub.trial.exchange),
        *("one exchange, for everybody to hand in", "there is no exchange", "install --directory --mode 1777"),
    ),
    "nobody but its owner can hand in": (
        lambda hub: hub.trial.exchange.chmod(0o755),
        *("one exchange, for everybody to hand in", "has the mode 755, expected 1777", "chmod 1777"),
    ),
    "anybody can take away what is another's": (
        lambda hub: hub.trial.exchange.chmod(0o777),
        *("one exchange, for everybody to hand in", "anybody can take away", "chmod 1777"),
    ),
    "a learner has another exchange": (
        lambda hub: to_ada(hub, COURSE_EXCHANGE="/srv/other"),
        *("one exchange, for everybody to hand in", "is /srv/other, the instructor's is", "hub/jupyterhub_config.py"),
    ),
    "the box shows the exchange": (in_a_box, BOX, "which the sandbox shows", "move it"),
    "the exchange is in the course": (
        lambda hub: move_exchange(hub, hub.course / "exchange"),
        *(BOX, "lies in the course", "move it"),
    ),
    "the server starts elsewhere": (
        elsewhere,
        *("the course is below the server's folder", "is not below", "c.Spawner.notebook_dir to"),
    ),
    "a learner has another course": (
        lambda hub: to_ada(hub, COURSE_ID="other"),
        *("one name of the course", "hub-ada: the course is 'other', the instructor's is 'attention'", "hub/"),
    ),
    "a course without a name": (
        lambda hub: hub.tell("c.Spawner.environment['COURSE_ID'] = ''"),
        *("one name of the course", "there is no c.CourseDirectory.course_id", "hub/jupyterhub_config.py"),
    ),
    "formgrader is off for the instructor": (
        lambda hub: roles(hub, "learner"),
        *(FORMGRADER, "are off: formgrader, create-assignment", "hub/"),
    ),
    "formgrader is on for learners": (
        lambda hub: roles(hub, "instructor"),
        *(FORMGRADER, "what is the instructor's: create-assignment", "hub/"),
    ),
    "an unknown zone of the exchange": (
        lambda hub: say(hub, "c.Exchange.timezone = 'Mars/Olympus'"),
        *("times have a zone", "c.Exchange.timezone is 'Mars/Olympus'", "nbgrader_config.py"),
    ),
    "times of submission without a zone": (
        lambda hub: say(hub, "c.Exchange.timestamp_format = '%Y-%m-%d %H:%M'"),
        *("times have a zone", "which names no zone", "nbgrader_config.py"),
    ),
    "an unknown zone of the course": (
        lambda hub: say(hub, "c.Course.time_zone = 'Mars/Olympus'"),
        *("times have a zone", "c.Course.time_zone in nbgrader_config.py is 'Mars/Olympus'", "nbgrader_config.py"),
    ),
    "grades belong to another": (
        read_only,
        *("the instructor can write grades", "cannot write into", "chown -R hub-instructor"),
    ),
    "no bubblewrap for the instructor": (
        no_box,
        *("the instructor can start the sandbox", "No permissions to create", "python -m autograder doctor"),
    ),
    "the course's configuration is not loaded": (
        lambda hub: (hub.course / "nbgrader_config.py").unlink(),
        *("formgrader grades by the course's own means", "without a sandbox", "nbgrader_config.py"),
    ),
    "a configuration that cannot be read": (
        lambda hub: say(hub, "raise PermissionError(13, 'Permission denied', 'grades')"),
        *("servers find their configuration", "PermissionError: [Errno 13] Permission denied", "nbgrader list"),
    ),
    "a home that others can look into": (
        lambda hub: (hub.trial.homes / ADA).chmod(0o755),
        *("homes are closed to others", "hub-ada: others can look into", "chmod 700"),
    ),
}  # fmt: skip
# What goes with it: whoever is a learner to nbgrader has no course either.
ALSO = {"formgrader is off for the instructor": {"formgrader grades by the course's own means"}}


def test_a_hub_as_it_is_made_has_no_fault(hub):
    assert hub.faults() == []
    assert [user.teaches for user, _ in hub.look()] == [True, False, False, False]


@pytest.mark.parametrize("how", BROKEN)
def test_each_fault_is_found_alone_with_its_remedy_in_one_line(hub, how):
    break_it, aspect, observed, remedy = BROKEN[how]
    break_it(hub)
    named_faults = hub.faults()
    assert {name for name, _ in named_faults} - ALSO.get(how, set()) == {aspect}
    fault = next(fault for name, fault in named_faults if name == aspect)
    assert observed in fault.observed
    assert remedy in fault.remedy
    assert "\n" not in fault.observed + fault.remedy


def test_every_aspect_can_be_broken():
    assert {aspect for _, aspect, _, _ in BROKEN.values()} == {*ASPECTS}


def test_what_many_have_in_common_is_said_once(hub):
    for name in hub.trial.learners:
        (hub.trial.homes / name).chmod(0o711)
    ((_, fault),) = hub.faults()
    assert fault.observed.startswith("hub-ada, hub-ben, hub-eve: ")


def test_the_command_prints_each_aspect_and_ends_with_3_where_one_is_broken(hub, monkeypatch, capsys):
    views = {user.name: view for user, view in hub.look()}
    monkeypatch.setattr(faults, "view_of", lambda user: views[user.name])
    assert main(["doctor", "--hub", str(hub.file)]) == 0
    assert capsys.readouterr().out.count("✓") == len(ASPECTS)
    monkeypatch.setattr(faults, "view_of", lambda user: View(problem="it is gone"))
    assert main(["doctor", "--hub", str(hub.file), "--json"]) == 3
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert [(finding["name"], finding["status"]) for finding in findings] == [(next(iter(ASPECTS)), "broken")]


@pytest.mark.parametrize("printed", ["", "[]", '{"exchange_mode": "1777"}', '{"plugins": 3}', '{"hole": 1}'])
def test_what_a_user_lets_be_printed_is_a_view_or_none(monkeypatch, printed):
    """``printed``: as the last line, where files of the user's, which the program may load, print it."""
    user = User("ada", False, Path(), {})
    monkeypatch.setattr(faults, "run_as", lambda *rest: SimpleNamespace(stdout=printed, stderr=""))
    assert faults.view_of(user) == View(problem="the program that looks printed nothing")
    monkeypatch.setattr(faults, "run_as", lambda *rest: SimpleNamespace(stdout=json.dumps(asdict(View())), stderr=""))
    assert faults.view_of(user) == View()


def test_a_configuration_that_is_missing_broken_or_without_users_is_said_in_one_line(hub, capsys):
    hub.tell("c.JupyterHub.load_groups = {'formgrade-attention': {'users': ['ada']}}")
    other = hub.file.with_name("other.py")
    for file, words in ((hub.file, "names no learner"), (other, "there is no"), (hub.file, "SyntaxError")):
        assert main(["doctor", "--hub", str(file)]) == 2
        printed = capsys.readouterr().err
        assert words in printed
        assert printed.count("\n") == 1
        hub.tell("(")


def test_what_a_configuration_changes_of_the_environment_is_put_back(hub):
    hub.tell("import os; os.environ['COURSE_ID'] = 'changed'")
    before = dict(os.environ)
    users(hub.file)
    assert dict(os.environ) == before

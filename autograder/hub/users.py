"""Who uses a hub, and what it tells their servers: read from its configuration, as JupyterHub does."""

import os
import pwd
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from traitlets.config import Config, PyFileConfigLoader

from autograder.errors import UsageError

INSTRUCTORS, LEARNERS = "formgrade-", "nbgrader-"  # how nbgrader's names of a course's groups begin


@dataclass(frozen=True)
class User:
    """``folder``: where the server starts; ``environment``: what the hub gives it."""

    name: str
    teaches: bool
    folder: Path
    environment: Mapping[str, str]


def users(file: Path) -> list[User]:
    """The hub's instructors, then its learners; raises UsageError if its configuration names none."""
    config = _loaded(file)
    groups = {name: _members(members) for name, members in config.JupyterHub.get("load_groups", {}).items()}
    names = {
        teaches: sorted({name for group, members in groups.items() if group.startswith(start) for name in members})
        for teaches, start in ((True, INSTRUCTORS), (False, LEARNERS))
    }
    if not (names[True] and names[False]):
        form = f'c.JupyterHub.load_groups = {{"{INSTRUCTORS}COURSE": {{"users": […]}}, "{LEARNERS}COURSE": {{…}}}}'
        raise UsageError(f"{file} names no {'learner' if names[True] else 'instructor'} of a course, expected {form}")
    return [_user(name, teaches, config, groups) for teaches in (True, False) for name in names[teaches]]


def _loaded(file: Path) -> Config:
    """The configuration is executed, as by JupyterHub; what it changes of this process is put back."""
    if not file.is_file():
        raise UsageError(f"there is no {file}; name the hub's configuration: doctor --hub FILE; or try one: make hub")
    before = dict(os.environ)
    try:
        return PyFileConfigLoader(file.name, str(file.parent)).load_config()
    except Exception as error:
        raise UsageError(f"{file} cannot be read: {type(error).__name__}: {error}") from None
    finally:
        os.environ.clear()
        os.environ.update(before)


def _members(group: Any) -> Iterable[str]:
    return group.get("users", []) if isinstance(group, Mapping) else group


def _user(name: str, teaches: bool, config: Config, groups: Mapping[str, Iterable[str]]) -> User:
    spawner = config.Spawner
    given = dict(spawner.get("environment", {}))
    overrides = spawner.get("group_overrides", {})
    for _, override in sorted(overrides.items() if isinstance(overrides, Mapping) else ()):
        if any(name in groups.get(group, ()) for group in override["groups"]):
            given |= override["spawner_override"].get("environment", {})
    home = _home(name, config)
    folder = str(spawner.get("notebook_dir", "") or home).format(username=name)
    folder = str(home) + folder.removeprefix("~") if folder.startswith("~") else folder
    # What depends on a server that is starting, a function of it, is not known here.
    environment = {key: value for key, value in given.items() if isinstance(value, str)}
    path = f"{Path(sys.executable).parent}:{os.defpath}"
    account = {"HOME": str(home), "USER": name, "JUPYTERHUB_USER": name, "PATH": path}
    return User(name, teaches, Path(folder), account | environment)


def _home(name: str, config: Config) -> Path:
    template = config.SimpleLocalProcessSpawner.get("home_dir_template", "")
    if template:
        return Path(template.format(username=name))
    try:
        return Path(pwd.getpwnam(name).pw_dir)
    except KeyError:
        remedy = f"sudo useradd --create-home {name}"
        raise UsageError(f"the hub's user {name} has no account on this machine: {remedy}") from None

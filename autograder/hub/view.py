"""What a user's server finds: a program that runs as that user, in the environment that the hub gives."""

import json
import os
import stat
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

SERVER, LAB = "nbgrader.server_extensions.", "@jupyter/nbgrader:"  # how the names of nbgrader's extensions begin
PLUGINS = ("assignment-list", "create-assignment", "formgrader", "validate-assignment")


@dataclass(frozen=True)
class View:
    """Texts say what is wrong, and are empty if nothing is; what follows ``course`` is the instructor's alone."""

    problem: str = ""  # nbgrader's configuration cannot be read
    course_id: str = ""
    exchange: str = ""
    exchange_mode: int | None = None  # None: there is no such folder
    can_hand_in: bool = True
    time_zone: str = ""
    home_mode: int = stat.S_IRWXU
    extensions: tuple[str, ...] = ()  # of the server, that are on
    plugins: tuple[str, ...] = ()  # of JupyterLab, that are on
    course: str = ""
    is_below: bool = True  # the folder in which the server starts
    is_ours: bool = True  # what grades
    output: str = ""
    can_write: bool = True
    sandbox: str = ""
    shown: str = ""


def look(teaches: bool) -> View:
    """Of this process's user, in the folder in which the server starts."""
    from nbgrader.apps import NbGrader
    from nbgrader.exchange.default import Exchange

    app = NbGrader(raise_config_file_errors=True, log_level="CRITICAL")
    try:
        app.initialize([])
    except (Exception, SystemExit) as error:
        return View(problem=" ".join(f"{type(error).__name__}: {error}".split()))
    exchange = Exchange(coursedir=app.coursedir, config=app.config)
    root = Path(exchange.root)
    seen: dict[str, Any] = {
        "course_id": app.coursedir.course_id,
        "exchange": exchange.root,
        "exchange_mode": stat.S_IMODE(root.stat().st_mode) if root.is_dir() else None,
        "can_hand_in": os.access(root, os.R_OK | os.W_OK | os.X_OK),
        "time_zone": _time_zone(exchange, app.config),
        "home_mode": stat.S_IMODE(Path.home().stat().st_mode),
        "extensions": _extensions(),
        "plugins": _plugins(),
    }
    return View(**seen, **(_of_instructor(app, root) if teaches else {}))


def _time_zone(exchange: Any, config: Any) -> str:
    from dateutil.tz import gettz

    from autograder.errors import UsageError
    from autograder.submissions.times import Clock

    if gettz(exchange.timezone) is None:
        return f"c.Exchange.timezone is {exchange.timezone!r}, expected a name such as UTC or Europe/Berlin"
    if "%z" not in exchange.timestamp_format.lower():
        return f"c.Exchange.timestamp_format is {exchange.timestamp_format!r}, which names no zone; expected %Z in it"
    try:
        Clock.of(config)
    except UsageError as error:
        return str(error).removesuffix(".")
    return ""


def _extensions() -> tuple[str, ...]:
    from jupyter_core.paths import jupyter_config_path
    from jupyter_server.extension.config import ExtensionConfigManager

    on = ExtensionConfigManager(read_config_path=jupyter_config_path()).get_jpserver_extensions()
    return tuple(sorted(name.removeprefix(SERVER) for name in on if on[name] and name.startswith(SERVER)))


def _plugins() -> tuple[str, ...]:
    from jupyter_core.paths import jupyter_path
    from jupyterlab_server.config import get_federated_extensions, get_static_page_config

    name = LAB.removesuffix(":")
    off = get_static_page_config(level="all").get("disabledExtensions", {})
    if name not in get_federated_extensions(jupyter_path("labextensions")) or off.get(name):
        return ()
    return tuple(plugin for plugin in PLUGINS if not off.get(f"{LAB}{plugin}"))


def _of_instructor(app: Any, exchange: Path) -> dict[str, Any]:
    from autograder.sandbox.errors import SandboxUnavailable
    from autograder.sandbox.proof import unfit
    from autograder.sandbox.sandboxes import chosen
    from autograder.settings import settings

    course = Path(app.coursedir.root).resolve()
    output = (course / app.coursedir.autograded_directory).parent
    ours, grades = settings(course, output).Autograde.exporter_class, app.config.get("Autograde", {})
    sandbox = shown = ""
    try:
        shown = unfit(course, chosen(), [folder for folder in (output, exchange) if folder.is_dir()])
    except SandboxUnavailable as error:
        sandbox = error.reason
    if exchange.resolve().is_relative_to(course):
        shown = shown or f"{exchange} lies in the course, {course}"
    return {
        "course": str(course),
        "is_below": course.is_relative_to(Path.cwd().resolve()),
        "is_ours": grades.get("exporter_class") == ours,
        "output": str(output),
        "can_write": os.access(output, os.R_OK | os.W_OK | os.X_OK),
        "sandbox": " ".join(sandbox.split()),
        "shown": shown,
    }


if __name__ == "__main__":
    print(json.dumps(asdict(look(teaches=sys.argv[1] == "instructor"))))

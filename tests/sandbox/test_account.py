"""The account: chosen by its name alone, never for a class, and by nobody but root.

tests/exports/test_gradescope_zip.py runs submissions under it, in the container that it is for.
"""

import pytest
from learners import ROOT

from autograder.__main__ import main
from autograder.records.job import Limits
from autograder.sandbox import account
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.sandboxes import VARIABLE


@pytest.mark.parametrize("command", [["grade", "submitted"], ["regrade"], ["check", "01.ipynb"]])
def test_an_account_is_for_one_submission_and_no_command_takes_it_for_a_class(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "account")
    for name in ("submitted", "grades"):
        (tmp_path / name).mkdir()
    (tmp_path / "01.ipynb").write_text("{}")
    monkeypatch.setattr("autograder.judging.judge.Judge.__enter__", lambda judge: pytest.fail("a judge was started"))
    assert main([*command, "--root", str(ROOT)]) == 3
    (line,) = capsys.readouterr().err.splitlines()
    assert "account is for one submission in a container that is then thrown away" in line
    assert "one learner's code would find what another's has left" in line
    assert "--sandbox bubblewrap, podman or docker" in line


@pytest.mark.parametrize("name", ["podman", "docker"])
def test_an_engine_that_is_missing_is_told_to_be_installed_and_nothing_is_said_of_bubblewrap(
    name, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, name)
    monkeypatch.setattr("autograder.sandbox.containers.shutil.which", lambda program: None)
    (tmp_path / "submitted").mkdir()
    assert main(["grade", "submitted", "--root", str(ROOT)]) == 3
    expected = f"{name} is not installed, or not on the PATH.\nInstall {name}, or choose another: --sandbox bubblewrap"
    assert expected in capsys.readouterr().err


@pytest.mark.parametrize("act", [lambda: account.start(ROOT, (), Limits(), True), lambda: account.search(ROOT, "", "")])
def test_only_root_can_give_an_account_to_learners_code(act, monkeypatch):
    monkeypatch.setattr(account.os, "geteuid", lambda: 1000)
    with pytest.raises(SandboxUnavailable, match="only root can run learners' code under another account"):
        act()

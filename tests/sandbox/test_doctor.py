"""The doctor tries every promise of SECURITY.md, notices a broken one, and says how to mend what stops the sandbox."""

import json
import os
import re
import signal
from contextlib import nullcontext
from dataclasses import asdict
from itertools import product
from types import SimpleNamespace

import pytest
from learners import ROOT

from autograder.__main__ import parser
from autograder.records.job import Limits
from autograder.sandbox import bubblewrap, containers, host, sandboxes, self_test
from autograder.sandbox.errors import SandboxUnavailable
from autograder.sandbox.host import remedy
from autograder.sandbox.sandboxes import NAMES, VARIABLE, ColdSandbox, Sandbox, chosen
from autograder.sandbox.self_test import PROMISES, TIGHT, ProbeResult, probe

STARTS = "the sandbox starts"


def broken():
    return {finding.name: finding for finding in probe(ROOT, "bubblewrap") if finding.status == "broken"}


@pytest.mark.sandbox
@pytest.mark.parametrize("name", ["bubblewrap", "podman", "podman-cold"])
def test_the_doctor_tries_every_promise_and_finds_it_kept(name):
    if name != "bubblewrap" and "with the image" not in host.engine("podman"):
        pytest.skip(f"needs podman and the image {containers.IMAGE}: see containers/README.md")
    findings = [finding for finding in probe(ROOT, name) if finding.status != "note"]
    assert [finding for finding in findings if finding.status != "kept"] == []
    assert [finding.name for finding in findings] == list(PROMISES)


@pytest.mark.sandbox
def test_a_box_with_holes_is_found_out_hole_by_hole(monkeypatch):
    """The host's name is told, a solution is there, and no limit but the wall time is tight.

    Sockets are left out: the wide limit stops them too, sooner or later, depending on the machine.
    """
    whole = bubblewrap.command

    def with_holes(*arguments):
        line = whole(*arguments)
        position = line.index("--hostname")
        line[position : position + 2] = ["--hostname", "exam-server"]
        position = line.index("--remount-ro")
        line[position:position] = ["--ro-bind", str(ROOT / "solutions" / "05_scorers.py"), "/usr/share/left.py"]
        if "warm" in line:
            line[-1] = json.dumps(asdict(Limits(cpu_seconds=60, processes=200)))
        return line

    monkeypatch.setattr(bubblewrap, "command", with_holes)
    box = self_test.sandbox("bubblewrap", ROOT, (), TIGHT)
    boxes = iter((box, nullcontext(box)))  # one for all limits
    monkeypatch.setattr(self_test, "sandbox", lambda *rest: next(boxes))
    monkeypatch.setattr(self_test, "LIMIT_SECONDS", 0.5)
    ended = {promise: how for promise, how in self_test.ENDED.items() if promise != "limit: memory, of sockets"}
    monkeypatch.setattr(self_test, "ENDED", ended)
    limits = ["size of a file", "size of all files", "open files", "printed text", "processes"]
    limits += ["memory, of all processes", "CPU time, of all processes", "CPU time, of short-lived processes"]
    holes = {"a host name that reveals nothing", "none of your files", *(f"limit: {name}" for name in limits)}
    assert set(broken()) == holes


@pytest.fixture
def played(monkeypatch):
    """A box of nothing in which every promise is kept, as far as its trials tell."""
    box = SimpleNamespace(open=lambda: SimpleNamespace(supervisor=2**30, wire=SimpleNamespace(send=lambda say: None)))
    monkeypatch.setattr(self_test, "sandbox", lambda *rest: nullcontext(box))
    monkeypatch.setattr(self_test, "opened", lambda box: nullcontext(box))
    monkeypatch.setattr(self_test, "unfit", lambda *rest: "")
    answers = {source: f"True {source}" for source in self_test.ASKED.values()}
    answers |= {source: ends[0] for _, source, ends in self_test.ENDED.values()} | {self_test.LONG: "x"}
    monkeypatch.setattr(self_test, "ask", lambda session, source, seconds=0.0: answers.get(source, ""))
    monkeypatch.setattr(self_test, "_waited_for_itself", lambda session: 0.0)
    monkeypatch.setattr(self_test, "_out_of_time", lambda session: "killed")
    return answers


@pytest.mark.parametrize("after", ["no network", "limit: wall time"])
def test_trials_that_end_before_their_time_are_no_proof(played, monkeypatch, after):
    """As where the machine runs out of memory and kills the process that tries."""
    here = os.getpid()

    def struck(name, *rest, **named):
        if name == after and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return ProbeResult(name, *rest, **named)

    monkeypatch.setattr(self_test, "ProbeResult", struck)
    assert list(broken()) == ["every promise is tried"]


def test_a_trial_that_fails_is_told_and_no_other(played, monkeypatch):
    assert broken() == {}
    played[self_test.ASKED["no privileges"]] = "False user 0"
    played[self_test.ENDED["limit: processes"][1]] = "went on"
    monkeypatch.setattr(self_test, "_waited_for_itself", lambda session: self_test.WATCH_SECONDS)
    monkeypatch.setattr(self_test, "_out_of_time", lambda session: "exit 0, too early")
    results = broken()
    assert list(results) == ["no privileges", "limit: processes", self_test.ITSELF, self_test.WALL]
    assert results["limit: processes"].observed == "stopped: went on"
    assert "another machine" in results["no privileges"].remedy


@pytest.mark.sandbox
def test_a_trial_ends_when_nobody_else_is_to_blame_and_a_box_that_lets_nothing_run_on_proves_no_limit(monkeypatch, box):
    assert self_test.ask(box.open(), "import time\ntime.sleep(1000)", 0.3) == "killed"
    monkeypatch.setattr(self_test, "ENDLESS", "import os\nos._exit(0)")
    with self_test.opened(box) as session:
        assert self_test._out_of_time(session).endswith(", too early")


def test_the_doctor_gives_a_busy_machine_time_and_not_for_ever():
    waited = iter((0.0, 3.0, 3.01, 100.0, 200.0))
    more = self_test.busy(SimpleNamespace(waited=lambda: next(waited)))
    assert [more() for _ in range(5)] == [0.0, 3.0, 0.0, self_test.BUSY_SECONDS - 3.0, 0.0]


def test_a_missing_bubblewrap_is_to_be_installed(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    results = broken()
    assert list(results) == [STARTS]
    assert "apt-get install bubblewrap" in results[STARTS].remedy


def test_security_md_lists_what_the_doctor_tries_and_the_instructors_page_counts_it():
    page = (ROOT / "SECURITY.md").read_text("utf-8")
    lines = re.search(r"^## Promises$(.*?)^## ", page, re.MULTILINE | re.DOTALL).group(1).splitlines()
    names = sorted(PROMISES, key=len, reverse=True)
    points = [line[2:] for line in lines if line.startswith("- ")]
    promises = [next((name for name in names if f"{point}: ".startswith(f"{name}: ")), point) for point in points]
    assert promises == list(PROMISES)
    assert f"all {len(PROMISES)} promises are kept" in (ROOT / "book" / "instructors.md").read_text("utf-8")


DENIED = "bwrap: setting up uid map: Permission denied"


@pytest.mark.parametrize(
    ("seen", "name", "machine", "cure"),
    [
        (DENIED, "bubblewrap", {"apparmor_restrict_unprivileged_userns": "1"}, "containers/bwrap.apparmor"),
        (DENIED, "bubblewrap", {"max_user_namespaces": "0"}, "user.max_user_namespaces="),
        (DENIED, "bubblewrap", {"unprivileged_userns_clone": "0"}, "kernel.unprivileged_userns_clone=1"),
        (DENIED, "bubblewrap", {"mark": "/.dockerenv"}, "seccomp=unconfined"),
        (DENIED, "bubblewrap", {"mark": "/run/.containerenv"}, "unmask=ALL"),
        (DENIED, "bubblewrap", {"other": "1"}, "Inside a container?"),
        ("bwrap: Unknown option --disable-userns", "bubblewrap", {}, "older than 0.8"),
        ("bubblewrap is not installed", "bubblewrap", {"platform": "darwin"}, "Linux container"),
        ("podman is not installed, or not on the PATH.", "podman-cold", {}, "Install podman"),
        ("Error: localhost/autograder: image not known", "podman", {}, "podman build -t localhost/autograder"),
        ("Cannot connect to the Docker daemon", "docker", {}, "systemctl start docker"),
    ],
)
def test_each_cause_has_its_remedy(monkeypatch, seen, name, machine, cure):
    """On a machine of this platform, with these switches of its kernel and this mark of a container."""
    monkeypatch.setattr(host, "switch", lambda path: machine.get(path.rpartition("/")[2], ""))
    monkeypatch.setattr(host.Path, "exists", lambda path: str(path) == machine.get("mark"))
    monkeypatch.setattr(host.sys, "platform", machine.get("platform", "linux"))
    assert cure in remedy(STARTS, seen, name)


def test_every_file_that_a_remedy_names_is_there():
    texts = [value for value in vars(host).values() if isinstance(value, str)] + [host.cgroups()]
    named = {word.strip("().,;") for text in texts for word in text.split() if word.startswith("containers/")}
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_where_bubblewrap_is_refused_nothing_starts_and_the_message_says_why(monkeypatch, tmp_path):
    bwrap = tmp_path / "bwrap"
    bwrap.write_text(f"#!/bin/sh\necho '{DENIED}' >&2\nexit 1\n")
    bwrap.chmod(0o755)
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda name: str(bwrap))
    with pytest.raises(SandboxUnavailable, match=r"(?s)uid map: Permission denied.*apt-get install bubblewrap"):
        Sandbox(ROOT, (), Limits()).__enter__()
    with pytest.raises(SandboxUnavailable, match=r"seq2seq/nonsense\.py"):
        bubblewrap.command(ROOT, ("seq2seq/nonsense.py",), Limits(), 3)


def test_the_sandbox_is_bubblewrap_unless_one_is_chosen_by_name(monkeypatch):
    monkeypatch.setenv(VARIABLE, "")
    assert chosen() == "bubblewrap"
    monkeypatch.setenv(VARIABLE, "firejail")
    with pytest.raises(SandboxUnavailable, match=r"'firejail'; choose one of bubblewrap, podman, podman-cold, docker"):
        chosen()
    for line in (["grade", "x"], ["check", "x.ipynb"], ["doctor"]):
        monkeypatch.setenv(VARIABLE, "")
        parser().parse_args([*line, "--sandbox", "docker"])
        assert chosen() == "docker", "the option chooses for the processes that judge"


def test_every_name_has_a_sandbox_and_only_bubblewrap_and_podman_keep_one_warm():
    ways = list(product(NAMES, (False, True)))
    boxes = [sandboxes.sandbox(name, ROOT, (), Limits(), gpu=gpu) for name, gpu in ways]
    assert all(isinstance(box, ColdSandbox) for box in boxes)
    warm = [way for way, box in zip(ways, boxes, strict=True) if isinstance(box, Sandbox)]
    assert warm == [("bubblewrap", False), ("podman", False)]

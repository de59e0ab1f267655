"""The doctor notices a promise that is broken, and says how to mend what keeps the sandbox from starting."""

import json
import os
import signal
from dataclasses import asdict
from pathlib import Path

import pytest
from learners import ROOT

from autograder.records.job import Limits
from autograder.sandbox import bubblewrap, host, self_test
from autograder.sandbox.host import remedy
from autograder.sandbox.self_test import ProbeResult, probe

STARTS = "the sandbox starts"


def broken(name="bubblewrap"):
    return {finding.name: finding for finding in probe(ROOT, name) if finding.status == "broken"}


@pytest.fixture
def box_with(monkeypatch):
    """Changes the command line of the box."""
    whole = bubblewrap.command

    def box_with(change):
        monkeypatch.setattr(bubblewrap, "command", lambda *arguments: change(whole(*arguments)))

    return box_with


@pytest.mark.sandbox
def test_a_box_with_holes_is_found_out_hole_by_hole(box_with, monkeypatch):
    """The host's name is told, a folder of the home is there, and no limit but the wall time is tight.

    Sockets are left out: the wide limit stops them too, sooner or later, depending on the machine.
    """

    def with_holes(line):
        place = line.index("--hostname")
        line[place : place + 2] = ["--hostname", "exam-server"]
        place = line.index("--remount-ro")
        line[place:place] = ["--dir", str(Path.home() / ".ssh")]
        line[-1] = json.dumps(asdict(Limits(cpu_seconds=60, processes=200)))
        return line

    box_with(with_holes)
    monkeypatch.setattr("autograder.sandbox.self_test.LIMIT_SECONDS", 3.0)
    ended = {promise: how for promise, how in self_test.ENDED.items() if promise != "limit: memory, of sockets"}
    monkeypatch.setattr(self_test, "ENDED", ended)
    assert set(broken()) == {
        "a host name that reveals nothing", "none of your files", "limit: size of a file",
        "limit: size of all files", "limit: open files", "limit: printed text", "limit: memory, of all processes",
        "limit: CPU time, of all processes", "limit: CPU time, of short-lived processes", "limit: processes",
    }  # fmt: skip


@pytest.mark.sandbox
def test_memory_that_comes_slowly_is_still_a_matter_of_memory(monkeypatch):
    """A virtual machine's first touch of its memory costs CPU time: 2.3 s for 800 MB were seen."""
    promise = "limit: memory, of all processes"
    limits, source, expected = self_test.ENDED[promise]
    slowly = "import time\nwhile time.process_time() < 3:\n    pass\n" + source
    monkeypatch.setattr(self_test, "ASKED", {})
    monkeypatch.setattr(self_test, "ENDED", {promise: (limits, slowly, expected)})
    found = {finding.name: finding for finding in probe(ROOT, "bubblewrap")}
    assert (found[promise].status, found[promise].seen) == ("kept", "stopped: memory")


@pytest.mark.sandbox
@pytest.mark.parametrize("after", ["no network", "limit: wall time"])
def test_trials_that_end_before_their_time_are_no_proof(monkeypatch, after):
    """As where the machine runs out of memory and kills the process that tries."""
    made, here = ProbeResult, os.getpid()

    def struck(name, *rest, **named):
        if name == after and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return made(name, *rest, **named)

    monkeypatch.setattr("autograder.sandbox.self_test.ProbeResult", struck)
    found = list(probe(ROOT, "bubblewrap"))
    assert [finding.name for finding in found if finding.status == "broken"] == ["every promise is tried"]


@pytest.mark.sandbox
def test_a_box_that_lets_nothing_run_on_is_no_proof_of_a_limit(monkeypatch):
    monkeypatch.setattr(self_test, "ASKED", {})
    monkeypatch.setattr(self_test, "ENDED", {})
    monkeypatch.setattr(self_test, "ENDLESS", "import os\nos._exit(0)")
    assert "limit: wall time" in broken()


def test_a_missing_bubblewrap_is_to_be_installed(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    found = broken()
    assert list(found) == [STARTS]
    assert "apt-get install bubblewrap" in found[STARTS].remedy


@pytest.fixture
def switches(monkeypatch):
    """The kernel's switches as another machine has them."""
    values = {}
    monkeypatch.setattr(host, "switch", lambda path: values.get(path.rpartition("/")[2], ""))
    monkeypatch.setattr(host.Path, "exists", lambda path: str(path) == values.get("mark"))
    return values


REFUSED = "bwrap: setting up uid map: Permission denied"


@pytest.mark.parametrize(
    ("name", "value", "cure"),
    [
        ("apparmor_restrict_unprivileged_userns", "1", "containers/bwrap.apparmor"),
        ("max_user_namespaces", "0", "user.max_user_namespaces="),
        ("unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        ("mark", "/.dockerenv", "seccomp=unconfined"),
        ("mark", "/run/.containerenv", "unmask=ALL"),
        ("other", "1", "Inside a container?"),
    ],
)
def test_each_cause_has_its_remedy(switches, name, value, cure):
    switches[name] = value
    assert cure in remedy(STARTS, REFUSED, "bubblewrap")


@pytest.mark.parametrize(
    ("seen", "name", "cure"),
    [
        ("bwrap: Unknown option --disable-userns", "bubblewrap", "older than 0.8"),
        ("podman is not installed, or not on the PATH.", "podman-cold", "Install podman"),
        ("Error: localhost/autograder: image not known", "podman", "podman build -t localhost/autograder"),
        ("Cannot connect to the Docker daemon", "docker", "systemctl start docker"),
    ],
)
def test_each_backend_has_its_remedies(switches, seen, name, cure):
    assert cure in remedy(STARTS, seen, name)


def test_a_mac_is_sent_to_the_container(switches, monkeypatch):
    monkeypatch.setattr(host.sys, "platform", "darwin")
    assert "Linux container" in remedy(STARTS, "bubblewrap is not installed", "bubblewrap")


def test_every_file_that_a_remedy_names_is_there():
    texts = [value for value in vars(host).values() if isinstance(value, str)] + [host.cgroups()]
    named = {word.strip("().,;") for text in texts for word in text.split() if word.startswith("containers/")}
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []

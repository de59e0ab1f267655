"""Who starts machines as they are told to opens no door to other networks."""

import re

import psutil
import pytest
from machines import ROOT, started, wait_for

from autograder.commands.options import MACHINES

TEXTS = {"--help": MACHINES, "README": (ROOT / "README.md").read_text(encoding="utf-8")}
COMMAND = re.compile(r"^.*-m dask (scheduler|worker)(.*)$", re.MULTILINE)


@pytest.mark.parametrize("name", TEXTS)
def test_every_command_that_is_written_names_the_address_to_listen_at(name):
    commands = COMMAND.findall(TEXTS[name])
    assert {command for command, _ in commands} == {"scheduler", "worker"}
    assert all("--host HERE --dashboard-address HERE:0" in rest for _, rest in commands)


def test_with_a_host_scheduler_worker_and_nanny_listen_there_alone(tmp_path):
    with started(tmp_path) as machines:  # with the two options, as is written
        machines.work("--host", "127.0.0.1")
        machines.wait_for_workers(1)
        own = [psutil.Process(process.pid) for process in machines.processes]
        wait_for(lambda: len(places([*own, *own[1].children(recursive=True)])) >= 1)
        found = places([*own, *own[1].children(recursive=True)])
    assert found == {"127.0.0.1"}


def places(processes):
    """The addresses at which they listen."""
    found = set()
    for process in processes:
        for one in process.net_connections(kind="inet"):
            if one.status == psutil.CONN_LISTEN:
                found.add(one.laddr.ip)
    return found

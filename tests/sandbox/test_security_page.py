"""Each sentence of SECURITY.md has a test that holds it; one without a test, or with one that is gone, fails here."""

import ast
import errno
import re
from functools import cache, partial
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from learners import ROOT

from autograder.sandbox import host, needs, supervisor, syscalls
from autograder.sandbox.self_test import PROMISES
from autograder.sandbox.wire import Name

PAGE = (ROOT / "SECURITY.md").read_text("utf-8")
REPLAY = "tests/attacks/test_replay.py::test_an_attack_gets_what_it_deserves_and_nothing_else"
DOCTOR = "test_doctor.py::test_the_doctor_tries_every_promise_and_finds_it_kept"
COMMANDS = "test_proof.py::test_each_command_that_runs_learners_code_says_what_doctor_says_and_runs_nothing"
MISPLACED = "test_proof.py::test_a_course_or_a_class_in_a_folder_that_the_sandbox_shows_is_refused_in_one_line"
LISTED = (
    "test_allowed_calls.py::test_the_filter_lets_through_what_is_listed_and_answers_all_else_as_a_kernel_that_lacks_it"
)
UNSEEN = "test_allowed_calls.py::test_no_other_number_is_answered_by_the_kernel"
CALLS = "test_syscalls.py::test_calls_are_refused_or_answered_as_they_must_be_and_honest_work_goes_on"
MACHINES = "test_syscalls.py::test_the_filter_knows_both_machines_and_no_other"
ALONE = "test_isolation.py::test_what_a_submission_leaves_is_seen_by_itself_alone"
CONTAINER = "test_containers.py::test_a_submission_runs_in_a_container_of_its_own_where_its_orphans_count_too"
ENGINE = "test_containers.py::test_the_engine_is_asked_for_every_restriction"
CGROUP = "test_meters.py::test_the_limits_are_written_and_the_process_is_put_in"
FIRST = "test_limits.py::test_a_submission_is_the_first_to_go_where_memory_runs_out"
OTHER_SEED = "test_the_same_job_gives_the_same_verdict_and_another_seed_other_inputs"
FIGURES = "test_security_page.py::test_the_figures_of_the_page_are_those_of_the_code"
PIPES = "test_security_page.py::test_a_submission_can_use_up_the_pipes_of_its_user"
INPUTS = "test_security_page.py::test_a_later_cell_can_print_the_inputs_of_a_check"
REPORTED = "test_security_page.py::test_the_box_says_what_it_changed_and_its_gradients"
REMAINS = "test_security_page.py::test_what_remains_open_is_open"
LOWEST = "test_security_page.py::test_all_but_the_first_thread_get_the_lowest_priority"
CUDA = "test_security_page.py::test_with_a_gpu_shared_memory_and_unlimited_address_space_are_allowed"

# How a sentence begins → its test, of this folder unless it names another.
HELD = {
    "Learners' code is assumed to be hostile": REPLAY,
    "This page lists": "test_security_page.py::test_every_sentence_has_a_test_that_is_there",
    "`python -m autograder doctor` tests every promise": DOCTOR,
    "The first two are tested again": COMMANDS,
    "In scope: a learner": REPLAY,
    "Out of scope: anyone": "test_security_page.py::test_the_doctor_advises_against_grading_as_root",
    "Verdicts are reached outside": "tests/autograder/test_wire.py::test_forged_messages_are_refused",
    "Each submission runs in its own process tree": ALONE,
    **dict.fromkeys(PROMISES, DOCTOR),
    "Of Python:": "test_needs.py::test_the_interpreters_libraries_are_found_as_the_loader_finds_them",
    "Of the environment:": "test_needs.py::test_the_closure_follows_requirements_and_the_extras_that_are_asked_for",
    "Of the system:": "test_needs.py::test_a_box_has_what_notebooks_ask_for_and_nothing_else",
    "Of the course:": DOCTOR,
    "A course, a folder of submissions": MISPLACED,
    "between submissions": CONTAINER,
    "system calls": LISTED,
    "shared files": "test_needs.py::test_none_of_what_is_shown_is_a_folder_that_others_write_into",
    "cgroup v2, delegated": CGROUP,
    "a container's own cgroup": ENGINE,
    "only cgroup v1": FIGURES,
    "Without a cgroup, memory is measured": "test_security_page.py::test_the_doctor_says_what_a_machine_lacks",
    "In a tenth of a second": FIGURES,
    "If the machine runs out of memory": FIRST,
    "What is not counted is small": FIGURES,
    "Limits per user": PIPES,
    "The kernel counts pipes": PIPES,
    "Inputs of checks are visible to the answer": INPUTS,
    "The inputs of hidden cases": INPUTS,
    "They are drawn again for each class": f"tests/autograder/test_evaluation.py::{OTHER_SEED}",
    "Facts that only the learner's process knows": REPORTED,
    "Whether an argument was left unchanged": REPORTED,
    "Results, which are decisive": "tests/test_arrows.py::test_what_the_sandbox_mounts_imports_nothing_else_of_ours",
    "Timing side channels": REMAINS,
    "Code that measures": REMAINS,
    "Two concurrent submissions could communicate": REMAINS,
    "CPU shares": LOWEST,
    "On kernels that group processes": LOWEST,
    "`sysinfo` reveals": REMAINS,
    "Calls that no filter sees": UNSEEN,
    "Linux shows the two calls": UNSEEN,
    "Locks and SIGCHLD": CALLS,
    "Locks are granted without effect": CALLS,
    "GPUs": CUDA,
    "CUDA shares pages": CUDA,
    "Other architectures": MACHINES,
    "The system call filter supports": MACHINES,
}
NOT_SENTENCES = re.compile(r"#|\s*$|\|[- |]*\|$|\| \|")  # headings, lines of tables, their heads
ASKED_OF_READERS = "## Report a vulnerability"


def sentences():
    """Of the page: each sentence, each row of a table."""
    for line in PAGE.partition(ASKED_OF_READERS)[0].splitlines():
        if NOT_SENTENCES.match(line):
            continue
        text = line.removeprefix("- ").removeprefix("| ").replace("**", "")
        yield from [text] if line.startswith(("|", "- limit", "- no ")) else re.split(r"(?<=\.) +(?=[A-Z`])", text)


@cache
def functions_of(path):
    tree = ast.parse((ROOT / path if "/" in path else Path(__file__).with_name(path)).read_text("utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_every_sentence_has_a_test_that_is_there():
    starts = sorted(HELD, key=len, reverse=True)
    named = {text: next((start for start in starts if text.startswith(start)), None) for text in sentences()}
    assert [text for text, start in named.items() if start is None] == []
    assert set(HELD) - set(named.values()) == set()  # or the sentence is gone
    assert [name for path, name in (test.split("::") for test in HELD.values()) if name not in functions_of(path)] == []


def test_the_figures_of_the_page_are_those_of_the_code():
    assert supervisor.CHECK_SECONDS == 0.1
    pages = int(Path("/proc/sys/fs/pipe-user-pages-soft").read_text())
    assert f"({pages * 4096 // 2**20} MB per user" in PAGE
    assert 20 <= len(needs.PROGRAMS) <= 28  # two dozen


def test_the_doctor_advises_against_grading_as_root(monkeypatch):
    monkeypatch.setattr(host.os, "geteuid", lambda: 0)
    assert "grading as an ordinary user is safer" in host.system()


def test_the_doctor_says_what_a_machine_lacks(monkeypatch):
    monkeypatch.setattr(host, "delegated", lambda: None)
    assert "memory is counted, but not bounded in between (see SECURITY.md for what remains open)" in host.cgroups()


FILLS = """
import fcntl, os
pipes = [os.pipe()]
while fcntl.fcntl(pipes[-1][1], 1032) == 65536:
    try:
        fcntl.fcntl(pipes[-1][1], 1031, 2**20)
    except OSError:  # less than that is left
        pass
    pipes.append(os.pipe())
print(fcntl.fcntl(pipes[-1][1], 1032) < 65536)
"""
SIZE = "import fcntl, os\nprint(fcntl.fcntl(os.pipe()[1], 1032) < 65536)"


@pytest.mark.sandbox
def test_a_submission_can_use_up_the_pipes_of_its_user(learner):
    filling, other = learner(), learner()
    assert filling(FILLS) == "True"
    assert other(SIZE) == "True"


@pytest.fixture
def asked(learner):
    """Has a submission define functions; returns what asks it as the judge does, and what runs a further cell."""
    submission = learner()
    submission("seen = []\ndef double(x):\n    seen.append(float(x))\n    return 2 * x\ndef clear(x):\n    x[0] = 0")

    def asked(op, **request):
        submission.session.wire.send({"op": op, **request})
        return submission.session.wire.receive()

    call = partial(asked, "call", method="", kwargs={}, grad=True)
    return SimpleNamespace(call=lambda name, *args: call(target=Name(name), args=[*args]), ask=asked, run=submission)


@pytest.mark.sandbox
def test_a_later_cell_can_print_the_inputs_of_a_check(asked):
    asked.call("double", 21)
    assert asked.run("print(seen)") == "[21.0]"


@pytest.mark.sandbox
def test_the_box_says_what_it_changed_and_its_gradients(asked):
    assert asked.call("clear", [1])["altered"] == [[0, [0]]]
    ticket = asked.call("double", torch.ones(1, requires_grad=True))["ticket"]
    reply = asked.ask("backward", ticket=ticket, gradients=[torch.ones(1)])
    assert [gradient.tolist() for gradient in reply["gradients"]] == [[2.0]]


OPEN = """
import ctypes, os, time
libc = ctypes.CDLL(None)
start = time.perf_counter()
open(os.__file__).read()
page = ctypes.create_string_buffer(8192)
seen = ctypes.create_string_buffer(8)
address = (ctypes.addressof(page) + 4095) & ~4095
print(time.perf_counter() > start, libc.mincore(ctypes.c_void_p(address), 4096, seen), len(os.getloadavg()))
"""


@pytest.mark.sandbox
def test_what_remains_open_is_open(run):
    assert run(OPEN.replace("os.getloadavg()", "[libc.sysinfo(ctypes.create_string_buffer(512))]")) == "True 0 1"


THREADS = """
import os, threading, time
end, seen = time.monotonic() + 30, []
def work():
    while seen[-1:] != [19] and time.monotonic() < end:
        seen[:] = [os.getpriority(os.PRIO_PROCESS, threading.get_native_id())]
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(seen, os.getpriority(os.PRIO_PROCESS, os.getpid()))
"""


@pytest.mark.sandbox
def test_all_but_the_first_thread_get_the_lowest_priority(run):
    assert run(THREADS) == "[19] 0"


def test_with_a_gpu_shared_memory_and_unlimited_address_space_are_allowed():
    shared = next(rule for rule in syscalls.rules(False) if rule not in syscalls.rules(True))
    assert shared == ("mmap", syscalls.refuse_with(errno.EPERM), (syscalls.argument(3, 0x21, mask=0x21),))

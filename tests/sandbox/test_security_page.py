"""Each sentence of SECURITY.md has a test that holds it; one without a test, or with one that is gone, fails here."""

import errno
import re
from functools import partial
from pathlib import Path

import pytest
import torch
from learners import ROOT, misses

from autograder.sandbox import host, needs, supervisor, syscalls
from autograder.sandbox.self_test import PROMISES
from autograder.sandbox.wire import Name

PAGE = (ROOT / "SECURITY.md").read_text("utf-8")

# A test → how each sentence begins that it holds.
HELD = {
    "an_attack_gets_what_it_deserves_and_nothing_else": ["Learners' code is assumed to be hostile", "In scope:"],
    "every_sentence_has_a_test_that_is_there": ["This page lists"],
    "the_doctor_tries_every_promise_and_finds_it_kept": ["`python -m autograder doctor`", *PROMISES, "Of the course:"],
    "each_command_that_runs_learners_code_says_what_doctor_says_and_runs_nothing": ["The first two are tested again"],
    "the_doctor_says_what_a_machine_lacks_and_advises_against_grading_as_root": [
        "Out of scope: anyone",
        "Without a cgroup, memory is measured",
    ],
    "forged_messages_are_refused": ["Verdicts are reached outside"],
    "what_a_submission_leaves_is_seen_by_itself_alone": ["Each submission runs in its own process tree"],
    "the_interpreters_libraries_are_found_as_the_loader_finds_them": ["Of Python:"],
    "the_closure_follows_requirements_and_the_extras_that_are_asked_for": ["Of the environment:"],
    "a_box_has_what_notebooks_ask_for_and_nothing_else": ["Of the system:"],
    "a_course_or_a_class_in_a_folder_that_the_sandbox_shows_is_refused_in_one_line": ["A course, a folder of"],
    "a_box_shows_no_task_no_reference_and_none_of_our_files": [
        "Files are parsed and pages are rendered",
        "Of the course it shows what parses",
    ],
    "a_fork_writes_nothing_reaches_nobody_and_holds_nothing_open": ["Where bubblewrap makes no box"],
    "a_round_in_which_a_learner_of_the_hub_sees_nothing_of_others_and_hands_in_for_none": [
        "A learner with an account of their own sees"
    ],
    "a_submission_is_its_owners_whatever_it_is_called": ["What is collected belongs to the account"],
    "where_all_servers_are_one_account_the_name_counts": ["Where one account runs all servers"],
    "a_submission_runs_in_a_container_of_its_own_where_its_orphans_count_too": ["between submissions"],
    "the_filter_lets_through_what_is_listed_and_answers_all_else_as_a_kernel_that_lacks_it": ["system calls"],
    "none_of_what_is_shown_is_a_folder_that_others_write_into": ["shared files"],
    "the_limits_are_written_and_the_process_is_put_in": ["cgroup v2, delegated"],
    "the_engine_is_asked_for_every_restriction": ["a container's own cgroup"],
    "the_figures_of_the_page_are_those_of_the_code": [
        "only cgroup v1",
        "In a tenth of a second",
        "What is not counted is small",
    ],
    "a_submission_is_the_first_to_go_where_memory_runs_out_and_inherits_no_right_to_real_time": [
        "If the machine runs out of memory"
    ],
    "a_submission_can_use_up_the_pipes_of_its_user": ["Limits per user", "The kernel counts pipes"],
    "what_only_the_learners_process_knows_it_reports_and_the_inputs_of_a_check_can_be_printed": [
        "Inputs of checks are visible to the answer",
        "The inputs of hidden cases",
        "Facts that only the learner's process knows",
        "Whether an argument was left unchanged",
    ],
    "the_same_job_gives_the_same_verdict_and_another_seed_other_inputs": ["They are drawn again for each class"],
    "what_the_sandbox_mounts_imports_nothing_else_of_ours": ["Results, which are decisive"],
    "what_remains_open_is_open": [
        *("Timing side channels", "Code that measures", "Two concurrent submissions could communicate", "CPU shares"),
        *("On kernels that group processes", "`sysinfo` reveals"),
    ],
    "every_listed_call_is_answered_by_the_kernel_and_no_other_number": [
        "Calls that no filter sees",
        "Linux shows the two calls",
    ],
    "calls_are_refused_or_answered_as_they_must_be_and_honest_work_goes_on": ["Locks and SIGCHLD", "Locks are granted"],
    "without_namespaces_a_submission_is_refused_or_runs_under_an_account_that_reads_no_answer": [
        "It runs learners' code under a number",
    ],
    "the_doctor_says_what_an_account_keeps_and_what_it_does_not": [
        'The promises "processes of its own"',
        'Of "no privileges" it has none either',
        "All other promises are kept",
    ],
    "an_account_is_for_one_submission_and_no_command_takes_it_for_a_class": ["The sandbox `account`"],
    "with_a_gpu_shared_memory_and_unlimited_address_space_are_allowed": ["GPUs", "CUDA shares pages"],
    "two_machines_have_lists_without_duplicates_that_differ_for_a_reason_and_no_third_has_one": [
        "Other architectures",
        "The system call filter supports",
    ],
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


def test_every_sentence_has_a_test_that_is_there():
    starts = sorted((start for held in HELD.values() for start in held), key=len, reverse=True)
    named = {text: next((start for start in starts if text.startswith(start)), None) for text in sentences()}
    assert [text for text, start in named.items() if start is None] == []
    assert set(starts) - set(named.values()) == set()  # or the sentence is gone
    tests = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    assert set(HELD) - set(re.findall(r"^def test_(\w+)", tests, re.MULTILINE)) == set()


def test_the_figures_of_the_page_are_those_of_the_code():
    assert supervisor.CHECK_SECONDS == 0.1
    pages = int(Path("/proc/sys/fs/pipe-user-pages-soft").read_text())
    assert f"({pages * 4096 // 2**20} MB per user" in PAGE
    assert 20 <= len(needs.PROGRAMS) <= 28  # two dozen


def test_the_doctor_says_what_a_machine_lacks_and_advises_against_grading_as_root(monkeypatch):
    monkeypatch.setattr(host.os, "geteuid", lambda: 0)
    assert "grading as an ordinary user is safer" in host.system()
    monkeypatch.setattr(host, "delegated", lambda: None)
    assert "memory is counted, but not bounded in between (see SECURITY.md for what remains open)" in host.cgroups()


FILLS = """
import fcntl, os
pipes = [*globals().get("pipes", ()), os.pipe()]
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
    assert any(filling(FILLS) == other(SIZE) == "True" for _ in range(20))  # others of the user may have freed some


DEFINED = """
seen = []
def double(x):
    seen.append(float(x))
    return 2 * x
def clear(x):
    x[0] = 0
"""


@pytest.mark.sandbox
def test_what_only_the_learners_process_knows_it_reports_and_the_inputs_of_a_check_can_be_printed(learner):
    submission = learner()
    submission(DEFINED)

    def asked(op, **request):
        submission.session.wire.send({"op": op, **request})
        return submission.session.wire.receive()

    call = partial(asked, "call", path="", kwargs={})
    assert call(target=Name("clear"), args=[[1]])["changed"] == [[0, [0]]]
    assert call(target=Name("double"), args=[torch.ones(1)])["result"].tolist() == [2.0]
    assert submission("print(seen)") == "[1.0]"


LOOKS = """
import ctypes, os, time
libc = ctypes.CDLL(None)
start = time.perf_counter()
open(os.__file__).read()
page = ctypes.create_string_buffer(8192)
seen = ctypes.create_string_buffer(8)
address = (ctypes.addressof(page) + 4095) & ~4095
print(time.perf_counter() > start, libc.mincore(ctypes.c_void_p(address), 4096, seen),
      libc.sysinfo(ctypes.create_string_buffer(512)))
"""
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
OPEN = {
    "time, pages in memory, and the machine's load": (LOOKS, "True 0 0"),
    "the lowest priority, of all but the first thread": (THREADS, "[19] 0"),
}


@pytest.mark.sandbox
def test_what_remains_open_is_open(run):
    assert misses(run, OPEN) == {}


def test_with_a_gpu_shared_memory_and_unlimited_address_space_are_allowed():
    shared = next(rule for rule in syscalls.rules(False) if rule not in syscalls.rules(True))
    assert shared == ("mmap", syscalls.refuse_with(errno.EPERM), (syscalls.argument(3, 0x21, mask=0x21),))

"""Memory in huge pages is the same memory, and a fork's is as much its own as before."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from learners import GIVEN, ROOT

from autograder.sandbox.limits import Limits
from autograder.sandbox.pages import HUGE, mappings
from autograder.sandbox.warm import Sandbox

MODES = Path("/sys/kernel/mm/transparent_hugepage/enabled")
PROGRAM = """
import os
from autograder.sandbox.pages import gather
def huge():
    lines = open("/proc/self/smaps_rollup").read().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("AnonHugePages:"))
words = [f"word {number}" for number in range(100_000)]
block = bytearray(b"word") * 2**23
gather()
assert words == [f"word {number}" for number in range(100_000)] and block.count(b"word") == 2**23
reading, writing = os.pipe()
if not os.fork():
    words[7] = "mine"
    os.write(writing, words[7].encode())
    os._exit(0)
os.wait()
print(os.read(reading, 16).decode(), words[7], huge())
"""


def test_what_was_there_stays_and_a_fork_changes_its_own_alone():
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    mine, word, number, size = done.stdout.split()
    assert (mine, word, number) == ("mine", "word", "7")
    if not MODES.exists() or "[never]" in MODES.read_text():
        pytest.skip("this kernel gives no huge pages: nothing is gained, nothing is lost")
    assert int(size) * 1024 >= 4 * HUGE


def test_only_memory_of_our_own_is_gathered():
    found = mappings()
    number = id(found)  # where an object lies
    assert any(start <= number < end for start, end in found)
    with open("/proc/self/maps") as file:
        others = [line for line in file if "/" in line or "[stack]" in line or " rw-p " not in line]
    starts = {start for start, _ in found}
    assert not starts & {int(line.split("-")[0], 16) for line in others}


@pytest.mark.sandbox
def test_a_box_serves_on_after_it_has_gathered(learner):
    with Sandbox(ROOT, GIVEN, Limits()) as box:
        first = learner(box)
        first("kept = 1")
        first.end()
        box.gather()
        second, third = learner(box), learner(box)
        assert second("print('kept' in globals())") == "False"
        assert second("kept = 2\nprint(kept)") == "2"
        assert third("print('kept' in globals())") == "False"


@pytest.mark.sandbox
def test_a_box_that_is_gone_is_not_asked():
    with Sandbox(ROOT, GIVEN, Limits()) as box:
        pass
    box.gather()

"""Mutants before the checks: each in a process forked from this one, which a mutant may loop in or bring down."""

import faulthandler
import io
import json
import os
import resource
import signal
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from itertools import product

import torch

from autograder.checking import draw
from tests.catalogue.lesson import Lesson
from tests.mutation.mutants import Mutant

SEEDS = (0, 20260731)
SECONDS = 5  # of CPU for one mutant; the checks of one answer take a small part of one
MEMORY = 2 << 30  # beyond what the process has at its start

SURVIVED, BROKE = "survived", "the check broke"  # else it is what killed the mutant


def verdicts(lesson: Lesson, task: str, mutants: list[Mutant]) -> list[str]:
    """For each mutant what the checks say of it, ``SURVIVED`` if nothing; ``BROKE …`` where a check itself raised."""
    judge, told = _judge(lesson, task), []
    while len(told) < len(mutants):
        told += _forked(judge, mutants[len(told) :])
    return told


def _judge(lesson: Lesson, task: str) -> Callable[[str], str]:
    before = lesson.space(task)

    def judge(source: str) -> str:
        space = dict(before)
        try:
            exec(compile(source, "<mutant>", "exec"), space)
        except Exception as error:
            return f"the cell raised {type(error).__name__}: {error}"
        for seed, which in product(SEEDS, ("visible", "hidden")):
            draw.seed = seed
            try:
                finding = lesson.finding(task, which, space)
            except Exception as error:
                return f"{BROKE}: the {which} check raised {type(error).__name__}: {error}"
            if finding is not None:
                return str(finding)
        return SURVIVED

    return judge


def _forked(judge: Callable[[str], str], mutants: list[Mutant]) -> list[str]:
    """The verdicts on the first of the mutants: up to one that brings its process down, or on all of them."""
    here, there = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(here)
        with suppress(BaseException):
            _examine(judge, mutants, there)
        os._exit(0)
    os.close(there)
    with open(here, encoding="utf-8") as lines:
        told = [json.loads(line) for line in lines if line.endswith("\n")]
    _, status = os.waitpid(child, 0)
    if len(told) < len(mutants):
        told.append("the mutant loops" if os.WIFSIGNALED(status) else "the mutant ended the process")
    return told


def _examine(judge: Callable[[str], str], mutants: list[Mutant], pipe: int) -> None:
    torch.set_num_threads(1)
    warnings.simplefilter("ignore")
    faulthandler.disable()  # how a mutant ends its process is told in a word
    signal.signal(signal.SIGPROF, signal.SIG_DFL)  # ends the process, whatever the mutant catches
    with open("/proc/self/statm") as sizes:
        size = int(sizes.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with open(pipe, "w", encoding="utf-8") as lines, redirect_stdout(io.StringIO()):
        for mutant in mutants:
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            told = judge(mutant.source)
            signal.setitimer(signal.ITIMER_PROF, 0)
            lines.write(json.dumps(told) + "\n")
            lines.flush()

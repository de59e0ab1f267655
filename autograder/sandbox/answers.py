"""The learner's side of the wire: runs the learner's cells and calls the answers that they define.

It runs in the learner's own process, so nothing that it says is trusted: the judge takes values from it, never
verdicts.
"""

import gc
import importlib
import io
import linecache
import operator
import os
import random
import socket
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from copy import deepcopy
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

import numpy
import torch
from IPython.core.displaypub import CapturingDisplayPublisher
from torch import Tensor, nn

import autograder
from autograder.checking.equal import EXACT, equal
from autograder.checking.program import play_sent
from autograder.checking.surroundings import as_installed
from autograder.checking.values import is_data
from autograder.sandbox.objects import Objects
from autograder.sandbox.shell import LEARNER_FILES, MAX_OUTPUTS, Printed, Shell, Shown, run_rest, stand_in
from autograder.sandbox.wire import Closed, Wire, WireError
from autograder.tracebacks import kinds_of, refusal

SHOWN = ("text/plain", "image/png")  # what feedback may show; HTML or JavaScript would run in the reader's browser
OPERATIONS = ("run", "fetch", "look", "call", "play")
HAS_NAMESPACES = True  # each submission has its own, as learners' code could use those of the box to reach another


def warm_up(cold: bool) -> None:
    """What every submission needs; called before the fork, but in a cold box after it."""
    torch.set_num_threads(1)
    if not cold:
        prepare(given())
    Answers.warm_up()


def prepare(names: Iterable[str]) -> None:
    """Imports modules before forking; a failure is ignored here, and raised by the submission's own import."""
    for name in names:
        with suppress(Exception):
            importlib.import_module(name)


def given() -> Iterator[str]:
    """The names of the exercise's given modules, which lie beside ours."""
    course = Path(autograder.__file__).parents[1]
    for path in sorted(course.rglob("*.py")):
        parts = path.relative_to(course).with_suffix("").parts
        if parts[0] != "autograder":
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def serve(connection: socket.socket, limits: SimpleNamespace) -> None:
    """Serves one submission until the judge closes the connection."""
    stand_in()
    Answers(Wire(connection), limits.output).serve()


def seed() -> None:
    """Makes a submission draw the same random numbers in every grading run."""
    torch.manual_seed(0)
    random.seed(0)
    numpy.random.seed(0)


class Answers:
    """Serves one submission over one wire until the judge closes it."""

    shell: Shell

    @classmethod
    def warm_up(cls) -> None:
        """Imports and runs once what every submission would pay for otherwise; called before the fork."""
        gc.disable()  # collecting garbage during the imports takes a seventh of the time and finds nothing
        cls.shell = Shell.instance()
        assert cls.shell.history_manager is not None
        cls.shell.history_manager.enabled = False
        import matplotlib.pyplot as plt

        figure, (left, right) = plt.subplots(1, 2, layout="constrained")  # fonts, ticks and layout are cached here
        left.imshow([[0.0, 1.0]])
        right.plot([0, 1], label="one")
        right.legend()
        figure.suptitle("warm")
        figure.savefig(io.BytesIO(), bbox_inches="tight")
        plt.close("all")
        inputs = torch.ones(2, 3, requires_grad=True)
        nn.Linear(3, 2)(inputs).tanh().softmax(-1).sum().backward()
        cls.shell.run_cell("%matplotlib inline\nimport math")
        cls.shell.reset(new_session=False)
        seed()  # the first call makes numpy import its generators
        gc.freeze()  # otherwise garbage collection in a fork would copy the pages of all earlier objects
        gc.enable()

    def __init__(self, wire: Wire, output_limit: int) -> None:
        self.wire, self.output_limit = wire, output_limit
        self.objects = Objects(self.shell.user_ns)
        self.silence: IO[str] | None = None  # one for all calls: an answer may keep it
        self.operations: dict[str, Callable[..., Any]] = {name: getattr(self, name) for name in OPERATIONS}
        # A cell may fork and forget to end the child, which then comes back here: it must not answer in our name.
        os.register_at_fork(after_in_child=wire.close)
        seed()
        sys.path.insert(0, "")  # as in a notebook, for modules beside it

    def serve(self) -> None:
        while True:
            try:
                self.answer(self.wire.receive())
            except Closed:
                return

    def answer(self, request: dict[str, Any]) -> None:
        """Performs a request of the judge and sends the reply; to "observe", one for each case."""
        if request["op"] == "observe":
            with as_installed():
                for case in request.pop("cases"):
                    self.answer(request | {"op": "play", "case": case})
            return
        try:
            reply = self.operations[request.pop("op")](**request)
        except Closed:
            raise
        except WireError as error:
            reply = {"unsent": str(error)}
        except BaseException as error:  # an answer may raise anything, even KeyboardInterrupt and SystemExit
            reply = {"raised": describe(error)}
        try:
            self.wire.send(reply)
        except WireError as error:
            self.wire.send({"unsent": str(error)})
        except Closed:
            raise
        except Exception as error:  # a learner's subclass of Tensor may raise during encoding
            self.wire.send({"raised": describe(error)})

    def run(self, cell: str, source: str) -> dict[str, Any]:
        """Runs one cell; returns its outputs in nbformat's form and its error, if any."""
        outputs: list[dict[str, Any]] = []
        shown: list[dict[str, Any]] = []
        self.shell.display_pub = CapturingDisplayPublisher(parent=self.shell)
        self.shell.display_pub.outputs = shown
        hook = Shown(self.shell, shown)
        self.shell.displayhook = sys.displayhook = hook
        self.shell.display_trap.hook = hook
        printed: Any = Printed("stdout", outputs, self.output_limit)
        errors: Any = Printed("stderr", outputs, self.output_limit)
        with redirect_stdout(printed), redirect_stderr(errors):
            result = self.shell.run_cell(source, store_history=False)
            if result.error_in_exec is not None:
                statements = self.shell.transform_cell(source)
                if note := run_rest(statements, self.shell.user_ns, result.error_in_exec):
                    errors.write(note)
        outputs = [{**output, "text": "".join(output["text"])} for output in outputs]
        left = self.output_limit
        for display in shown[:MAX_OUTPUTS]:
            data = {mime: text for mime, text in display["data"].items() if mime in SHOWN and type(text) is str}
            size = sum(map(len, data.values()))
            if data and size <= left:
                outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
                left -= size
        error = result.error_before_exec or result.error_in_exec
        return {"outputs": outputs, "error": describe(error) if error else None}

    def fetch(self, name: str) -> dict[str, Any]:
        """The value of a name, and whether it is to be called rather than sent."""
        return self.described(self.objects.named(name))

    def look(self, target: Any, path: str) -> dict[str, Any]:
        """An attribute of an exported name or of an object."""
        return self.described(operator.attrgetter(path)(self.objects.materialise(target)))

    def described(self, value: Any) -> dict[str, Any]:
        is_callable = callable(value)
        return {"result": None if is_callable else self.objects.portable(value), "callable": is_callable}

    def call(self, target: Any, path: str, args: list[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Calls an exported name, or a method of an object; also returns what it has changed of its arguments."""
        function = self.objects.materialise(target)
        function = operator.attrgetter(path)(function) if path else function
        args, kwargs = self.objects.materialise(args), self.objects.materialise(kwargs)
        before = [deepcopy(value) if isinstance(value, Tensor) or is_data(value) else None for value in args]
        with self.silenced(), as_installed(), torch.enable_grad():
            result = function(*args, **kwargs)
        pairs = enumerate(zip(args, before, strict=True))
        changed = [[index, self.objects.portable(now)] for index, (now, old) in pairs if is_changed(old, now)]
        return {"result": self.objects.portable(result), "changed": changed}

    def play(self, target: Any, case: dict[str, Any], brief: bool) -> dict[str, Any]:
        """Plays a case of a check with an answer; returns what was observed, for the judge to compare."""
        answer = self.objects.materialise(target)
        with self.silenced():
            return {"seen": self.objects.portable(play_sent(case, answer, brief))}

    @contextmanager
    def silenced(self) -> Iterator[None]:
        """Discards what is printed and sets the check's default dtype, which an answer may have changed."""
        torch.set_default_dtype(torch.float32)
        if self.silence is None or self.silence.closed:
            self.silence = open(os.devnull, "w")  # noqa: SIM115
        with redirect_stdout(self.silence), redirect_stderr(self.silence):
            yield


def is_changed(old: Any, now: Any) -> bool:
    """Whether a tensor, a list or a dictionary holds something else now."""
    return not equal(old, now, EXACT) if isinstance(old, Tensor) else type(old) in (list, dict) and old != now


def describe(error: BaseException) -> dict[str, Any]:
    """An exception as plain text: its kind, its message, and the learner's own line that raised it."""
    try:
        detail = str(error)[:500]
        detail += refusal(detail)
    except BaseException:
        detail = ""
    line, number = "", 0
    if isinstance(error, SyntaxError):
        line, number = (error.text or "").strip(), error.lineno or 0
    for frame, position in traceback.walk_tb(error.__traceback__):
        name = frame.f_code.co_filename
        if name.startswith(LEARNER_FILES):
            line, number = linecache.getline(name, position).strip(), position
    kinds = [name[:80] for name in kinds_of(error)[:12]]
    return {"kind": kinds[0], "kinds": kinds, "detail": detail, "line": line[:200], "number": number}

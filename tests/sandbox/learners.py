"""A learner at work in a box: for tests that need a submission without a judge."""

from pathlib import Path

from autograder.sandbox.wire import Closed, Deadline

ROOT = Path(__file__).resolve().parents[2]
GIVEN = ("seq2seq/__init__.py", "seq2seq/scorer.py")
SECONDS = 600  # ending all processes of a fork bomb takes a busy machine minutes
WORK = """
import torch
x = torch.randn(200, 200, requires_grad=True)
for _ in range(20):
    (x @ x).tanh().sum().backward()
print('done')
"""


def children(process):
    lists = Path(f"/proc/{process}/task").glob("*/children")
    return [int(child) for path in lists for child in path.read_text().split()]


class Learner:
    """A submission in a box: ``learner("print(1)")`` → "1", or the kind of the cell's error, or how it was ended."""

    def __init__(self, sandbox):
        self.session = sandbox.open()
        self.ending = ""

    def __call__(self, source):
        self.start(source)
        return self.answer()

    def start(self, source):
        self.session.wire.send({"op": "run", "cell": "cell", "source": source}, Deadline(SECONDS))

    def answer(self):
        try:
            reply = self.session.wire.receive(Deadline(SECONDS))
        except Closed:
            return self.end()
        if reply["error"]:
            return reply["error"]["kind"]
        return "".join(output.get("text", "") for output in reply["outputs"]).strip()

    def outputs(self, source):
        self.start(source)
        return self.session.wire.receive(Deadline(SECONDS))["outputs"]

    def end(self):
        self.ending = self.ending or self.session.end(SECONDS)
        return self.ending


def misses(say, table):
    """What is not as a table expects it: name → (source, expected answer, or a tuple of possible ones)."""
    answers = {name: say(source) for name, (source, _) in table.items()}
    expected = {name: right if isinstance(right, tuple) else (right,) for name, (_, right) in table.items()}
    return {name: answer for name, answer in answers.items() if answer not in expected[name]}

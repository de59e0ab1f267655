"""No command ends because the console's encoding lacks a sign that it prints."""

import codecs
import importlib
import io
import sys
from pathlib import Path

import pytest

import seq2seq.experiments
from autograder.__main__ import COMMANDS
from seq2seq.streams import print_anything

SIGNS = "✓ Zoë 王 → 3 × 4 … ─ \ud800 ✗\n"
PRINTED = {
    "ascii": r"+ Zo\xeb \u738b -> 3 x 4 ... - \ud800 x",
    "cp1252": r"+ Zoë \u738b -> 3 × 4 … - \ud800 x",
    "cp437": r"+ Zoë \u738b -> 3 x 4 ... ─ \ud800 x",
    "utf-8": r"✓ Zoë 王 → 3 × 4 … ─ \ud800 ✗",
}
EXPERIMENTS = Path(seq2seq.experiments.__file__).parent
MAINS = {
    "autograder": "autograder.__main__",
    "learn": "learn.__main__",
    "book": "book.build",
    "the PDF": "book.pdf",
    "another Sphinx": "book.plain_sphinx",
    **{
        path.stem: f"seq2seq.experiments.{path.stem}"
        for path in sorted(EXPERIMENTS.glob("*.py"))
        if "\ndef main(" in path.read_text(encoding="utf-8")
    },
}


@pytest.fixture(params=PRINTED)
def console(request, monkeypatch):
    """``console.open()`` puts standard output and error in an encoding; ``console.text`` is what was written so far."""

    class Console:
        encoding, behind = request.param, io.BytesIO()

        def open(self):  # in the test itself: pytest sets its own streams when a test begins
            for name in ("stdout", "stderr"):
                stream = io.TextIOWrapper(self.behind, encoding=self.encoding, write_through=True, newline="\n")
                monkeypatch.setattr(sys, name, stream)

        @property
        def text(self):
            return self.behind.getvalue().decode(self.encoding)

    return Console()


def test_what_an_encoding_lacks_is_written_in_signs_that_it_has(console):
    console.open()
    print_anything()
    print(SIGNS, end="")
    print(SIGNS, end="", file=sys.stderr)
    assert console.text == f"{PRINTED[console.encoding]}\n" * 2


def test_reading_is_not_touched():
    print_anything()
    with pytest.raises(UnicodeDecodeError):
        codecs.decode(b"\xff", "utf-8", "seq2seq.plain")


@pytest.mark.parametrize("name", MAINS)
def test_every_command_prints_anything_before_it_does_anything_else(name, console):
    """Its help is printed first; afterwards the streams stand as the command has set them."""
    module = importlib.import_module(MAINS[name])
    console.open()
    with pytest.raises(SystemExit):
        module.main(["--help"])
    print(SIGNS, end="")
    print(SIGNS, end="", file=sys.stderr)
    assert console.text.endswith(f"{PRINTED[console.encoding]}\n" * 2)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.__name__.rpartition(".")[2])
def test_a_finished_command_of_the_grader_says_its_result(command, console, monkeypatch, tmp_path):
    """As ``grade`` did not: all was judged, and the table of the results could not be printed."""
    from autograder import __main__ as grader

    monkeypatch.setattr(command, "add_options", lambda parser: None)
    monkeypatch.setattr(command, "run", lambda options: print(SIGNS, end="") or 0)
    name = command.__name__.rpartition(".")[2].removesuffix("_task")
    console.open()
    assert grader.main([name, "--root", str(tmp_path)]) == 0
    replaced = "\ufffd" if console.encoding == "utf-8" else "?"  # a lone surrogate, before it comes to the stream
    assert console.text == PRINTED[console.encoding].replace(r"\ud800", replaced) + "\n"

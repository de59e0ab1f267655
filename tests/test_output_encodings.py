"""No command ends because the console lacks a sign that it prints, and none lets others command a terminal."""

import codecs
import importlib
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

import seq2seq.experiments
from autograder import __main__ as grader
from autograder.terminal import Plain, plain
from seq2seq.streams import print_anything

SIGNS = "✓ Zoë 王 → 3 × 4 … ─ \ud800 ✗\n"
PRINTED = {
    "ascii": r"+ Zo\xeb \u738b -> 3 x 4 ... - \ud800 x",
    "cp1252": r"+ Zoë \u738b -> 3 × 4 … - \ud800 x",
    "cp437": r"+ Zoë \u738b -> 3 x 4 ... ─ \ud800 x",
    "utf-8": r"✓ Zoë 王 → 3 × 4 … ─ \ud800 ✗",
}
EXPERIMENTS = sorted(Path(seq2seq.experiments.__file__).parent.glob("*.py"))
MAINS = ["autograder.__main__", "learn.__main__", "book.build", "book.pdf", "book.epub", "book.plain_sphinx"]
MAINS += [f"seq2seq.experiments.{path.stem}" for path in EXPERIMENTS if "\ndef main(" in path.read_text("utf-8")]


@pytest.fixture
def console(monkeypatch):
    """Puts standard output and error in an encoding; returns what gives the text that was written since."""

    def console(encoding):
        behind = io.BytesIO()
        for name in ("stdout", "stderr"):
            stream = io.TextIOWrapper(behind, encoding=encoding, write_through=True, newline="\n")
            monkeypatch.setattr(sys, name, stream)
        return lambda: behind.getvalue().decode(encoding)

    return console


@pytest.mark.parametrize("encoding", PRINTED)
def test_what_an_encoding_lacks_is_written_in_signs_that_it_has_and_reading_is_not_touched(encoding, console):
    written = console(encoding)
    print_anything()
    print(SIGNS, end="")
    print(SIGNS, end="", file=sys.stderr)
    assert written() == f"{PRINTED[encoding]}\n" * 2
    with pytest.raises(UnicodeDecodeError):
        codecs.decode(b"\xff", "utf-8", "seq2seq.plain")


@pytest.mark.parametrize("name", MAINS)
def test_every_command_prints_anything_before_it_does_anything_else(name, console):
    """Its help is printed first; afterwards the streams stand as the command has set them."""
    module, written = importlib.import_module(name), console("cp437")
    with pytest.raises(SystemExit):
        module.main(["--help"])
    print(SIGNS, end="")
    print(SIGNS, end="", file=sys.stderr)
    assert written().endswith(f"{PRINTED['cp437']}\n" * 2)


@pytest.mark.parametrize("command", ["learn start", "seq2seq.experiments alignment --show"])
def test_a_reader_who_leaves_is_no_error(command):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([sys.executable, "-m", *command.split()], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, b"")


REPLACED = "\N{REPLACEMENT CHARACTER}"
OBEYED = ["\x1b", "\r", "\t", "\x07", "\x9b", "\u202e", "\u2066", "\u2028", "\ud800", "\x7f"]  # by a terminal


@pytest.mark.parametrize("text", [*OBEYED, "", "a\nb", "ä王🙂 \u00a0\u200d", "Zoe\u0301"])
def test_what_a_terminal_obeys_is_replaced_and_other_text_stays(text):
    assert plain(f"a{text}b") == f"a{REPLACED if text in OBEYED else text}b"


def test_a_stream_passes_on_plain_text_is_otherwise_itself_and_stands_before_every_command(tmp_path, capsys):
    stream = Plain(io.StringIO())
    print("a\x1b[31mb", file=stream)
    assert stream.getvalue() == f"a{REPLACED}[31mb\n"
    assert grader.main(["grade", str(tmp_path / "a\x1b[31mb")]) == 2
    assert "\x1b" not in capsys.readouterr().err
    assert not isinstance(sys.stderr, Plain)

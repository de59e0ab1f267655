"""What others chose cannot command a terminal."""

import io
import sys

import pytest

from autograder.__main__ import main
from autograder.terminal import Plain, plain

REPLACED = "\N{REPLACEMENT CHARACTER}"
SIGNS = ["\x1b", "\r", "\t", "\x07", "\x9b", "\u202e", "\u2066", "\u2028", "\ud800", "\x7f"]  # which a terminal obeys


@pytest.mark.parametrize("text", [*SIGNS, "", "a\nb", "ä王🙂 \u00a0\u200d", "Zoe\u0301"])
def test_what_a_terminal_obeys_is_replaced_and_other_text_stays(text):
    assert plain(f"a{text}b") == f"a{REPLACED if text in SIGNS else text}b"


def test_a_stream_passes_on_plain_text_and_is_otherwise_itself():
    behind = io.StringIO()
    stream = Plain(behind)
    print("a\x1b[31mb", file=stream)
    assert behind.getvalue() == f"a{REPLACED}[31mb\n"
    assert stream.getvalue is not None
    assert stream.stream is behind


def test_commands_say_names_plainly(tmp_path, capsys):
    assert main(["grade", str(tmp_path / "a\x1b[31mb")]) == 2
    assert "\x1b" not in capsys.readouterr().err
    assert not isinstance(sys.stderr, Plain)

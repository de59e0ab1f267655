"""What others chose cannot command a terminal."""

import io
import sys

import pytest

from autograder.__main__ import main
from autograder.terminal import Plain, plain


@pytest.mark.parametrize("sign", ["\x1b", "\r", "\t", "\x07", "\x9b", "\u202e", "\u2066", "\u2028", "\ud800", "\x7f"])
def test_what_a_terminal_obeys_is_replaced(sign):
    assert plain(f"a{sign}b") == "a\N{REPLACEMENT CHARACTER}b"


@pytest.mark.parametrize("text", ["", "a\nb", "ä王🙂 \u00a0\u200d", "Zoe\u0301"])
def test_other_text_stays(text):
    assert plain(text) == text


def test_a_stream_passes_on_plain_text_and_is_otherwise_itself():
    behind = io.StringIO()
    stream = Plain(behind)
    print("a\x1b[31mb", file=stream)
    assert behind.getvalue() == "a\N{REPLACEMENT CHARACTER}[31mb\n"
    assert stream.getvalue is not None
    assert stream.stream is behind


def test_commands_say_names_plainly(tmp_path, capsys):
    assert main(["grade", str(tmp_path / "a\x1b[31mb")]) == 2
    assert "\x1b" not in capsys.readouterr().err
    assert not isinstance(sys.stderr, Plain)

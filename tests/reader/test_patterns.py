"""Whatever a pattern of the grader is given, its work grows as the text does."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from found_patterns import Found, Unseen, all_patterns

PATTERNS = all_patterns()


def tried(found: Found) -> tuple[int, str]:
    """Exit status of trying it, and the last that was said: the text that took too long, or that none did."""
    asked = json.dumps([found.text, found.flags, found.methods])
    script = Path(__file__).with_name("try_pattern.py")
    done = subprocess.run([sys.executable, "-I", str(script)], input=asked, capture_output=True, text=True)
    return done.returncode, (done.stdout.splitlines() or [done.stderr])[-1]


@pytest.mark.parametrize("found", PATTERNS, ids=lambda found: found.place)
def test_work_grows_as_the_text_does(found):
    status, said = tried(found)
    assert (status, said) == (0, "linear"), f"{found.place}: {found.text!r} takes too long on {said}"


@pytest.mark.parametrize(
    "text",
    [
        r"^\s*raise\b",
        r"\s*(`{3,})[^\n]*\n(.*?)\n?\1\s*",
        r"[ _-]*copy$",
        r"(?:[ ]a|[ ]*)*b",
        r'"(?:[^"\\]|\\.)*+"',
        r"<img[^>]*>",
        r"(\d+)\)?\s*$",
        r"x(?:\(\d+\)|-copy-?\d*|-\d{1,3})*y",
        r"(?:\S*python\S*)[ ]+-m",
    ],
)
def test_a_pattern_that_backtracks_is_caught(text):
    status, _ = tried(Found("here", text, 8, ("scan",)))
    assert status < 0


@pytest.mark.parametrize(
    ("source", "place"),
    [("import re\ndef find(a):\n    return re.search(a, 'x')\n", "new.py:3"), ("from re import search\n", "new.py:1")],
)
def test_a_pattern_that_cannot_be_found_is_told(tmp_path, source, place):
    (tmp_path / "new.py").write_text(source)
    with pytest.raises(Unseen, match=place):
        all_patterns(tmp_path)


def test_a_new_pattern_is_found(tmp_path):
    (tmp_path / "new.py").write_text("import re\nEND = 'b'\nPART = re.compile(rf'a+{END}', re.M)\nPART.search('x')\n")
    assert all_patterns(tmp_path) == [Found("new.py:3", "a+b", 8, ("scan",))]

"""Code in colours takes few bytes: two thousand pages of a class are a lot of spans."""

import re
from html import unescape

import pytest

from autograder.gradebook.syntax import CLASSES, coloured, rules

SOURCE = """def score(query, keys):
    \'\'\'Dot.\'\'\'
    return (query.unsqueeze(1) * keys).sum(-1)  # 1 < 2
"""


@pytest.mark.parametrize("source", [SOURCE, "", "\n\nx\n", "a < b & c", "</code><script>", "é \u202e ' \""])
def test_no_sign_is_lost(source):
    made = coloured(source)
    assert unescape(re.sub("<[^>]*>", "", made)) == source.rstrip("\n")
    assert set(re.findall("<[^>]*>", coloured(source))) <= {
        "</span>",
        *(f'<span class="{n}">' for n in CLASSES.values()),
    }


def test_what_is_black_has_no_markup():
    assert coloured("query.keys(x)[y], z") == "query.keys(x)[y], z"
    assert coloured(SOURCE).count("<span") <= 8


def test_each_class_has_its_colour_in_light_and_dark():
    light, dark = rules().split("@media (prefers-color-scheme: dark)")
    for name in CLASSES.values():
        assert light.count(f"code .{name} ") == dark.count(f"code .{name} ") == 1

import json

import pytest

from autograder.submissions import file_text
from autograder.submissions.file_text import Unreadable, json_of, text_of

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "cp1252"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_text_of_any_encoding_is_the_same(encoding):
    text = '{"cells": "é – ü"}'
    assert text_of(text.encode(encoding), []) == text


def test_utf_8_without_a_mark_is_worth_no_note():
    notes = []
    text_of("é".encode(), notes)
    assert notes == []


@pytest.mark.parametrize("text", ['{"a": [1, 2,], }', '{"a": [1, 2\n , ]}'])
def test_a_comma_too_many_is_left_out_and_noted(text):
    notes = []
    assert json_of(text, notes) == {"a": [1, 2]}
    assert notes == ["The file had a comma too many; it was left out."]


def test_commas_within_texts_stay():
    assert json_of(r'{"a": "x[:, ]\" ,}",}', []) == {"a": 'x[:, ]" ,}'}


@pytest.mark.parametrize("tail", ["\n}\n", "{}", "<html>"])
def test_what_follows_the_notebook_is_left_out_and_noted(tail):
    notes = []
    assert json_of('{"a": 1}' + tail, notes) == {"a": 1}
    assert notes == ["There was text after the end of the notebook; it was left out."]


def test_zeros_that_a_full_disk_left_behind_are_worth_no_note():
    notes = []
    assert json_of('{"a": 1}' + "\0" * 512, notes) == {"a": 1}
    assert notes == []


def test_half_a_notebook_is_refused():
    text = json.dumps({"cells": ["x" * 1000]})
    with pytest.raises(Unreadable, match="cut off"):
        json_of(text[:500], [])


def test_a_file_of_very_many_parts_is_refused_before_it_fills_the_memory(monkeypatch):
    monkeypatch.setattr(file_text, "MAX_PARTS", 1000)
    with pytest.raises(Unreadable, match="more than 1000 parts"):
        json_of("[" + "[]," * 1000 + "[]]", [])


@pytest.mark.parametrize("data", [b"PK\x03\x04x", b"\x1f\x8bx", b"%PDF-1.7"])
def test_other_kinds_of_files_are_told_from_notebooks(data):
    with pytest.raises(Unreadable, match=r"hand in the \.ipynb file itself"):
        text_of(data, [])

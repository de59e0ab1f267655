import csv
import io

import pytest

from autograder.errors import UsageError
from autograder.exports.spreadsheet import inert, read_sheet, written


@pytest.mark.parametrize(
    "text", ["=1+1", "+1+1", "-1+1", "@SUM(A1)", " =1+1", "\t=1", "\r=1", "＝1+1", "=cmd|' /C calc'!A0"]
)
def test_a_formula_becomes_text(text):
    assert inert(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-1.5", "+3", "7,5", "-", "", "Ada", "ada@uni.example", "50%", "<p>=x</p>"])
def test_numbers_and_ordinary_text_stay(text):
    assert inert(text) == text


def test_commas_quotes_and_line_ends_survive():
    cells = ["a, b", 'say "x"', "two\nlines"]
    assert list(csv.reader(io.StringIO(written([cells])))) == [cells]


@pytest.mark.parametrize(
    ("data", "delimiter", "encoding"),
    [(b"\xef\xbb\xbfa;b\n1;2\n", ";", "utf-8-sig"), (b"a,b\r\n1,2\r\n", ",", "utf-8")],
)
def test_a_table_is_read_as_it_was_written(tmp_path, data, delimiter, encoding):
    (tmp_path / "x.csv").write_bytes(data)
    sheet = read_sheet(tmp_path / "x.csv")
    assert (sheet.rows, sheet.delimiter, sheet.encoding) == ([["a", "b"], ["1", "2"]], delimiter, encoding)


@pytest.mark.parametrize("data", [None, b"", b"\xff\xfe\x00", b"just text\n"])
def test_what_is_no_table_is_refused_in_one_line(tmp_path, data):
    if data is not None:
        (tmp_path / "x.csv").write_bytes(data)
    with pytest.raises(UsageError, match="the roster") as error:
        read_sheet(tmp_path / "x.csv")
    assert "\n" not in str(error.value)

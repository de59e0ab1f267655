"""What a cell prints looks the same however it was cut on the way."""

import sys
from pathlib import Path

from nbformat.v4 import new_output

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "book" / "_ext"))

from course.streams import joined


def printed(*pieces: str) -> list[str]:
    return [output["text"] for output in joined([new_output("stream", name="stdout", text=piece) for piece in pieces])]


def test_a_line_in_two_pieces_is_one_line() -> None:
    assert printed("states", " (100, 9, 64)\nnext\n") == printed("states (100, 9, 64)\nnext\n")


def test_what_is_no_stream_keeps_its_place() -> None:
    figure = new_output("display_data", data={"text/plain": "figure"})
    before, after = (new_output("stream", name="stdout", text=text) for text in ("a\n", "b\n"))
    assert [output.output_type for output in joined([before, figure, after])] == ["stream", "display_data"]


def test_nothing_is_nothing() -> None:
    assert joined([]) == []

import pytest

from book import papers
from seq2seq.attention import attend, weighted_sum


def test_the_place_is_named_and_the_line_is_not_printed():
    said = papers.line_of(attend, "weights = masked_softmax")
    number = int(said.rsplit(" ", 1)[1].rstrip(")"))
    with open(attend.__code__.co_filename) as file:
        line = file.read().splitlines()[number - 1]
    assert "weights = masked_softmax" in line
    assert said.startswith("`attend` (attention.py, line")


@pytest.mark.parametrize("needle", ["no such line", "e"])
def test_a_needle_that_no_line_or_many_lines_hold_is_refused(needle):
    with pytest.raises(ValueError, match="expected one"):
        papers.line_of(attend, needle)


def test_a_row_has_the_equation_above_the_line_and_the_thread_beside_it():
    link = papers.thread("pytorch/tutorials", 2840)
    assert link == "[tutorials#2840](https://github.com/pytorch/tutorials/issues/2840)"
    row = papers.table([("(5)", "$c_i$", weighted_sum, "torch.bmm", link)]).data.splitlines()[2]
    assert row.startswith("| **(5)** $c_i$<br>`weighted_sum` (attention.py, line ")
    assert row.endswith(f"| {link} |")

import pytest

from seq2seq.widgets.window import Window


def test_every_word_needs_a_score():
    with pytest.raises(ValueError, match="scores: got 1, expected one for each of the 2 words"):
        Window(["a", "b"], [1.0], 0.5, 2)


def test_text_says_where_the_window_stands():
    assert "half width 2 around position 0.5 of: a b" in Window(["a", "b"], [1.0, 2.0], 0.5, 2).text()

import pytest

from seq2seq.widgets.window import Window

SENTENCE = {
    "source": ["a", "b"],
    "target": ["u"],
    "right": [[1]],
    "centres": [0.4],
    "scores": [[1.0, 2.0]],
}


def test_every_word_needs_a_score():
    with pytest.raises(ValueError, match="scores: got 1, expected one for each of the 2 words"):
        Window.made_up(["a", "b"], [1.0], 0.5, 2)


@pytest.mark.parametrize("name", ["target", "right", "centres"])
def test_every_step_needs_all_that_is_shown_of_it(name):
    with pytest.raises(ValueError, match=f"{name}: got 0, expected one for each of the 1 steps"):
        Window.predicted([SENTENCE | {name: []}], 0.5, 2)


def test_text_says_where_the_window_stands():
    assert "half width 2 around position 0.5 of: a b" in Window.made_up(["a", "b"], [1.0, 2.0], 0.5, 2).text()


def test_model_s_sentences_are_handed_over():
    widget = Window.predicted([SENTENCE], 0.5, 2)
    assert widget.label != Window.made_up(["a"], [1.0], 0.5, 2).label
    assert widget.sentences == [
        {"words": ["a", "b"], "target": ["u"], "scores": [[1.0, 2.0]], "centres": [0.4], "right": [[1]]}
    ]

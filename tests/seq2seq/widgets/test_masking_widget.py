import pytest

from seq2seq.widgets.masking import Masking


def test_every_token_needs_a_score_and_a_mask_entry():
    with pytest.raises(ValueError, match="got 2, 1 and 2 entries"):
        Masking(["a", "b"], [1.0], [True, True])


def test_text_names_the_real_tokens():
    assert Masking(["she", "sings", "<pad>"], [1.0, 0.5, 0.0], [True, True, False]).text().endswith("she, sings.")

import json

import pytest
import torch

from seq2seq.widgets.estimate import Estimate

SCORES = torch.tensor([0.3, -1.0, 1.2])


def test_every_position_needs_a_log_likelihood():
    with pytest.raises(ValueError, match="log_likelihoods: got 2, expected one for each of 3"):
        Estimate(SCORES, torch.zeros(2))


def test_what_is_handed_over_is_small():
    widget = Estimate(SCORES, torch.tensor([-1.0, -2.0, -3.0]))
    assert widget.data["scores"] == [0.3, -1.0, 1.2]
    assert widget.data["logs"] == [-1.0, -2.0, -3.0]
    assert len(json.dumps(widget.data)) < 1000


def test_text_says_what_is_estimated():
    assert "gradient of 3 scores" in Estimate(SCORES, torch.zeros(3)).text()

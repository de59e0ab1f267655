"""The gradient norms of the experiment against PyTorch's Jacobian, and what its record holds."""

import json
import math

import pytest
import torch

from seq2seq.experiments.gradient_norm import CELLS, FirstSymbol, gradient_norms, main, per_step
from seq2seq.layers.recurrent import recurrent_layer

BATCH, STEPS, INPUT, HIDDEN = 2, 4, 3, 5


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    main(["--quick", "--out", str(folder)])
    return json.loads((folder / "gradient_norm.json").read_text())


@pytest.mark.parametrize("cell", CELLS)
def test_norms_equal_those_of_the_jacobian(cell):
    layer = recurrent_layer(cell, INPUT, HIDDEN).double()
    inputs = torch.randn(BATCH, STEPS, INPUT, dtype=torch.float64)
    norms = gradient_norms(layer, inputs)
    for row in range(BATCH):
        jacobian = torch.autograd.functional.jacobian(lambda words: layer(words)[0][0, -1], inputs[row : row + 1])
        torch.testing.assert_close(norms[row], jacobian[:, 0].norm(dim=(0, 2)))


def test_the_gain_multiplies_an_orthogonal_matrix():
    matrix = FirstSymbol("rnn", 6, 1.5).rnn.weight_hh_l0
    torch.testing.assert_close(matrix @ matrix.T, 2.25 * torch.eye(6), atol=1e-5, rtol=0)


def test_the_factor_per_step_is_read_from_distance_one_to_the_last():
    assert per_step([9.0, 8.0, 4.0, 2.0]) == pytest.approx(0.5)


def test_the_record_has_a_norm_for_every_distance_and_follows_training_where_the_gain_is_one(report):
    for run in report["runs"]:
        assert len(run["at_first"]) == report["settings"]["steps"]
        assert all(math.isfinite(norm) and norm > 0 for norm in run["at_first"])
    assert {run["gain"] for run in report["runs"] if "after_training" in run} == {1.0}


def test_the_simple_network_vanishes_below_gain_one(report):
    (run,) = [run for run in report["runs"] if (run["cell"], run["gain"]) == ("rnn", 0.5)]
    assert per_step(run["at_first"]) < 0.5

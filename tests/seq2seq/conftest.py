"""What the tests of the library share: one thread and a seed, small models and a batch, the report of a smoke test."""

import json

import pytest
import torch
from gpus import gpu, replaying  # noqa: F401  # also where this folder's tests run alone
from small_models import MODELS, PAIRS, VOCAB, sharpen

from seq2seq.batch import collate


@pytest.fixture(autouse=True)
def _one_thread_and_a_fixed_seed():
    torch.set_num_threads(1)
    torch.manual_seed(20)


@pytest.fixture
def batch():
    return collate(PAIRS, VOCAB, VOCAB)


@pytest.fixture(params=MODELS)
def model(request):
    """A small model of each kind, whose random weights say different words at different steps."""
    return sharpen(request.param())


@pytest.fixture
def quick(tmp_path):
    """``quick(experiment, *arguments)`` runs an experiment's smoke test and returns its report."""

    def run(experiment, *arguments):
        experiment.main(["--quick", *arguments, "--out", str(tmp_path)])
        (report,) = tmp_path.glob("*.json")
        return json.loads(report.read_text())

    return run

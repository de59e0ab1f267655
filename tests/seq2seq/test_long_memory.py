import json

import pytest
import torch

from seq2seq.beyond.feed_forward_attention import FeedForwardAttention, FeedForwardNetwork, Mean
from seq2seq.corpora.long_memory import adding
from seq2seq.experiments import long_memory


@pytest.fixture
def sequences():
    return adding(7, 1000, torch.Generator().manual_seed(1))


@pytest.fixture
def network():
    return FeedForwardNetwork(FeedForwardAttention(4), size=4)


def test_the_parts_are_the_batch(sequences):
    parts = long_memory.in_parts(sequences)
    assert len(parts) > 1
    for whole, pieces in zip(sequences, zip(*parts, strict=True), strict=True):
        assert torch.equal(torch.cat(pieces), whole)


def test_gradients_by_parts_are_those_of_the_batch(network, sequences):
    loss = long_memory.gradients(network, sequences)
    by_parts = [parameter.grad.clone() for parameter in network.parameters()]
    network.zero_grad()
    outputs, _ = network(sequences.inputs, sequences.mask)
    expected = (outputs - sequences.targets).square().mean()
    expected.backward()
    torch.testing.assert_close(loss, expected.detach())
    torch.testing.assert_close(by_parts, [parameter.grad for parameter in network.parameters()])


def test_accuracy_counts_errors_below_the_tolerance(network, sequences):
    outputs, _ = network(sequences.inputs, sequences.mask)
    off = torch.tensor([0.0, 0.039, -0.039, 0.041, -0.041, 1.0, -1.0])
    shifted = sequences._replace(targets=outputs.detach() + off)
    assert long_memory.accuracy(network, shifted, 0.04) == pytest.approx(3 / 7)


def test_the_mean_has_two_steps_worth_of_weight_on_the_marked(sequences):
    network = FeedForwardNetwork(Mean(), size=4)
    expected = (2 / sequences.mask.sum(1)).mean().item()
    assert long_memory.weight_on_marked(network, sequences) == pytest.approx(expected)


def test_the_report_has_every_case_and_a_second_run_adds_to_it(tmp_path, capsys):
    long_memory.main(["--quick", "--out", str(tmp_path), "--lengths", "50"])
    first = json.loads((tmp_path / "long_memory.json").read_text())["runs"]
    assert {(run["task"], run["pooling"]) for run in first} == {
        (task, pooling) for task in long_memory.TASKS for pooling in long_memory.POOLINGS
    }
    long_memory.main(["--quick", "--out", str(tmp_path), "--lengths", "100", "--tasks", "adding"])
    report = json.loads((tmp_path / "long_memory.json").read_text())
    assert [run for run in report["runs"] if run["length"] == 50] == first
    assert len(report["runs"]) == 6
    assert "| multiplication | 50 | mean | 2 |" in capsys.readouterr().out


def test_a_run_that_is_there_is_not_done_again(tmp_path, monkeypatch):
    arguments = ["--quick", "--out", str(tmp_path), "--lengths", "50"]
    long_memory.main(arguments)
    monkeypatch.setattr(long_memory, "run", None)
    long_memory.main(arguments)


def test_a_seed_repeats_the_run():
    settings = long_memory.SETTINGS | {"updates": 4, "test_sequences": 20, "updates_between_tests": 2}
    once, again = (long_memory.run("adding", "attention", 50, 3, settings, torch.device("cpu")) for _ in range(2))
    assert once | {"cpu_seconds": 0} == again | {"cpu_seconds": 0}


def test_of_several_learning_rates_the_best_is_told():
    def run(rate, solved_after, accuracy, length=50):
        key = {"task": "adding", "length": length, "pooling": "mean", "seed": 0}
        found = {"solved_after": solved_after, "best_accuracy": accuracy}
        return key | found | {"settings": {"learning_rate": rate}}

    solved, later, longer = run(0.01, 300, 1.0), run(0.003, 400, 1.0), run(0.01, None, 0.4, length=100)
    better = run(0.003, None, 0.9, length=100)
    assert long_memory.best_rates([later, longer, solved, better]) == [solved, better]


def test_each_rate_of_a_length_has_its_own_run(tmp_path, monkeypatch):
    monkeypatch.setitem(long_memory.RATES, ("adding", 50), (0.01, 0.003))
    long_memory.main(["--quick", "--out", str(tmp_path), "--lengths", "50", "--tasks", "adding"])
    runs = json.loads((tmp_path / "long_memory.json").read_text())["runs"]
    found = sorted((run["pooling"], run["settings"]["learning_rate"]) for run in runs)
    assert found == [("attention", 0.003), ("attention", 0.01), ("mean", 0.003), ("mean", 0.01)]

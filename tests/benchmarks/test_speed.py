import json

import pytest
import torch

from benchmarks import decoding_speed, training_speed
from benchmarks.clock import Clock
from benchmarks.models import MODELS
from benchmarks.report import RESULTS, markdown, options
from seq2seq.batch import collate
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.fixed import InitialStateDecoder
from seq2seq.encoders import Encoder
from seq2seq.model import Seq2Seq
from seq2seq.vocab import Vocabulary


@pytest.mark.parametrize("benchmark", [training_speed, decoding_speed])
def test_quick_writes_what_it_measured(benchmark, tmp_path, capsys):
    benchmark.main(["--quick", "--models", "luong_general", "--json", str(tmp_path / "report.json")])
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["command"] == benchmark.COMMAND
    assert list(report["models"]) == ["luong_general"]
    assert "| luong_general |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "file"),
    [([], "speed.json"), (["--models", "luong_general"], None), (["--quick"], None)],
)
def test_the_committed_report_is_that_of_a_whole_run(arguments, file):
    chosen = options("python -m benchmarks.speed", "", arguments)
    assert chosen.json == (file and RESULTS / file)


def test_products_are_counted_as_by_hand():
    pairs = reverse(size=2, seed=0, lengths=(3, 3), symbols=4)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    size = len(vocab)
    model = Seq2Seq(Encoder(size, 2, 3, bidirectional=False), InitialStateDecoder(size, 2, 5, 3))
    encoder = 9 * 2 + 9 * 3  # a GRU's matrices, for each of 2 × 3 source words
    decoder = 15 * 2 + 15 * 5 + size * 5  # for each of 2 × 4 target words, EOS among them
    bridge = 5 * 3
    forward = 2 * (2 * 3 * encoder + 2 * 4 * decoder + 2 * bridge)
    assert training_speed.matmul_flops(model, collate(pairs, vocab, vocab)) == 3 * forward


@pytest.mark.parametrize("name", MODELS)
def test_end_to_end_leaves_the_model_as_it_was(name):
    pairs = reverse(size=4, seed=0, lengths=(3, 5), symbols=4)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    model = MODELS[name](len(vocab), len(vocab))
    before = [parameter.clone() for parameter in model.parameters()]
    batches = [collate(pairs, vocab, vocab)] * 2
    training_speed.end_to_end(model, batches, batches, Clock(torch.device("cpu")), training_speed.QUICK)
    assert all(torch.equal(*pair) for pair in zip(before, model.parameters(), strict=True))


def test_the_clock_takes_turns():
    turns = []
    Clock(torch.device("cpu")).in_turns(lambda: turns.append("a"), lambda: turns.append("b"), runs=2, warmups=1)
    assert "".join(turns) == "ababab"


def test_a_table_rounds_large_numbers():
    assert markdown([{"model": "a", "rate": 1234.5, "ratio": 2.345, "none": None}]).splitlines()[2] == (
        "| a | 1,234 | 2.35 | – |"
    )
